"""Taking in what comes from another store, and giving away what goes to one."""

import sqlite3
from collections.abc import Mapping, Sequence

import attrs

from imprint.adapters.incoming_sources import IncomingSource
from imprint.adapters.store_connections import ROWS_A_TRANSACTION
from imprint.adapters.store_facts import FACT_COLUMNS, fact_of
from imprint.adapters.store_filters import in_list
from imprint.adapters.store_rows import SOURCE_COLUMNS, source_of
from imprint.adapters.store_snapshots import read_chunks, read_vectors
from imprint.adapters.store_vectors import insert_vectors, read_models
from imprint.adapters.store_writing import SourceWriting
from imprint.domain.facts import Fact
from imprint.domain.identifiers import index_text
from imprint.domain.purge import is_key_excluded
from imprint.domain.sources import ChunkId, SourceId, SourceKey
from imprint.domain.versions import FactVersion, SourceVersion
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.versions import CopiedSource, FactMerge, SourceMerge

__all__ = ["VersionMerging"]


class VersionMerging(SourceWriting):
    """What `imprint.protocols.versions.VersionStore` writes, and copies source by source."""

    def merge_sources(self, versions: Sequence[SourceVersion]) -> list[SourceMerge]:
        return self._write_sources(
            [
                IncomingSource(
                    version.source,
                    [(chunk, index_text(chunk, version.source)) for chunk in version.chunks],
                    version.indexed_at,
                )
                for version in versions
            ]
        )

    def merge_vectors(self, model: ModelIdentity, rows: Mapping[SourceId, Mapping[int, bytes]]) -> int:
        places = [(number, place) for number, row in sorted(rows.items()) for place in sorted(row)]
        added = 0
        for start in range(0, len(places), ROWS_A_TRANSACTION):
            some = places[start : start + ROWS_A_TRANSACTION]
            numbers = sorted({number for number, _ in some})
            with self._write_bulk() as permit:
                chunks = permit.connection.execute(
                    f"SELECT source, ordinal, id FROM chunks WHERE source {in_list(numbers)} AND "
                    "(source > ? OR ordinal >= ?) AND (source < ? OR ordinal <= ?)",
                    (*numbers, *some[0], *some[-1]),
                ).fetchall()
                wanted = set(some)
                blobs = {
                    ChunkId(id): _known(rows[number][place])
                    for number, place, id in chunks
                    if (number, place) in wanted
                }
                if blobs:
                    added += insert_vectors(permit.connection, model, blobs)
        return added

    def merge_facts(self, facts: Sequence[FactVersion]) -> FactMerge:
        added = ended = known = excluded = 0
        for start in range(0, len(facts), ROWS_A_TRANSACTION):
            with self._write_bulk(durable=True) as permit:
                for version in facts[start : start + ROWS_A_TRANSACTION]:
                    if version.fact.source and is_key_excluded(version.fact.source, permit.exclusions):
                        excluded += 1
                    elif _is_known(permit.connection, version):
                        known += 1
                    elif _end_known(permit.connection, version):
                        ended += 1
                    else:
                        _insert_fact(permit.connection, version)
                        added += 1
        return FactMerge(added=added, ended=ended, known=known, excluded=excluded)

    def copy_sources(self, keys: Sequence[SourceKey]) -> list[CopiedSource]:
        with self._file.read() as connection:
            models = read_models(connection)
            copies = []
            for key in keys:
                row = connection.execute(
                    f"SELECT {SOURCE_COLUMNS}, s.id, s.indexed_at FROM sources AS s "
                    "WHERE s.key = ? AND s.state = 'live'",
                    (key,),
                ).fetchone()
                if row is None:
                    continue
                *_, id, indexed_at = row
                version = SourceVersion(
                    source=source_of(row), indexed_at=indexed_at, chunks=tuple(read_chunks(connection, id))
                )
                vectors = {model: found for model in models if (found := read_vectors(connection, id, model)[0])}
                copies.append(
                    CopiedSource(
                        number=SourceId(id), version=version, vectors=vectors, facts=_facts_of(connection, key)
                    )
                )
            return copies

    def remove_copied(self, copies: Sequence[CopiedSource]) -> frozenset[SourceKey]:
        """A source that was replaced or has grown since, or whose facts changed, stays as it is."""
        removed: set[SourceKey] = set()
        with self._write_bulk(durable=True) as permit:
            connection = permit.connection
            for copy in copies:
                key = copy.version.source.key
                found = connection.execute(
                    "SELECT 1 FROM sources WHERE id = ? AND state = 'live' AND chunks = ?",
                    (copy.number, len(copy.version.chunks)),
                ).fetchone()
                if found is None or _facts_of(connection, key) != copy.facts:
                    continue
                if len(copy.version.chunks) > ROWS_A_TRANSACTION:
                    connection.execute("UPDATE sources SET state = 'dropped' WHERE id = ?", (copy.number,))
                else:
                    connection.execute("DELETE FROM sources WHERE id = ?", (copy.number,))
                connection.execute("DELETE FROM facts WHERE source = ? AND source <> ''", (key,))
                removed.add(key)
        self.sweep()
        return frozenset(removed)


def _known(row: bytes) -> bytes | None:
    """A row, unless it says that the model knows nothing of the text."""
    return row if row.strip(b"\0") else None


def _facts_of(connection: sqlite3.Connection, key: SourceKey) -> tuple[Fact, ...]:
    rows = connection.execute(f"SELECT {FACT_COLUMNS} FROM facts WHERE source = ? AND source <> '' ORDER BY id", (key,))
    return tuple(fact_of(row) for row in rows)


def _is_known(connection: sqlite3.Connection, version: FactVersion) -> bool:
    """Whether the very fact is here, or has ended here earlier than it has there."""
    fact = version.fact
    return (
        connection.execute(
            "SELECT 1 FROM facts WHERE subject = ? AND predicate = ? AND object = ? AND source = ? AND valid_from = ? "
            "AND (valid_until = ? OR (recorded_at = ? AND valid_until <> '' AND (? = '' OR valid_until < ?))) LIMIT 1",
            (
                fact.subject,
                fact.predicate,
                fact.object,
                fact.source,
                fact.valid_from,
                fact.valid_until,
                version.recorded_at,
                fact.valid_until,
                fact.valid_until,
            ),
        ).fetchone()
        is not None
    )


def _end_known(connection: sqlite3.Connection, version: FactVersion) -> bool:
    """End a fact that was recorded once, travelled, and has ended there; whether there was one."""
    fact = version.fact
    if not fact.valid_until:
        return False
    return (
        connection.execute(
            "UPDATE facts SET valid_until = ? WHERE subject = ? AND predicate = ? AND object = ? AND source = ? "
            "AND valid_from = ? AND recorded_at = ? AND (valid_until = '' OR valid_until > ?)",
            (
                fact.valid_until,
                fact.subject,
                fact.predicate,
                fact.object,
                fact.source,
                fact.valid_from,
                version.recorded_at,
                fact.valid_until,
            ),
        ).rowcount
        > 0
    )


def _insert_fact(connection: sqlite3.Connection, version: FactVersion) -> None:
    connection.execute(
        "INSERT INTO facts (subject, predicate, object, valid_from, valid_until, source, recorded_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*attrs.astuple(version.fact), version.recorded_at),
    )
