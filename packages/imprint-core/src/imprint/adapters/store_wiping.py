"""Emptying a store for good."""

import sqlite3

from imprint.adapters.store_connections import StoreConnection
from imprint.adapters.store_purge import count_purge
from imprint.failpoints import reach

__all__ = ["StoreWiping", "renew_epoch"]

_KEPT = ("meta", "sequence")
"""They say what the store is and how far it has counted, since no number is ever used again."""


class StoreWiping(StoreConnection):
    """What `imprint.protocols.versions.VersionStore` has for a wipe."""

    def wipe(self) -> None:
        """Empty every table whole, which costs by pages and not by rows, in the transaction of one moment.

        What that leaves in free pages goes with the scrub, which is pending then as after a purge.
        """
        with self._file.clearance(), self._write(durable=True) as permit:
            connection = permit.connection
            triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
            for name, _ in triggers:
                connection.execute(f"DROP TRIGGER {name}")
            connection.execute("INSERT INTO full_text (full_text) VALUES ('delete-all')")
            for table in _tables(connection):
                connection.execute(f"DELETE FROM {table}")
            for _, statement in triggers:
                connection.execute(statement)
            renew_epoch(connection)
            count_purge(connection)
        reach("store.wiped")


def _tables(connection: sqlite3.Connection) -> list[str]:
    """All tables but those that are kept and those that SQLite and the full text keep for themselves."""
    rows = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return [name for (name,) in rows if name not in _KEPT and not name.startswith(("sqlite_", "full_text"))]


def renew_epoch(connection: sqlite3.Connection) -> None:
    """Tell what was derived from a store that it is another one now."""
    connection.execute("UPDATE meta SET value = lower(hex(randomblob(8))) WHERE key = 'epoch'")
