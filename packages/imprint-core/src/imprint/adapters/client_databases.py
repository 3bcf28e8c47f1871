"""Clients' SQLite files, read while their clients use them."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

__all__ = ["read_rows"]

_ROWS = 500


def read_rows(path: str, query: str, parameters: Sequence[str | int]) -> Iterator[tuple[object, ...]]:
    """The rows of a query, with SQLite's own locks, so that the snapshot holds while the client writes.

    Raises:
        sqlite3.Error: It is not there, no SQLite file, or has no such table.
    """
    with closing(sqlite3.connect(f"{Path(path).as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.execute("PRAGMA query_only = ON")
        cursor = connection.execute(query, tuple(parameters))
        while rows := cursor.fetchmany(_ROWS):
            yield from rows
