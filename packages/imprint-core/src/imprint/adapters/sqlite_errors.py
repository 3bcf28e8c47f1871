"""What SQLite's errors mean to a user. Hooks load this: our own errors are loaded where there is one."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from imprint.errors import ImprintError

__all__ = ["translated"]


@contextmanager
def translated(path: "Path | str") -> Iterator[None]:
    """Raise what SQLite says of a file as an error of ours; what only a fault of this program can cause stays."""
    try:
        yield
    except sqlite3.Error as error:
        meant = _translate(error, str(path))
        if meant is None:
            raise
        raise meant from error


def _translate(error: sqlite3.Error, name: str) -> "ImprintError | None":
    """What the error means to a user; `None` for one that only a fault of this program can cause."""
    from imprint import errors

    code = getattr(error, "sqlite_errorcode", None)
    match None if code is None else code & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return errors.StoreBusyError(name)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_FORMAT:
            return errors.StoreDamagedError(name, str(error))
        case sqlite3.SQLITE_FULL:
            return errors.StoreFullError(name)
        case sqlite3.SQLITE_READONLY:
            return errors.StoreReadOnlyError(name)
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return errors.StoreUnavailableError(name, str(error))
        case None if isinstance(error, sqlite3.OperationalError):  # raised by Python itself: text that is not UTF-8
            return errors.StoreDamagedError(name, str(error))
    return None
