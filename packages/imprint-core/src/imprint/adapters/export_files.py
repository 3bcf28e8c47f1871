"""Account exports on a real file system: read as they come, held to bounds, nothing of them unpacked to disk."""

import io
import os
import zipfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, BinaryIO, TypeAlias

import attrs

from imprint.adapters.archives import BROKEN_ZIP, open_regular
from imprint.adapters.canonical_paths import canonical_path
from imprint.adapters.json_streams import stream_values
from imprint.domain.archives import MalformedError
from imprint.domain.exports import LONGEST_ENTRY, ListedMember, find_refusal, is_wanted
from imprint.domain.sources import CanonicalPath
from imprint.errors import ExportDamagedError, ExportRefusedError, MissingPathError, UnreadableFileError

__all__ = ["RealExportFiles"]

_Opener: TypeAlias = Callable[[], AbstractContextManager[IO[bytes]]]
_READABLE = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1
_LARGEST_DIRECTORY = 8 << 20
_ZIP_BEGINS = (b"PK\x03\x04", b"PK\x05\x06")


@attrs.frozen
class RealExportFiles:
    """Meets `imprint.protocols.exports.ExportFiles`.

    Attributes:
        downloads: The folder that browsers save to; asked for when it is needed.
    """

    downloads: Callable[[], Path]

    def find(self, members: Collection[str]) -> Sequence[Path]:
        try:
            inside = list(self.downloads().iterdir())
        except OSError:
            return ()
        return sorted((path for path in inside if _looks_like_one(path, members)), key=_by_age)

    @contextmanager
    def open(self, path: Path, members: Collection[str]) -> "Iterator[_Export]":
        place = canonical_path(path)
        with ExitStack() as opened:
            if path.is_dir():
                files = [path / name for name in sorted(os.listdir(path)) if is_wanted(name, members)]  # noqa: PTH208
                size = sum(file.stat().st_size for file in files)
                yield _Export(place, size, [(file.name, partial(open_regular, file)) for file in files])
                return
            file = opened.enter_context(open_regular(path))
            size = os.fstat(file.fileno()).st_size
            begin = file.read(4)
            file.seek(0)
            if begin in _ZIP_BEGINS:
                archive = opened.enter_context(_open_zip(path, file, members))
                infos = [info for info in archive.infolist() if is_wanted(info.filename, members)]
                infos.sort(key=lambda info: info.filename)
                yield _Export(place, size, [(info.filename, _member_opener(archive, info)) for info in infos])
            else:
                yield _Export(place, size, [(path.name, partial(open_regular, path))])


@attrs.frozen
class _Export:
    """Meets `imprint.protocols.exports.ExportContent`."""

    path: CanonicalPath
    size: int
    _members: Sequence[tuple[str, _Opener]]

    def entries(self) -> Iterator[Mapping[str, object]]:
        for name, open_member in self._members:
            try:
                with open_member() as file:
                    text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace")
                    for value in stream_values(text.read, longest=LONGEST_ENTRY):
                        if isinstance(value, dict):
                            yield value
            except MalformedError as error:
                raise ExportDamagedError(f"{self.path}", f"{name}: {error}") from error
            except BROKEN_ZIP as error:
                raise ExportDamagedError(f"{self.path}", f"{name}: {str(error) or 'it ends early'}") from error


@contextmanager
def _open_zip(path: Path, file: BinaryIO, members: Collection[str]) -> Iterator[zipfile.ZipFile]:
    """An archive whose directory was looked through.

    Raises:
        ExportDamagedError: It is not whole.
        ExportRefusedError: It must not be read.
    """
    try:
        opened = zipfile.ZipFile(_DirectoryReader(file))
    except _DirectoryTooLargeError as error:
        raise ExportRefusedError(str(path), "its directory is too large") from error
    except BROKEN_ZIP as error:
        raise ExportDamagedError(str(path), str(error) or "it ends early") from error
    with opened:
        reason = find_refusal(list(map(_listed, opened.infolist())), members)
        if reason:
            raise ExportRefusedError(str(path), reason)
        yield opened


def _listed(info: zipfile.ZipInfo) -> ListedMember:
    return ListedMember(
        name=info.filename,
        size=info.file_size,
        packed=info.compress_size,
        is_encrypted=bool(info.flag_bits & _ENCRYPTED),
        is_readable=info.compress_type in _READABLE,
    )


class _DirectoryTooLargeError(zipfile.BadZipFile):
    """A single read wanted more than any directory has."""


class _DirectoryReader(io.RawIOBase):
    """An archive's bytes, of which nobody takes very many at once: the library reads a directory of any size whole."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file

    def read(self, size: int | None = -1) -> bytes:
        most = _LARGEST_DIRECTORY + 1
        data = self._file.read(most if size is None or size < 0 else min(size, most))
        if len(data) > _LARGEST_DIRECTORY:
            raise _DirectoryTooLargeError
        return data

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return True


def _member_opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> _Opener:
    return lambda: archive.open(info)


def _by_age(path: Path) -> tuple[int, str]:
    try:
        return path.stat().st_mtime_ns, path.name
    except OSError:  # gone since it was listed, or a link to nowhere
        return 0, path.name


def _looks_like_one(path: Path, members: Collection[str]) -> bool:
    """By the names alone, which cost little even where hundreds of archives lie."""
    try:
        if path.is_dir():
            return any(is_wanted(name, members) for name in os.listdir(path))  # noqa: PTH208 (names are all it takes)
        if path.suffix.lower() != ".zip":
            return is_wanted(path.name, members) and path.is_file()
        with open_regular(path) as file, zipfile.ZipFile(_DirectoryReader(file)) as archive:
            return any(is_wanted(name, members) for name in archive.namelist())
    except (*BROKEN_ZIP, MissingPathError, UnreadableFileError):
        return False
