"""The file system, as services see it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import attrs

from imprint.domain.sources import CanonicalPath

__all__ = ["FileTree", "FoundFile", "ReadFile", "SkippedEntry"]


@attrs.frozen(kw_only=True)
class FoundFile:
    """A regular file that a scan yields; nothing of its content was read."""

    path: Path
    size: int
    mtime_ns: int


@attrs.frozen(kw_only=True)
class SkippedEntry:
    """A file or folder that a scan passed over, and why.

    Attributes:
        failure: True for what the user would want to know of (permission denied), false for what is meant to be
            skipped.
    """

    path: Path
    reason: str
    failure: bool = False


@attrs.frozen(kw_only=True)
class ReadFile:
    """A file's content, read once, with the state it had while it was read."""

    data: bytes
    mtime_ns: int
    size: int
    digest: str


class FileTree(Protocol):
    """Scanning and reading."""

    def canonical(self, path: Path) -> CanonicalPath:
        """Absolute, links resolved, true case; of a path that is gone the longest existing prefix is resolved."""
        ...

    def scan(self, folder: Path, *, stop: Callable[[], bool] = lambda: False) -> Iterator[FoundFile | SkippedEntry]:
        """Files below a folder that ignore files and skips leave, in a stable order; folder links are not followed."""
        ...

    def read(self, path: Path, *, limit: int) -> ReadFile:
        """Read a regular file without blocking on what is none.

        Raises:
            FileChangedError: It changed while it was read, twice in a row.
            FileTooLargeError: It is larger than the limit.
            UnreadableFileError: Missing, not regular, or permission denied.
        """
        ...
