"""Projects on a real file system: what the walk from a directory finds."""

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PureWindowsPath

import attrs

from imprint.adapters.canonical_paths import canonical_path, pure_path
from imprint.adapters.project_files import (
    check_project_file_writable,
    is_git_root,
    read_project_file,
    write_project_file,
)
from imprint.adapters.worktrees import find_worktree, is_really_there
from imprint.domain.paths import contains, parse_path
from imprint.domain.project_files import FoundProjectFile
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import DirectoryProblem, Surroundings, walk_up
from imprint.domain.worktrees import Worktree, find_holding, stand_in
from imprint.errors import InvalidPathError

__all__ = ["BRIDGED_HOME_VARIABLE", "RealProjectFolders", "find_homes", "find_working_directory", "may_be_elsewhere"]

_HOME_VARIABLE = "USERPROFILE" if os.name == "nt" else "HOME"
BRIDGED_HOME_VARIABLE = "IMPRINT_WSL_HOME"
_DISTRIBUTION_VARIABLE = "WSL_DISTRO_NAME"


def find_homes(environ: Mapping[str, str]) -> tuple[CanonicalPath, ...]:
    """The user's home as configured and in canonical form, and the client's under a bridge; may be none."""
    homes: list[CanonicalPath] = []
    configured = environ.get(_HOME_VARIABLE) or os.path.expanduser("~")  # noqa: PTH111 (`Path` raises)
    if Path(configured).is_absolute():
        homes += [pure_path(os.path.normpath(configured)), canonical_path(configured)]
    with contextlib.suppress(InvalidPathError):
        homes.append(parse_path(environ.get(BRIDGED_HOME_VARIABLE, "")))
    return tuple(dict.fromkeys(homes))


def may_be_elsewhere(place: CanonicalPath, environ: Mapping[str, str]) -> bool:
    """Whether a place may belong to another system of this machine; elsewhere nobody need be asked.

    On Windows a share may be a Linux distribution; in a distribution, whatever is outside of the user's home may be a
    drive of Windows.
    """
    if isinstance(place, PureWindowsPath):
        return place.drive.startswith("\\\\")
    return _DISTRIBUTION_VARIABLE in environ and not any(contains(home, place) for home in find_homes(environ))


def find_working_directory() -> Path | None:
    """The process's working directory; `None` where it was deleted."""
    try:
        return Path.cwd()
    except OSError:
        return None


@attrs.frozen
class RealProjectFolders:
    """Meets `imprint.protocols.projects.ProjectFolders`.

    Attributes:
        homes: The user's.
        find_more: Finds those of another system that a place belongs to.
    """

    homes: tuple[CanonicalPath, ...]
    find_more: Callable[[CanonicalPath], tuple[CanonicalPath, ...]] = lambda _: ()

    def homes_around(self, place: CanonicalPath) -> tuple[CanonicalPath, ...]:
        return (*self.homes, *self.find_more(place))

    def canonical(self, path: Path) -> CanonicalPath:
        return canonical_path(path)

    def look_around(self, directory: Path | None) -> Surroundings:
        if directory is None:
            return Surroundings(directory=None, problem=DirectoryProblem.UNDEFINED)
        if not directory.is_absolute():
            return Surroundings(directory=None, problem=DirectoryProblem.RELATIVE)
        try:
            place = canonical_path(directory)
        except InvalidPathError:
            return Surroundings(directory=None, problem=DirectoryProblem.UNREADABLE)
        start = _find_start(place)
        if start is DirectoryProblem.DELETED:
            return Surroundings(directory=place, problem=start, worktree=find_worktree(place, self.homes_around(place)))
        if isinstance(start, DirectoryProblem):
            return Surroundings(directory=place, problem=start)
        return self._walk(start, find_worktree(start, self.homes_around(start)))

    def look_back(self, directory: Path | None, worktrees: Iterable[Worktree]) -> Surroundings:
        around = self.look_around(directory)
        if around.problem is not DirectoryProblem.DELETED or around.directory is None:
            return around
        worktree = around.worktree or find_holding(around.directory, worktrees)
        return attrs.evolve(self._walk(around.directory, worktree), problem=around.problem)

    def check_writable(self, folder: CanonicalPath) -> None:
        check_project_file_writable(folder)

    def write_project_file(self, folder: CanonicalPath, workspace: WorkspaceName) -> bool:
        return write_project_file(folder, workspace)

    def _walk(self, start: CanonicalPath, worktree: Worktree | None) -> Surroundings:
        git_root: CanonicalPath | None = None
        place = stand_in(start, (worktree,)) if worktree else start
        for folder in walk_up(place, self.homes_around(place)):
            if worktree and not is_really_there(folder):
                continue
            content = read_project_file(folder)
            if git_root is None and is_git_root(folder):
                git_root = folder
            if content is not None:
                file = FoundProjectFile(folder, content)
                return Surroundings(directory=start, worktree=worktree, project_file=file, git_root=git_root)
        return Surroundings(directory=start, worktree=worktree, git_root=git_root)


def _find_start(place: CanonicalPath) -> CanonicalPath | DirectoryProblem:
    """Where the walk begins, or why there is none."""
    try:
        is_folder = stat.S_ISDIR(Path(place).stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return DirectoryProblem.DELETED
    except OSError:
        return DirectoryProblem.UNREADABLE
    start = place if is_folder else place.parent
    return start if os.access(start, os.X_OK) else DirectoryProblem.UNREADABLE
