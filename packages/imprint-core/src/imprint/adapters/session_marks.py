"""A mark of all that decides which workspace a session's directory uses: while it is the same, so is the answer.

The resolver is four times what a hook may cost. What it said of a directory is kept with the mark, and asked again when
anything that it looks at is another: the directory and those above it, the registry, the settings, the environment.
"""

import os
import stat
from collections.abc import Iterator, Mapping

from imprint.adapters.quick_places import find_config_path
from imprint.adapters.quick_reading import read_registry_mark

__all__ = ["mark_directory"]

_VARIABLES = ("HOME", "USERPROFILE", "IMPRINT_WORKSPACE", "IMPRINT_WSL_HOME", "WSL_DISTRO_NAME")
_DEEPEST = 60


def mark_directory(cwd: str, environ: Mapping[str, str], registry_file: str, version: str) -> str:
    """The mark; empty where it would not tell enough: in linked git worktrees and submodules, and where nothing is.

    Args:
        version: Of this program, which may decide otherwise than another.
    """
    if not os.path.isabs(cwd) or not os.access(cwd, os.R_OK | os.X_OK):  # noqa: PTH117 (`pathlib` is half a hook's budget)
        return ""
    parts = [version, *(repr(environ.get(name)) for name in _VARIABLES)]
    parts += [_look(find_config_path(environ)), read_registry_mark(registry_file)]
    place = os.path.realpath(cwd)
    for folder in _walk(place):
        parts.append(folder)
        git = _mode(os.path.join(folder, ".git"))  # noqa: PTH118
        if git and not stat.S_ISDIR(git):
            return ""  # what it stands for is written elsewhere
        parts.append(f"{git} {_mode(os.path.join(folder, '.git', 'HEAD'))}")  # noqa: PTH118
        for name in (".imprint", ".imprint/workspace.json"):
            parts.append(_look(os.path.join(folder, name)))  # noqa: PTH118
    return "\n".join(parts) if len(parts) < 5 * _DEEPEST else ""


def _walk(folder: str) -> Iterator[str]:
    yield folder
    while (above := os.path.dirname(folder)) != folder:  # noqa: PTH120
        yield above
        folder = above


def _mode(path: str) -> int:
    """What is there and who may read it; 0 where nothing is, or it cannot be told."""
    try:
        return os.lstat(path).st_mode
    except OSError:
        return 0


def _look(path: str) -> str:
    """What changes whenever a file does."""
    try:
        seen = os.lstat(path)
    except OSError as error:
        return str(error.errno)
    return f"{seen.st_mode} {seen.st_ino} {seen.st_size} {seen.st_mtime_ns} {seen.st_ctime_ns}"
