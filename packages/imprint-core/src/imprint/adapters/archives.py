"""Archives: ZIP files of members that a manifest tells of, each with its size and digest.

Nothing in one is ever unpacked to a place that the archive names: members are read by the names that we know.
"""

import hashlib
import os
import stat
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

import attrs

from imprint.domain.archives import LONGEST_LINE, MANIFEST_LIMIT, MalformedError, Member
from imprint.errors import ArchiveDamagedError, MissingPathError, UnreadableFileError

__all__ = ["BROKEN_ZIP", "MANIFEST", "ArchiveReader", "ArchiveWriter", "new_archive", "open_archive", "open_regular"]

MANIFEST = "manifest.json"

_BLOCK = 2**20
_LEVEL = 3
_NO_WAIT = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
"""What the library raises at a file that is no ZIP, or a damaged or encrypted one."""


@attrs.frozen
class ArchiveWriter:
    """Writes members one by one, the manifest last."""

    _zip: zipfile.ZipFile

    def add(self, name: str, blocks: Iterable[bytes]) -> Member:
        """Write a member and say what the manifest is to tell of it."""
        hashed, size = hashlib.sha256(), 0
        with self._open(name) as member:
            for block in blocks:
                hashed.update(block)
                size += len(block)
                member.write(block)
        return Member(name=name, size=size, digest=hashed.hexdigest())

    def finish(self, manifest: bytes) -> None:
        """Write the manifest."""
        with self._open(MANIFEST) as member:
            member.write(manifest)

    def _open(self, name: str) -> IO[bytes]:
        # A moment of our own says nothing that the manifest does not, and would make equal bundles differ.
        info = zipfile.ZipInfo(name)
        info.compress_type = zipfile.ZIP_DEFLATED
        return self._zip.open(info, "w", force_zip64=True)


@contextmanager
def new_archive(file: BinaryIO) -> Iterator[ArchiveWriter]:
    """Write an archive into an open file."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as opened:
        yield ArchiveWriter(opened)


@attrs.frozen
class ArchiveReader:
    """An open archive; whatever is wrong with it is told with its path.

    Attributes:
        what: ``bundle`` or ``backup``.
    """

    path: Path
    what: str
    _zip: zipfile.ZipFile

    def manifest(self) -> bytes:
        """What the archive says of itself, at most so much as a manifest can be.

        Raises:
            ArchiveDamagedError: There is none.
        """
        with self.translated(), self._open(MANIFEST) as member:
            data = member.read(MANIFEST_LIMIT + 1)
            if len(data) > MANIFEST_LIMIT:
                raise MalformedError("its manifest is too large")
        return data

    def require_members(self, members: Sequence[Member]) -> None:
        """Raises:
        ArchiveDamagedError: The archive holds other members than these, or of other sizes.
        """
        with self.translated():
            found = {info.filename: info.file_size for info in self._zip.infolist()}
            found.pop(MANIFEST, None)
            if len(self._zip.infolist()) != len(members) + 1 or found != {one.name: one.size for one in members}:
                raise MalformedError("it does not hold what its manifest says")

    def lines(self, member: Member) -> Iterator[bytes]:
        """A member's lines.

        Raises:
            ArchiveDamagedError: One is too long, or the whole is not what the manifest says.
        """
        check = _Check(member)
        with self.translated(), self._open(member.name) as file:
            while line := file.readline(LONGEST_LINE + 1):
                if len(line) > LONGEST_LINE:
                    raise MalformedError("a line is too long")
                check.update(line)
                yield line
            check.finish()

    def blocks(self, member: Member, size: int = _BLOCK) -> Iterator[bytes]:
        """A member's bytes, so many at a time; only the last block may be shorter.

        Raises:
            ArchiveDamagedError: The whole is not what the manifest says.
        """
        check = _Check(member)
        with self.translated(), self._open(member.name) as file:
            while block := file.read(size):
                while len(block) < size and (more := file.read(size - len(block))):
                    block += more
                check.update(block)
                yield block
            check.finish()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Tell what is wrong with the archive in our words; errors of ours pass."""
        try:
            yield
        except MalformedError as error:
            raise ArchiveDamagedError(str(self.path), self.what, str(error)) from error
        except BROKEN_ZIP as error:
            raise ArchiveDamagedError(str(self.path), self.what, str(error) or "it ends early") from error

    @contextmanager
    def _open(self, name: str) -> Iterator[IO[bytes]]:
        try:
            info = self._zip.getinfo(name)
        except KeyError:
            raise MalformedError(f"it has no {name}") from None
        with self._zip.open(info) as file:
            yield file


@contextmanager
def open_archive(path: Path, what: str) -> Iterator[ArchiveReader]:
    """Open an archive.

    Raises:
        MissingPathError: Nothing is there.
        UnreadableFileError: It is no regular file, or the operating system refuses it.
        ArchiveDamagedError: It is no archive, or not whole.
    """
    with open_regular(path) as file:
        try:
            opened = zipfile.ZipFile(file)
        except BROKEN_ZIP as error:
            raise ArchiveDamagedError(str(path), what, str(error) or "it ends early") from error
        with opened:
            yield ArchiveReader(path, what, opened)


@contextmanager
def open_regular(path: Path) -> Iterator[BinaryIO]:
    """Open a file, without waiting for whoever is to write it.

    Raises:
        MissingPathError: Nothing is there.
        UnreadableFileError: It is no regular file, or the operating system refuses it.
    """
    try:
        descriptor = os.open(path, _NO_WAIT)
    except FileNotFoundError:
        raise MissingPathError(str(path)) from None
    except OSError as error:
        raise UnreadableFileError(str(path), error.strerror or str(error)) from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnreadableFileError(str(path), "it is no regular file")
    with os.fdopen(descriptor, "rb") as file:
        yield file


class _Check:
    """Compares what went by with what the manifest says."""

    def __init__(self, member: Member) -> None:
        self._member = member
        self._hashed = hashlib.sha256()
        self._size = 0

    def update(self, data: bytes) -> None:
        self._hashed.update(data)
        self._size += len(data)
        if self._size > self._member.size:
            raise MalformedError(f"{self._member.name} is longer than its manifest says")

    def finish(self) -> None:
        if self._size != self._member.size or self._hashed.hexdigest() != self._member.digest:
            raise MalformedError(f"{self._member.name} is not what its manifest says")
