"""The canonical form of a real path, on whichever system this runs."""

import os
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

from imprint.domain.paths import normalize_path
from imprint.domain.sources import CanonicalPath
from imprint.errors import InvalidPathError

__all__ = ["canonical_path", "pure_path"]


def canonical_path(path: Path | str) -> CanonicalPath:
    """Resolve links and ``..``, and give the true case where the file system ignores case.

    Of a path that no longer exists the longest existing prefix is resolved and the rest kept. A relative path starts
    from the process's working directory.

    Raises:
        InvalidPathError: A NUL inside, or relative while the working directory is gone.
    """
    try:
        return pure_path(_true_case(os.path.realpath(path)))
    except ValueError as error:
        raise InvalidPathError(str(path), "it has a NUL character inside") from error
    except OSError as error:
        raise InvalidPathError(str(path), "it is relative, and the working directory is gone") from error


def pure_path(path: Path | str) -> CanonicalPath:
    """An absolute path of this system as the core's value, nothing resolved."""
    flavour = PureWindowsPath if os.name == "nt" else PurePosixPath
    return normalize_path(flavour(path))


if sys.platform == "darwin":
    import fcntl

    _LONGEST_PATH = 1024

    def _true_case(path: str) -> str:
        """Ask the kernel how it spells the longest prefix that can be opened; `realpath` keeps the case it is given."""
        head, rest = Path(path), Path()
        while True:
            try:
                descriptor = os.open(head, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
            except OSError:
                if head == head.parent:
                    return path
                head, rest = head.parent, Path(head.name, rest)
                continue
            try:
                spelled = fcntl.fcntl(descriptor, fcntl.F_GETPATH, bytes(_LONGEST_PATH))
            finally:
                os.close(descriptor)
            return str(Path(os.fsdecode(spelled.rstrip(b"\0")), rest))

else:

    def _true_case(path: str) -> str:
        """Windows' `realpath` gives the true case already; elsewhere case distinguishes names."""
        return path
