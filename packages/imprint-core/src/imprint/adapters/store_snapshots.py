"""All that a store holds at one moment, read while others write."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from imprint.adapters.store_connections import StoreConnection
from imprint.adapters.store_facts import FACT_COLUMNS, fact_of
from imprint.adapters.store_feeds import find_model
from imprint.adapters.store_rows import SOURCE_COLUMNS, source_of
from imprint.adapters.store_schema import STORE_SCHEMA
from imprint.adapters.store_vectors import read_models
from imprint.domain.purge import Exclusion, is_excluded, is_key_excluded
from imprint.domain.sources import Chunk
from imprint.domain.versions import FactVersion, SourceVersion, without_number
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.versions import StoreSnapshot

__all__ = ["SnapshotReading", "read_chunks", "read_vectors"]


class SnapshotReading(StoreConnection):
    """What `imprint.protocols.versions.VersionStore` reads of the whole store."""

    @contextmanager
    def snapshot(self) -> Iterator[StoreSnapshot]:
        exclusions = self._registry.exclusions(self._workspace)
        with self._file.read() as connection:
            connection.execute("SELECT 1 FROM meta LIMIT 1").fetchone()  # The snapshot is that of the first read.
            yield _Snapshot(connection, exclusions)


class _Snapshot:
    """Meets `imprint.protocols.versions.StoreSnapshot`."""

    def __init__(self, connection: sqlite3.Connection, exclusions: Sequence[Exclusion]) -> None:
        self._connection = connection
        self._exclusions = exclusions

    @property
    def schema(self) -> int:
        return STORE_SCHEMA.version

    def sources(self) -> Iterator[SourceVersion]:
        for id, row in self._rows():
            yield SourceVersion(
                source=source_of(row), indexed_at=row[-1], chunks=tuple(read_chunks(self._connection, id))
            )

    def facts(self) -> Iterator[FactVersion]:
        for row in self._connection.execute(f"SELECT {FACT_COLUMNS} FROM facts ORDER BY id"):
            fact = fact_of(row)
            if not (fact.source and is_key_excluded(fact.source, self._exclusions)):
                yield without_number(fact)

    def models(self) -> tuple[ModelIdentity, ...]:
        return read_models(self._connection)

    def vectors(self, model: ModelIdentity) -> Iterator[tuple[int, bytes]]:
        first = 0
        for id, _ in self._rows():
            rows, chunks = read_vectors(self._connection, id, model)
            for place, row in rows.items():
                yield first + place, row
            first += chunks

    def _rows(self) -> Iterator[tuple[int, tuple[Any, ...]]]:
        for id, *row in self._connection.execute(
            f"SELECT s.id, {SOURCE_COLUMNS}, s.indexed_at FROM sources AS s WHERE s.state = 'live' ORDER BY s.key"
        ):
            if not is_excluded(source_of(tuple(row)), self._exclusions):
                yield id, tuple(row)


def read_chunks(connection: sqlite3.Connection, source: int) -> Iterator[Chunk]:
    """The chunks of a version, in order."""
    for text, start_line, end_line, symbol, role, time, context in connection.execute(
        "SELECT p.text, c.start_line, c.end_line, c.symbol, c.role, c.time, p.context "
        "FROM chunks AS c CROSS JOIN passages AS p ON p.chunk = c.id WHERE c.source = ? ORDER BY c.ordinal",
        (source,),
    ):
        yield Chunk(
            text=text,
            start_line=start_line,
            end_line=end_line,
            symbol=symbol,
            role=role,
            time=time,
            context=context,
        )


def read_vectors(connection: sqlite3.Connection, source: int, model: ModelIdentity) -> tuple[dict[int, bytes], int]:
    """What a model has said of a version's chunks, by their places (zeros: that it knows nothing), and their number."""
    model_id = find_model(connection, model)
    found = connection.execute(
        "SELECT v.f16, n.chunk FROM chunks AS c LEFT JOIN vectors AS v ON v.chunk = c.id AND v.model = ? "
        "LEFT JOIN vectorless AS n ON n.chunk = c.id AND n.model = ? WHERE c.source = ? ORDER BY c.ordinal",
        (model_id, model_id, source),
    ).fetchall()
    rows = {
        place: f16 if f16 is not None else bytes(2 * model.width)
        for place, (f16, without) in enumerate(found)
        if f16 is not None or without is not None
    }
    return rows, len(found)
