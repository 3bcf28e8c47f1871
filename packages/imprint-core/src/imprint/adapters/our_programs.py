"""Our own programs, as another program starts them: absolute paths that stay right after an upgrade."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from pathlib import Path

from imprint.errors import InvalidPathError, ProgramNotFoundError, TemporaryProgramError

__all__ = ["find_our_program"]

_SUFFIX = ".exe" if os.name == "nt" else ""
# Folders that `uvx` and `pipx run` make for one run, and what they call them.
_TEMPORARY = (("uv", "archive-v0"), ("uv", "builds-v0"), ("uv", "environments-v2"), ("pipx", ".cache"))
# An upgrade replaces these folders by others; what they link to from elsewhere stays.
_VERSIONED = ("Cellar", "store")


def find_our_program(name: str, environ: Mapping[str, str]) -> str:
    """The program of this name that is installed with this one.

    It is the one beside this interpreter, links kept: a virtual environment's folder, also one of `pipx` or `uv tool`,
    outlives upgrades. Where a package manager puts the interpreter into a folder of its version, it is the link to the
    program on the search path.

    Raises:
        ProgramNotFoundError: It is not installed.
        TemporaryProgramError: It lies in a cache that is emptied one day.
        InvalidPathError: Its path is not UTF-8, so that no configuration can hold it.
    """
    folders = list(dict.fromkeys(_folders()))
    found = next((path for folder in folders if os.access(path := folder / (name + _SUFFIX), os.X_OK)), None)
    if found is None:
        raise ProgramNotFoundError(name, tuple(map(str, folders)))
    if any(pair in zip(found.parts, found.parts[1:], strict=False) for pair in _TEMPORARY):
        raise TemporaryProgramError(str(found.parent))
    linked = shutil.which(name, path=environ.get("PATH", ""))
    if linked and set(_VERSIONED).intersection(found.parts) and os.path.realpath(linked) == os.path.realpath(found):
        found = Path(os.path.abspath(linked))  # noqa: PTH100 (links stay)
    try:
        str(found).encode()
    except UnicodeEncodeError as error:
        raise InvalidPathError(str(found), "it is not UTF-8") from error
    return str(found)


def _folders() -> Iterator[Path]:
    """Where installers put programs: beside the interpreter, and where this environment's and the user's go."""
    if sys.executable:
        yield Path(sys.executable).absolute().parent
    yield Path(sysconfig.get_path("scripts"))
    yield Path(sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")))
