"""Switching a SQLite file over to a write-ahead journal. Hooks load this."""

import sqlite3
import time

__all__ = ["enter_wal_mode"]


def enter_wal_mode(connection: sqlite3.Connection, *, patience_seconds: float) -> None:
    """Switch a new file over; the one statement for which SQLite does not wait for other processes itself.

    Raises:
        sqlite3.OperationalError: Others kept it locked, or it cannot be written.
    """
    deadline = time.monotonic() + patience_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return
