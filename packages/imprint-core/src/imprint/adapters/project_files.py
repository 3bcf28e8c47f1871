"""Reading and writing a project file, and knowing a git root, on a real file system.

Nothing found here is trusted: a repository may hold a link, a named pipe or a gigabyte where a small file is expected.
"""

import contextlib
import os
import stat
from pathlib import Path

from imprint.adapters.junctions import is_junction
from imprint.adapters.temporaries import TEMPORARY_SUFFIX, remove_stale_temporaries, temporary_prefix
from imprint.domain.project_files import (
    LARGEST_PROJECT_FILE,
    PROJECT_FILE_NAME,
    PROJECT_FOLDER_NAME,
    ProjectFileFault,
    explain_project_file_fault,
    parse_project_file,
    render_project_file,
)
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.errors import ProjectFileRefusedError, ProjectFileUnwritableError
from imprint.failpoints import reach

__all__ = ["check_project_file_writable", "is_git_root", "read_project_file", "write_project_file"]

_IN_THE_WAY = frozenset(
    {
        ProjectFileFault.FOLDER_IS_LINK,
        ProjectFileFault.FOLDER_NOT_DIRECTORY,
        ProjectFileFault.FILE_IS_LINK,
        ProjectFileFault.FILE_NOT_REGULAR,
    }
)
_GIT_FILE_START = b"gitdir: "
_NO_WAIT = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def read_project_file(folder: CanonicalPath) -> WorkspaceName | ProjectFileFault | None:
    """What the project file of a folder says, why it is ignored, or `None` where there is none."""
    holder = Path(folder, PROJECT_FOLDER_NAME)
    try:
        fault = _find_place_fault(holder)
        if fault is not None:
            return fault
        return _read(holder / PROJECT_FILE_NAME)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return ProjectFileFault.UNREADABLE


def check_project_file_writable(folder: CanonicalPath) -> None:
    """Raises:
    ProjectFileRefusedError: A link, or something else that is not ours to replace, lies in the file's place.
    """
    found = read_project_file(folder)
    if isinstance(found, ProjectFileFault) and found in _IN_THE_WAY:
        path = folder / PROJECT_FOLDER_NAME / PROJECT_FILE_NAME
        raise ProjectFileRefusedError(str(path), explain_project_file_fault(found))


def write_project_file(folder: CanonicalPath, workspace: WorkspaceName) -> bool:
    """Write the project file of a folder, whole or not at all; false when it says so already.

    Raises:
        ProjectFileRefusedError: A link, or something else that is not ours to replace, lies in the file's place.
        ProjectFileUnwritableError: The operating system refused.
    """
    check_project_file_writable(folder)
    if read_project_file(folder) == workspace:
        return False
    holder = Path(folder, PROJECT_FOLDER_NAME)
    try:
        with contextlib.suppress(FileExistsError):
            holder.mkdir()
        _replace(holder / PROJECT_FILE_NAME, render_project_file(workspace))
    except OSError as error:
        path = str(holder / PROJECT_FILE_NAME)
        raise ProjectFileUnwritableError(path, error.strerror or str(error)) from error
    return True


def is_git_root(folder: CanonicalPath) -> bool:
    """Whether a folder is the root of a git repository, submodule or worktree; git itself is not asked."""
    mark = Path(folder, ".git")
    try:
        mode = mark.stat().st_mode
        if stat.S_ISDIR(mode):
            (mark / "HEAD").lstat()
            return True
        return stat.S_ISREG(mode) and _begins_like_git_file(mark)
    except (OSError, ValueError):
        return False


def _find_place_fault(holder: Path) -> ProjectFileFault | None:
    found = holder.lstat()
    if _is_link(found):
        return ProjectFileFault.FOLDER_IS_LINK
    if not stat.S_ISDIR(found.st_mode):
        return ProjectFileFault.FOLDER_NOT_DIRECTORY
    found = (holder / PROJECT_FILE_NAME).lstat()
    if _is_link(found):
        return ProjectFileFault.FILE_IS_LINK
    if not stat.S_ISREG(found.st_mode):
        return ProjectFileFault.FILE_NOT_REGULAR
    return None


def _read(path: Path) -> WorkspaceName | ProjectFileFault:
    with os.fdopen(os.open(path, _NO_WAIT | _NO_LINK), "rb") as file:
        # What was looked at may have been exchanged before it was opened.
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return ProjectFileFault.FILE_NOT_REGULAR
        return parse_project_file(file.read(LARGEST_PROJECT_FILE + 1))


def _is_link(found: os.stat_result) -> bool:
    return stat.S_ISLNK(found.st_mode) or is_junction(found)


def _begins_like_git_file(mark: Path) -> bool:
    with os.fdopen(os.open(mark, _NO_WAIT), "rb") as file:
        return stat.S_ISREG(os.fstat(file.fileno()).st_mode) and file.read(len(_GIT_FILE_START)) == _GIT_FILE_START


def _replace(path: Path, data: bytes) -> None:
    """Put new bytes in a file's place at one stroke, with the mode the file had or a new one would get."""
    temporary = path.with_name(f"{temporary_prefix(path)}{os.urandom(8).hex()}{TEMPORARY_SUFFIX}")
    try:
        # Not `tempfile`: its files are private, and a project file belongs to whoever shares the project.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        reach("project-file.written")
        with contextlib.suppress(FileNotFoundError):
            temporary.chmod(stat.S_IMODE(path.lstat().st_mode))
        temporary.replace(path)
        reach("project-file.replaced")
    finally:
        with contextlib.suppress(OSError):  # Gone, unless something went wrong.
            temporary.unlink()
    _sync_folder(path.parent)
    remove_stale_temporaries(path)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Folders cannot be opened there, and need not be.
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
