"""Writing the sources of a store: each is replaced whole, and readers see the old version or the new."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from typing import TypeAlias

from imprint.adapters.store_connections import ROWS_A_TRANSACTION, Permit, StoreConnection
from imprint.adapters.store_rows import chunk_values, passage_values, source_values
from imprint.domain.indexing import IndexedText
from imprint.domain.purge import is_excluded
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind
from imprint.domain.times import shift
from imprint.errors import StoreBusyError
from imprint.protocols.stores import FileState, Replacement

__all__ = ["SourceWriting"]

IndexedChunk: TypeAlias = tuple[Chunk, IndexedText]

_STALE_SECONDS = 600
"""A staging that took no step for so long belongs to a process that is gone."""

_STAGING_ATTEMPTS = 3


class _StagingLostError(Exception):
    """Somebody swept or purged what was being staged."""


class SourceWriting(StoreConnection):
    """What `imprint.protocols.stores.SourceStore` writes."""

    def replace_source(self, source: Source, chunks: Sequence[IndexedChunk]) -> Replacement:
        return self.replace_sources([(source, chunks)])[0]

    def replace_sources(self, batch: Sequence[tuple[Source, Sequence[IndexedChunk]]]) -> list[Replacement]:
        results: list[Replacement] = []
        for group in _groups(batch):
            if len(group) == 1 and len(group[0][1]) > ROWS_A_TRANSACTION:
                results.append(self._replace_large(*group[0]))
            else:
                results.extend(self._replace_small(group))
        return results

    def touch_source(self, key: SourceKey, state: FileState) -> None:
        self.touch_sources({key: state})

    def touch_sources(self, states: Mapping[SourceKey, FileState]) -> None:
        rows = [(state.mtime_ns, state.size, state.digest, key) for key, state in states.items()]
        for start in range(0, len(rows), ROWS_A_TRANSACTION):
            with self._write_bulk() as permit:
                permit.connection.executemany(
                    "UPDATE sources SET mtime_ns = ?, size = ?, digest = ? WHERE key = ? AND state = 'live'",
                    rows[start : start + ROWS_A_TRANSACTION],
                )

    def remove_sources(self, keys: Iterable[SourceKey]) -> int:
        removed = 0
        remaining = list(dict.fromkeys(keys))
        while remaining:
            some, remaining = remaining[:ROWS_A_TRANSACTION], remaining[ROWS_A_TRANSACTION:]
            with self._write_bulk(durable=True) as permit:
                removed += len(_retire(permit.connection, some))
        self.sweep()
        return removed

    def sweep(self) -> None:
        """Delete what no reader sees: versions that were replaced, and stagings that nobody works on any more."""
        stale = shift(self._clock.now(), seconds=-_STALE_SECONDS)
        while True:
            with self._file.read() as connection:
                if not connection.execute(
                    "SELECT 1 FROM sources WHERE state <> 'live' AND (state = 'dropped' OR indexed_at < ?)", (stale,)
                ).fetchone():
                    return
            with self._write_bulk() as permit:
                _sweep_some(permit.connection, stale)

    def _replace_small(self, group: Sequence[tuple[Source, Sequence[IndexedChunk]]]) -> list[Replacement]:
        durable = any(source.kind is SourceKind.MEMORY for source, _ in group)
        with self._write_bulk(durable=durable) as permit:
            allowed = [source.key for source, _ in group if not is_excluded(source, permit.exclusions)]
            replaced = _retire(permit.connection, allowed)
            for source, chunks in group:
                if source.key in allowed:
                    id = self._insert_source(permit.connection, source, len(chunks), state="live")
                    _insert_chunks(permit.connection, id, 0, chunks)
        if replaced:
            self.sweep()
        return [
            Replacement.EXCLUDED
            if source.key not in allowed
            else Replacement.CHANGED
            if source.key in replaced
            else Replacement.ADDED
            for source, _ in group
        ]

    def _replace_large(self, source: Source, chunks: Sequence[IndexedChunk]) -> Replacement:
        for _ in range(_STAGING_ATTEMPTS):
            with self._write_bulk() as permit:
                if is_excluded(source, permit.exclusions):
                    return Replacement.EXCLUDED
                id = self._insert_source(permit.connection, source, len(chunks), state="staged")
            with suppress(_StagingLostError), ExitStack() as undo:
                undo.callback(self._abandon, id)
                for start in range(0, len(chunks), ROWS_A_TRANSACTION):
                    some = chunks[start : start + ROWS_A_TRANSACTION]
                    with self._write_bulk() as permit:
                        self._advance_staging(permit.connection, id, "staged")
                        _insert_chunks(permit.connection, id, start, some)
                with self._write_bulk(durable=source.kind is SourceKind.MEMORY) as permit:
                    outcome = self._flip(permit, id, source)
                undo.pop_all()
                self.sweep()
                return outcome
        raise StoreBusyError(str(self._file.path))

    def _insert_source(self, connection: sqlite3.Connection, source: Source, chunks: int, *, state: str) -> int:
        cursor = connection.execute(
            "INSERT INTO sources (key, kind, path, origin, project, language, url, title, memory_kind, mtime_ns, size, "
            "digest, time, state, indexed_at, chunks) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*source_values(source), state, self._clock.now(), chunks),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _flip(self, permit: Permit, id: int, source: Source) -> Replacement:
        """Make a staged version the live one."""
        if is_excluded(source, permit.exclusions):
            self._advance_staging(permit.connection, id, "dropped")
            return Replacement.EXCLUDED
        replaced = _retire(permit.connection, [source.key])
        self._advance_staging(permit.connection, id, "live")
        return Replacement.CHANGED if replaced else Replacement.ADDED

    def _advance_staging(self, connection: sqlite3.Connection, id: int, state: str) -> None:
        updated = connection.execute(
            "UPDATE sources SET state = ?, indexed_at = ? WHERE id = ? AND state = 'staged'",
            (state, self._clock.now(), id),
        )
        if not updated.rowcount:
            raise _StagingLostError

    def _abandon(self, id: int) -> None:
        """Give a staging up at once, where that is still possible; else it is swept when it is stale."""
        with self._file.write(durable=False) as connection:
            connection.execute("UPDATE sources SET state = 'dropped' WHERE id = ? AND state = 'staged'", (id,))


def _groups(
    batch: Sequence[tuple[Source, Sequence[IndexedChunk]]],
) -> Iterator[list[tuple[Source, Sequence[IndexedChunk]]]]:
    """Small sources together up to the rows of one transaction, no key twice; a large one alone."""
    group: list[tuple[Source, Sequence[IndexedChunk]]] = []
    keys: set[SourceKey] = set()
    rows = 0
    for source, chunks in batch:
        if group and (rows + len(chunks) > ROWS_A_TRANSACTION or source.key in keys):
            yield group
            group, keys, rows = [], set(), 0
        group.append((source, chunks))
        keys.add(source.key)
        rows += max(len(chunks), 1)
    if group:
        yield group


def _retire(connection: sqlite3.Connection, keys: Sequence[SourceKey]) -> set[SourceKey]:
    """Take live versions away: a few rows at once, more by dropping them for the sweep. The keys there were."""
    retired: set[SourceKey] = set()
    rows = 0
    for key in keys:
        found = connection.execute("SELECT id, chunks FROM sources WHERE key = ? AND state = 'live'", (key,)).fetchone()
        if found is None:
            continue
        id, chunks = found
        rows += chunks
        if rows <= ROWS_A_TRANSACTION:
            connection.execute("DELETE FROM sources WHERE id = ?", (id,))
        else:
            connection.execute("UPDATE sources SET state = 'dropped' WHERE id = ?", (id,))
        retired.add(key)
    return retired


def _insert_chunks(
    connection: sqlite3.Connection, source_id: int, first_ordinal: int, chunks: Sequence[IndexedChunk]
) -> None:
    found = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'").fetchone()
    first_id = (found[0] if found else 0) + 1
    connection.executemany(
        "INSERT INTO chunks (id, source, ordinal, start_line, end_line, symbol, role, time) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (first_id + offset, *chunk_values(source_id, first_ordinal + offset, chunk))
            for offset, (chunk, _) in enumerate(chunks)
        ),
    )
    connection.executemany(
        "INSERT INTO passages (chunk, text, words, names, place, context) VALUES (?, ?, ?, ?, ?, ?)",
        ((first_id + offset, *passage_values(*indexed)) for offset, indexed in enumerate(chunks)),
    )


def _sweep_some(connection: sqlite3.Connection, stale: str) -> None:
    connection.execute(
        "UPDATE sources SET state = 'dropped' WHERE state <> 'live' AND state = 'staged' AND indexed_at < ?", (stale,)
    )
    found = connection.execute("SELECT id FROM sources WHERE state <> 'live' AND state = 'dropped' LIMIT 1").fetchone()
    if found is None:
        return
    swept = connection.execute(
        "DELETE FROM chunks WHERE id IN (SELECT id FROM chunks WHERE source = ? LIMIT ?)", (*found, ROWS_A_TRANSACTION)
    )
    if swept.rowcount < ROWS_A_TRANSACTION:
        connection.execute("DELETE FROM sources WHERE id = ?", found)
