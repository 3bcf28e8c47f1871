"""What a SQLite file of ours looks like, version by version."""

import sqlite3
from collections.abc import Callable
from contextlib import closing

import attrs

from imprint.errors import UnsupportedSqliteError

__all__ = ["Schema", "check_sqlite", "split_statements"]

_OLDEST_SQLITE = (3, 37)
"""The first with STRICT tables."""


@attrs.frozen
class Schema:
    """What a file of one kind looks like.

    Attributes:
        application_id: Marks a file as ours and of this kind.
        migrations: The statements that lead from version N to N + 1; their number is the newest version.
        needs_full_text: Whether FTS5 is used.
    """

    application_id: int
    migrations: tuple[Callable[[sqlite3.Connection], None], ...]
    needs_full_text: bool = False

    @property
    def version(self) -> int:
        return len(self.migrations)


def check_sqlite(schema: Schema) -> None:
    """Raises:
    UnsupportedSqliteError: The SQLite of this Python cannot do what files of a kind need.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise UnsupportedSqliteError(sqlite3.sqlite_version, "STRICT tables")
    if schema.needs_full_text:
        with closing(sqlite3.connect(":memory:")) as connection:
            if not connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").fetchone():
                raise UnsupportedSqliteError(sqlite3.sqlite_version, "full-text search (FTS5)")


def split_statements(script: str) -> list[str]:
    """Take a script apart, since `executescript` would commit the transaction that a migration runs in."""
    statements, begun = [], ""
    for line in script.splitlines(keepends=True):
        begun += line
        if sqlite3.complete_statement(begun):
            statements.append(begun.strip())
            begun = ""
    return statements
