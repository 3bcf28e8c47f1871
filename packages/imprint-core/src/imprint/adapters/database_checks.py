"""Whether SQLite finds a database file in order. Reads all of it, so only `imprint doctor` asks."""

import sqlite3
from contextlib import closing
from pathlib import Path

__all__ = ["find_database_faults"]

_MOST_FAULTS = 5
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)


def find_database_faults(path: Path) -> tuple[str, ...]:
    """What is wrong with a file; nothing where it is in order or missing.

    One that cannot be opened is not damaged either: whoever opens it is told what stands in the way.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            rows = connection.execute(f"PRAGMA quick_check({_MOST_FAULTS})").fetchall()
    except sqlite3.Error as error:
        return (str(error),) if error.sqlite_errorcode & 0xFF in _DAMAGE else ()
    return tuple(str(row[0]) for row in rows if row[0] != "ok")
