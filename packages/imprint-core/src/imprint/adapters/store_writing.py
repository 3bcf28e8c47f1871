"""Writing the sources of a store: each is replaced whole, and readers see the old version or the new."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress

from imprint.adapters.incoming_sources import IncomingSource, IndexedChunk, group_sources, judge_incoming
from imprint.adapters.store_connections import ROWS_A_TRANSACTION, Permit, StoreConnection
from imprint.adapters.store_rows import chunk_values, passage_values, source_values
from imprint.domain.sources import Source, SourceId, SourceKey
from imprint.domain.times import shift
from imprint.errors import StoreBusyError
from imprint.failpoints import reach
from imprint.protocols.stores import FileState, Replacement
from imprint.protocols.versions import SourceMerge

__all__ = ["SourceWriting", "StagingLostError", "insert_chunks", "retire_sources"]

_STALE_SECONDS = 600
"""A staging that took no step for so long belongs to a process that is gone."""

_STAGING_ATTEMPTS = 3


class StagingLostError(Exception):
    """Somebody swept or purged what was being staged."""


class SourceWriting(StoreConnection):
    """What `imprint.protocols.stores.SourceStore` writes."""

    def replace_source(self, source: Source, chunks: Sequence[IndexedChunk]) -> Replacement:
        return self.replace_sources([(source, chunks)])[0]

    def replace_sources(self, batch: Sequence[tuple[Source, Sequence[IndexedChunk]]]) -> list[Replacement]:
        return [merge.outcome for merge in self._write_sources([IncomingSource(*one) for one in batch])]

    def _write_sources(self, batch: Sequence[IncomingSource]) -> list[SourceMerge]:
        results: list[SourceMerge] = []
        for group in group_sources(batch):
            if len(group) == 1 and len(group[0].chunks) > ROWS_A_TRANSACTION:
                results.append(self._write_large(group[0]))
            else:
                results.extend(self._write_small(group))
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
                removed += len(retire_sources(permit.connection, some))
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
            reach("sweep.advanced")

    def _write_small(self, group: Sequence[IncomingSource]) -> list[SourceMerge]:
        with self._write_bulk(durable=any(one.durable for one in group)) as permit:
            verdicts = [judge_incoming(permit, one) for one in group]
            allowed = [one for one, verdict in zip(group, verdicts, strict=True) if verdict is None]
            replaced = retire_sources(permit.connection, [one.source.key for one in allowed])
            numbers: dict[SourceKey, SourceId] = {}
            for one in allowed:
                id = self._insert_source(permit.connection, one, state="live")
                insert_chunks(permit.connection, id, 0, one.chunks)
                numbers[one.source.key] = SourceId(id)
        if replaced:
            self.sweep()
        return [
            SourceMerge(verdict, None)
            if verdict is not None
            else SourceMerge(
                Replacement.CHANGED if one.source.key in replaced else Replacement.ADDED, numbers[one.source.key]
            )
            for one, verdict in zip(group, verdicts, strict=True)
        ]

    def _write_large(self, incoming: IncomingSource) -> SourceMerge:
        for _ in range(_STAGING_ATTEMPTS):
            with self._write_bulk() as permit:
                if (verdict := judge_incoming(permit, incoming)) is not None:
                    return SourceMerge(verdict, None)
                id = self._insert_source(permit.connection, incoming, state="staged")
            reach("staging.begun")
            with suppress(StagingLostError), ExitStack() as undo:
                undo.callback(self._abandon, id)
                for start in range(0, len(incoming.chunks), ROWS_A_TRANSACTION):
                    some = incoming.chunks[start : start + ROWS_A_TRANSACTION]
                    with self._write_bulk() as permit:
                        self._advance_staging(permit.connection, id, "staged")
                        insert_chunks(permit.connection, id, start, some)
                    reach("staging.advanced")
                with self._write_bulk(durable=incoming.durable) as permit:
                    outcome = self._flip(permit, id, incoming)
                reach("staging.flipped")
                undo.pop_all()
                self.sweep()
                return outcome
        raise StoreBusyError(str(self._file.path))

    def _insert_source(self, connection: sqlite3.Connection, incoming: IncomingSource, *, state: str) -> int:
        indexed_at = incoming.indexed_at if state == "live" else ""
        cursor = connection.execute(
            "INSERT INTO sources (key, kind, path, origin, project, language, url, title, memory_kind, mtime_ns, size, "
            "digest, time, state, indexed_at, chunks) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*source_values(incoming.source), state, indexed_at or self._clock.now(), len(incoming.chunks)),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _flip(self, permit: Permit, id: int, incoming: IncomingSource) -> SourceMerge:
        """Make a staged version the live one."""
        if (verdict := judge_incoming(permit, incoming)) is not None:
            self._advance_staging(permit.connection, id, "dropped")
            return SourceMerge(verdict, None)
        replaced = retire_sources(permit.connection, [incoming.source.key])
        self._advance_staging(permit.connection, id, "live", indexed_at=incoming.indexed_at)
        return SourceMerge(Replacement.CHANGED if replaced else Replacement.ADDED, SourceId(id))

    def _advance_staging(self, connection: sqlite3.Connection, id: int, state: str, *, indexed_at: str = "") -> None:
        updated = connection.execute(
            "UPDATE sources SET state = ?, indexed_at = ? WHERE id = ? AND state = 'staged'",
            (state, indexed_at or self._clock.now(), id),
        )
        if not updated.rowcount:
            raise StagingLostError

    def _abandon(self, id: int) -> None:
        """Give a staging up at once, where that is still possible; else it is swept when it is stale."""
        with self._file.write(durable=False) as connection:
            connection.execute("UPDATE sources SET state = 'dropped' WHERE id = ? AND state = 'staged'", (id,))


def retire_sources(connection: sqlite3.Connection, keys: Sequence[SourceKey]) -> set[SourceKey]:
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


def insert_chunks(
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
    passages = [(first_id + offset, *passage_values(*indexed)) for offset, indexed in enumerate(chunks)]
    for table, key in (("passages", "chunk"), ("full_text", "rowid")):
        connection.executemany(
            f"INSERT INTO {table} ({key}, text, words, names, place, context) VALUES (?, ?, ?, ?, ?, ?)", passages
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
