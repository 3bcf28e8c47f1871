"""Putting what a backup holds in the place of what a store holds."""

import sqlite3
from pathlib import Path

from imprint.adapters.store_purge import StoredPurges, count_purge
from imprint.adapters.store_rows import SOURCE_COLUMNS, source_of
from imprint.adapters.store_wiping import renew_epoch
from imprint.domain.purge import is_excluded, is_key_excluded
from imprint.failpoints import reach

__all__ = ["StoreRestoring"]

_LATE_NUMBERS = 100_000
"""So many numbers may be given out between our reading them and the moment in which a store is replaced."""


class StoreRestoring(StoredPurges):
    """What a store does for a backup and a restore."""

    def purge_excluded(self) -> int:
        with self._write(durable=True) as permit:
            connection, exclusions = permit.connection, permit.exclusions
            rows = connection.execute(f"SELECT {SOURCE_COLUMNS}, s.id FROM sources AS s").fetchall()
            sources = {row[-1]: row[0] for row in rows if is_excluded(source_of(row), exclusions)}
            keys = set(sources.values())
            rows = connection.execute("SELECT source, id FROM facts WHERE source <> ''").fetchall()
            facts = [id for key, id in rows if key in keys or is_key_excluded(key, exclusions)]
            connection.executemany("DELETE FROM sources WHERE id = ?", [(id,) for id in sources])
            connection.executemany("DELETE FROM facts WHERE id = ?", [(id,) for id in facts])
            if sources or facts:
                count_purge(connection)
        reach("store.excluded-purged")
        return len(sources)

    def copy_to(self, path: Path) -> None:
        self._file.copy_to(path)

    def prepare_image(self, live: "StoreRestoring") -> None:
        """Make this store one that may take the place of another: without what is excluded, counting on from there."""
        self.purge_excluded()
        with live._file.read() as connection:
            numbers = connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
            (last,) = connection.execute("SELECT last FROM sequence").fetchone()
        with self._file.write() as connection:
            for name, number in numbers:
                _count_on(connection, name, number + _LATE_NUMBERS)
            connection.execute("UPDATE sequence SET last = max(last, ?)", (last + _LATE_NUMBERS,))
            connection.execute("DELETE FROM generations")
            renew_epoch(connection)
            count_purge(connection)
        self.finish_purges()
        with self._file.write() as connection:
            count_purge(connection, scrubbed=True)  # what the other store leaves behind: its journal, its index files
        self._file.empty_journal()

    def replace_content(self, image: Path) -> None:
        self._file.replace_content(image)


def _count_on(connection: sqlite3.Connection, table: str, number: int) -> None:
    """Let a table give out larger numbers than this one."""
    if not connection.execute("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?", (number, table)).rowcount:
        connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, number))
