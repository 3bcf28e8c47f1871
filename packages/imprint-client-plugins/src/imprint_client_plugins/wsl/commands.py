"""How a client starts a program on the other side of the border.

Both ways hand on the working directory, as the other side calls it, without being told to; environment variables only
as far as they are named. So the client's home stands in the command itself, for ``/usr/bin/env`` to set.
"""

from pathlib import PurePosixPath

from imprint.domain.paths import parse_path
from imprint.errors import InvalidPathError
from imprint.plugins.clients import ClientHome
from imprint_client_plugins.wsl.places import WINDOWS, Distribution, find_system, to_distribution

__all__ = ["wrap_command"]

_HOME_VARIABLE = "IMPRINT_WSL_HOME"
_ENV = "/usr/bin/env"
# Windows gets these of a distribution's variables; ``/p`` has their paths translated.
# https://learn.microsoft.com/windows/wsl/filesystems#share-environment-variables-between-windows-and-wsl-with-wslenv
_HANDED_ON = f"WSLENV={_HOME_VARIABLE}:IMPRINT_WORKSPACE:CLAUDE_PROJECT_DIR/p"


def wrap_command(command: tuple[str, ...], source: ClientHome, target: ClientHome) -> tuple[str, ...] | None:
    """The words for a client of ``target``; `None` where it cannot start a program of ``source``."""
    if not command or source == target:
        return command or None
    here, there = find_system(source, target), find_system(target, source)
    if here is WINDOWS and isinstance(there, Distribution):
        return _from_distribution(command, there, target)
    if isinstance(here, Distribution) and there is WINDOWS:
        return _from_windows(command, here, target)
    return None


def _from_distribution(
    command: tuple[str, ...], distribution: Distribution, target: ClientHome
) -> tuple[str, ...] | None:
    """A distribution runs Windows' programs as if they were its own."""
    program, *arguments = command
    try:
        path = to_distribution(parse_path(program), distribution)
    except InvalidPathError:
        return None
    if path is None:
        return None
    return (_ENV, _HANDED_ON, f"{_HOME_VARIABLE}={target.path}", str(path), *arguments)


def _from_windows(command: tuple[str, ...], distribution: Distribution, target: ClientHome) -> tuple[str, ...] | None:
    """``--exec`` starts a program without a shell in between; without a user, it would be the distribution's own.

    Clients on Windows may give their hooks to Git Bash, which takes a word that begins with a slash for a path and
    translates it, but not one that begins with two (https://www.msys2.org/docs/filesystem-paths). Linux does not care.
    """
    program, *arguments = command
    if not PurePosixPath(program).is_absolute() or not isinstance(target.path, PurePosixPath):
        return None
    user = target.traits.get("user")
    return (
        "wsl.exe",
        "-d",
        distribution.name,
        *(("-u", user) if user else ()),
        "--exec",
        _doubled(_ENV),
        f"{_HOME_VARIABLE}={_doubled(str(target.path))}",
        _doubled(program),
        *arguments,
    )


def _doubled(path: str) -> str:
    return "/" + "/" + path.lstrip("/")
