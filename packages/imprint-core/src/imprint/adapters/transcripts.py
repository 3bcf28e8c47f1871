"""Transcripts on a real file system: read while their clients write them, in memory that does not grow with them."""

import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from io import BufferedReader

import attrs

from imprint.adapters.canonical_paths import canonical_path
from imprint.adapters.client_databases import read_rows
from imprint.domain.sources import CanonicalPath
from imprint.domain.times import storable_ns
from imprint.domain.transcripts import TranscriptState
from imprint.errors import TranscriptTooLargeError, TranscriptUnreadableError
from imprint.protocols.clients import TranscriptLine

__all__ = ["RealTranscriptFiles", "RealTranscriptReader"]

_FLAGS = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
    _FLAGS |= getattr(os, _flag, 0)
_BLOCK = 1 << 20
_LONGEST_LINE = 16 << 20
_LARGEST_DOCUMENT = 64 << 20
_MARKED_BYTES = 1024


@attrs.frozen
class RealTranscriptFiles:
    """Meets `imprint.protocols.transcripts.TranscriptFiles`.

    Attributes:
        longest_line: Longer lines are passed over: nobody says so much at once.
        largest_document: Formats that are rewritten are read whole up to here.
    """

    longest_line: int = _LONGEST_LINE
    largest_document: int = _LARGEST_DOCUMENT

    def resolver(self) -> Callable[[CanonicalPath], CanonicalPath]:
        folders: dict[CanonicalPath, CanonicalPath] = {}

        def resolve(path: CanonicalPath) -> CanonicalPath:
            folder = folders.get(path.parent)
            if folder is None:
                folder = folders[path.parent] = canonical_path(str(path.parent))
            return folder / path.name

        return resolve

    def look(self, path: CanonicalPath) -> TranscriptState | None:
        try:
            found = os.stat(path)  # noqa: PTH116 (thousands of them: no object for each)
        except (OSError, ValueError):
            return None
        return TranscriptState(found.st_size, storable_ns(found.st_mtime_ns)) if stat.S_ISREG(found.st_mode) else None

    def mark(self, path: CanonicalPath, size: int) -> str:
        if not size:
            return ""
        with _opened(path) as file:
            return _mark(file, size)

    def is_marked(self, path: CanonicalPath, mark: str) -> bool:
        size = mark.partition(":")[0]
        if not size.isdecimal():
            return False
        with _opened(path) as file:
            return os.fstat(file.fileno()).st_size >= int(size) and _mark(file, int(size)) == mark

    @contextmanager
    def open(self, path: CanonicalPath) -> "Iterator[RealTranscriptReader]":
        with _opened(path) as file:
            yield RealTranscriptReader(
                path=str(path),
                file=file,
                size=os.fstat(file.fileno()).st_size,
                longest_line=self.longest_line,
                largest_document=self.largest_document,
            )


@attrs.frozen(kw_only=True)
class RealTranscriptReader:
    """Meets `imprint.protocols.clients.TranscriptReader`: the file as it was when it was opened."""

    path: str
    file: BufferedReader
    size: int
    longest_line: int
    largest_document: int

    def lines(self, start: int = 0, number: int = 0) -> Iterator[TranscriptLine]:
        """A line that is too long is given empty, so that whoever reads on knows where it ended."""
        if not 0 <= start <= self.size:
            return
        position, rest = start, self.size - start
        kept, is_too_long = bytearray(), False
        with _told(self.path):
            self.file.seek(start)
        while rest:
            with _told(self.path):
                block = self.file.read(min(_BLOCK, rest))
            if not block:
                return
            rest -= len(block)
            begin = 0
            while (end := block.find(b"\n", begin)) >= 0:
                number += 1
                position += len(kept) + end + 1 - begin if not is_too_long else end + 1 - begin
                data = b"" if is_too_long else bytes(kept) + block[begin:end] if kept else block[begin:end]
                yield TranscriptLine(number, position, data if len(data) <= self.longest_line else b"")
                kept.clear()
                is_too_long = False
                begin = end + 1
            if is_too_long:
                position += len(block) - begin
                continue
            kept += block[begin:]
            if len(kept) > self.longest_line:
                position += len(kept)
                kept.clear()
                is_too_long = True

    def document(self) -> bytes:
        if self.size > self.largest_document:
            raise TranscriptTooLargeError(self.path, self.size, self.largest_document)
        with _told(self.path):
            self.file.seek(0)
            return self.file.read(self.size)

    def rows(self, query: str, parameters: Sequence[str | int] = ()) -> Iterator[tuple[object, ...]]:
        try:
            yield from read_rows(self.path, query, parameters)
        except sqlite3.Error as error:
            raise TranscriptUnreadableError(self.path, str(error)) from error


@contextmanager
def _opened(path: CanonicalPath) -> Iterator[BufferedReader]:
    with _told(str(path)):
        descriptor = os.open(path, _FLAGS)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise TranscriptUnreadableError(str(path), "it is not a regular file")
    with os.fdopen(descriptor, "rb") as file:
        yield file


@contextmanager
def _told(path: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise TranscriptUnreadableError(path, reason or type(error).__name__) from error


def _mark(file: BufferedReader, size: int) -> str:
    """Its size, its first bytes and its last: what was appended later changes none of them."""
    digest = blake2b(digest_size=16)
    with _told(file.name if isinstance(file.name, str) else ""):
        for start in (0, max(0, size - _MARKED_BYTES)):
            file.seek(start)
            digest.update(file.read(min(_MARKED_BYTES, size - start)))
    return f"{size}:{digest.hexdigest()}"
