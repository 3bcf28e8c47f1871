"""The file system, as services see it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

import attrs

from imprint.domain.skips import SkipReason
from imprint.domain.sources import CanonicalPath

__all__ = ["FileTree", "FoundFile", "FoundFolder", "ReadFile", "SkippedEntry"]


class FoundFile(NamedTuple):
    """A regular file that a scan yields; nothing of its content was read.

    A scan makes tens of thousands: hence a tuple, which costs a third of an attrs value, and a path as text.

    Attributes:
        path: Canonical.
    """

    path: str
    size: int
    mtime_ns: int


@attrs.frozen(kw_only=True)
class FoundFolder:
    """A folder that may be scanned."""

    path: str


@attrs.frozen(kw_only=True)
class SkippedEntry:
    """A file or folder that was passed over, and why.

    Attributes:
        detail: What the operating system said, where it did.
    """

    path: str
    reason: SkipReason
    detail: str = ""

    @property
    def is_failure(self) -> bool:
        """True for what could not be looked at, false for what is meant to be skipped."""
        return self.reason in (SkipReason.UNREADABLE, SkipReason.NAME)


@attrs.frozen(kw_only=True)
class ReadFile:
    """A file's content, read once, with the state it had while it was read.

    Attributes:
        settled: False when the file was modified so shortly before that another change might leave the same time;
            equal times mean nothing then.
    """

    data: bytes
    mtime_ns: int
    size: int
    digest: str
    settled: bool = True


class FileTree(Protocol):
    """Scanning and reading."""

    def canonical(self, path: Path) -> CanonicalPath:
        """Absolute, links resolved, true case; of a path that is gone the longest existing prefix is resolved."""
        ...

    def look(self, path: CanonicalPath, *, root: CanonicalPath) -> FoundFile | FoundFolder | SkippedEntry:
        """What a scan of the root would make of one path at or below it.

        Raises:
            MissingPathError: Nothing is there.
        """
        ...

    def scan(
        self, folder: CanonicalPath, *, stop: Callable[[], bool] = lambda: False
    ) -> Iterator[FoundFile | SkippedEntry]:
        """Files below a folder that ignore files and skips leave, in a stable order; links are not followed.

        The folder itself was asked for, so no rule skips it.
        """
        ...

    def read(
        self, path: str, *, limit: int, judge: Callable[[bytes], SkipReason | None] = lambda _: None
    ) -> ReadFile | SkippedEntry:
        """Read a regular file without blocking on what is none.

        Args:
            judge: Asked with the first bytes; a reason ends the reading.

        Raises:
            FileChangedError: It changed while it was read, twice in a row.
            FileTooLargeError: It is larger than the limit.
            UnreadableFileError: Missing, not regular, or permission denied.
        """
        ...

    def find_project(self, folder: CanonicalPath, *, root: CanonicalPath) -> str:
        """The name of the project a folder belongs to, looked for no higher than the root; never fails."""
        ...
