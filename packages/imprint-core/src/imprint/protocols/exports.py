"""The files in which services give out an account's conversations, found and read."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from imprint.domain.sources import CanonicalPath

__all__ = ["ExportContent", "ExportFiles"]


class ExportContent(Protocol):
    """An open export.

    Attributes:
        path: Canonical.
        size: Bytes of the file.
    """

    @property
    def path(self) -> CanonicalPath: ...

    @property
    def size(self) -> int: ...

    def entries(self) -> Iterator[Mapping[str, object]]:
        """Its entries, one at a time, each time from the first one on.

        Raises:
            ExportDamagedError: What follows cannot be read.
        """
        ...


class ExportFiles(Protocol):
    """Exports: a ZIP file, the folder it was unpacked to, or a file of entries alone."""

    def find(self, members: Collection[str]) -> Sequence[Path]:
        """What looks like an export in the folder that browsers save to, oldest first.

        Args:
            members: Patterns of the names of files that hold conversations.
        """
        ...

    def open(self, path: Path, members: Collection[str]) -> AbstractContextManager[ExportContent]:
        """Open an export; files of other names in it are not.

        Raises:
            MissingPathError: Nothing is there.
            UnreadableFileError: The operating system refuses it.
            ExportDamagedError: It is not whole, as far as can be told without reading it.
            ExportRefusedError: It is beyond what an export can be.
        """
        ...
