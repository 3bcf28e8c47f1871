"""The files of clients, read: meets `imprint.protocols.clients.ClientFiles`."""

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from imprint.adapters.canonical_paths import pure_path
from imprint.adapters.client_databases import read_rows
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError

__all__ = ["RealClientFiles", "read_client_file"]

_LARGEST = 64 * 1024 * 1024
"""A configuration that some client lets grow has a few megabytes."""

_NO_WAIT = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def read_client_file(path: Path) -> bytes | None:
    """A file's bytes; `None` where there is none.

    Raises:
        ClientFileUnreadableError: Something else is there, or it cannot be read, or is too large.
    """
    try:
        with os.fdopen(os.open(path, _NO_WAIT), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ClientFileUnreadableError(str(path), "it is not a regular file")
            data = file.read(_LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ClientFileUnreadableError(str(path), error.strerror or str(error)) from error
    if len(data) > _LARGEST:
        raise ClientFileUnreadableError(str(path), f"it has more than {_LARGEST:,} bytes")
    return data


@attrs.frozen
class RealClientFiles:
    """Files of this system.

    Attributes:
        search_path: Where a shell looks for programs.
    """

    search_path: str = ""

    def read(self, path: CanonicalPath) -> bytes | None:
        return read_client_file(Path(path))

    def names(self, folder: CanonicalPath) -> Sequence[str]:
        try:
            return sorted(os.listdir(folder))  # noqa: PTH208 (names are all that is wanted)
        except OSError:
            return ()

    def is_folder(self, path: CanonicalPath) -> bool:
        return os.path.isdir(path)  # noqa: PTH112 (`Path` raises where a folder above is closed)

    def rows(
        self, path: CanonicalPath, query: str, parameters: Sequence[str | int] = ()
    ) -> Iterator[tuple[object, ...]]:
        try:
            yield from read_rows(str(path), query, parameters)
        except sqlite3.Error as error:
            raise ClientFileUnreadableError(str(path), str(error)) from error

    def find_program(self, name: str) -> CanonicalPath | None:
        found = shutil.which(name, path=self.search_path)
        return pure_path(os.path.abspath(found)) if found else None  # noqa: PTH100 (links stay)
