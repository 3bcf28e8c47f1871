"""What a client's plugin is given to read with. Everything is read-only, and bounded by who made it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from imprint.domain.sources import CanonicalPath

__all__ = ["ClientFiles", "TranscriptLine", "TranscriptReader"]


class ClientFiles(Protocol):
    """The files of a client, as far as they can be read."""

    def read(self, path: CanonicalPath) -> bytes | None:
        """A small file's bytes; `None` where there is no regular file.

        Raises:
            ClientFileUnreadableError: It is there and cannot be read, or is larger than a configuration can be.
        """
        ...

    def names(self, folder: CanonicalPath) -> Sequence[str]:
        """The names in a folder, sorted; none where there is no such folder."""
        ...

    def is_folder(self, path: CanonicalPath) -> bool: ...

    def rows(
        self, path: CanonicalPath, query: str, parameters: Sequence[str | int] = ()
    ) -> Iterator[tuple[object, ...]]:
        """Rows of a client's SQLite file, read-only and in one snapshot, while the client uses it.

        Raises:
            ClientFileUnreadableError: It is not there, no SQLite file, or has no such table.
        """
        ...

    def find_program(self, name: str) -> CanonicalPath | None:
        """The program that a shell would run; nothing is run."""
        ...


class TranscriptLine(NamedTuple):
    """A whole line of a transcript, without its end.

    Attributes:
        number: 1-based.
        end: Offset of the first byte after the line's end: where a later reading goes on.
    """

    number: int
    end: int
    data: bytes


class TranscriptReader(Protocol):
    """One transcript as it is now. What was read never changes behind a parser's back within one reading."""

    def lines(self, start: int = 0, number: int = 0) -> Iterator[TranscriptLine]:
        """The complete lines from an offset on; a torn last line is left for later.

        Args:
            start: ``end`` of the last line that was read.
            number: ``number`` of that line.
        """
        ...

    def document(self) -> bytes:
        """The whole file, for formats that are rewritten.

        Raises:
            TranscriptTooLargeError: It is too large to be read whole.
        """
        ...

    def rows(self, query: str, parameters: Sequence[str | int] = ()) -> Iterator[tuple[object, ...]]:
        """Rows of a client's SQLite file, read-only and in one snapshot, while the client uses it.

        Raises:
            TranscriptUnreadableError: It is no SQLite file, or has no such table.
        """
        ...
