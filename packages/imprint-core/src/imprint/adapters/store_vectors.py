"""The vectors of a store: half floats, one row a chunk and model, in one growing sequence with what was removed."""

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from imprint.adapters.store_connections import ROWS_A_TRANSACTION, StoreConnection
from imprint.adapters.store_feeds import StoreFeed, find_model
from imprint.adapters.store_filters import in_list
from imprint.adapters.store_rows import CHUNK_COLUMNS, chunk_row, sources_of
from imprint.domain.sources import ChunkId
from imprint.errors import InvalidVectorsError
from imprint.failpoints import reach
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.stores import PendingChunk
from imprint.protocols.vectors import VectorFeed

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix

__all__ = ["StoredVectors", "insert_vectors", "read_models"]


_IS_PENDING = """
c.id NOT IN unseen
AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.chunk = c.id AND v.model = :model)
AND NOT EXISTS (SELECT 1 FROM vectorless AS v WHERE v.chunk = c.id AND v.model = :model)
"""
"""Of ``chunks AS c``."""


class StoredVectors(StoreConnection):
    """Meets `imprint.protocols.stores.VectorStore`."""

    def pending(self, model: ModelIdentity, *, after: ChunkId, limit: int) -> list[PendingChunk]:
        with self._file.read() as connection:
            rows = connection.execute(
                f"""
                SELECT {CHUNK_COLUMNS}
                FROM chunks AS c CROSS JOIN sources AS s ON s.id = c.source CROSS JOIN passages AS p ON p.chunk = c.id
                WHERE c.id > :after AND {_IS_PENDING} ORDER BY c.id LIMIT :limit
                """,
                {"after": after, "model": find_model(connection, model), "limit": limit},
            ).fetchall()
        pending = []
        for row, source in zip(rows, sources_of(rows), strict=True):
            id, _, chunk = chunk_row(row)
            pending.append(PendingChunk(id, chunk, source))
        return pending

    def pending_bytes(self, model: ModelIdentity) -> int:
        with self._file.read() as connection:
            (size,) = connection.execute(
                "SELECT total(length(CAST(p.text AS BLOB))) "
                f"FROM chunks AS c CROSS JOIN passages AS p ON p.chunk = c.id WHERE {_IS_PENDING}",
                {"model": find_model(connection, model)},
            ).fetchone()
        return int(size)

    def add_vectors(self, model: ModelIdentity, ids: Sequence[ChunkId], rows: "Matrix") -> int:
        import numpy

        if rows.shape != (len(ids), model.width):
            raise InvalidVectorsError(model.name, f"shape {rows.shape} instead of {(len(ids), model.width)}")
        if not numpy.isfinite(rows).all():
            raise InvalidVectorsError(model.name, "not every number is finite")
        halves = rows.astype(numpy.float16)
        blobs = [row.tobytes() if row.any() else None for row in halves]
        added = 0
        for start in range(0, len(ids), ROWS_A_TRANSACTION):
            stretch = slice(start, start + ROWS_A_TRANSACTION)
            with self._write_bulk() as permit:
                added += insert_vectors(permit.connection, model, dict(zip(ids[stretch], blobs[stretch], strict=True)))
            reach("vectors.added")
        return added

    def known_models(self) -> tuple[ModelIdentity, ...]:
        with self._file.read() as connection:
            return read_models(connection)

    def models(self) -> dict[ModelIdentity, int]:
        with self._file.read() as connection:
            rows = connection.execute(
                "SELECT name, digest, width, (SELECT count(*) FROM vectors WHERE model = models.id) "
                "FROM models WHERE NOT dropped ORDER BY id"
            ).fetchall()
        return {ModelIdentity(name, digest, width): count for name, digest, width, count in rows if count}

    def drop_other_models(self, keep: ModelIdentity) -> int:
        """Dropped models are out of sight at once; their rows follow in small transactions, after a crash by any call.

        A model that comes back later is a new one to its feed, with an epoch of its own.
        """
        others = "(dropped OR (name, digest, width) <> (?, ?, ?))"
        kept = (keep.name, keep.digest, keep.width)
        with self._file.read() as connection:
            if not connection.execute(f"SELECT 1 FROM models WHERE {others}", kept).fetchone():
                return 0
        with self._write_bulk() as permit:
            permit.connection.execute(f"UPDATE models SET dropped = 1 WHERE NOT dropped AND {others}", kept)
        reach("models.dropped")
        removed = 0
        while True:
            with self._write_bulk() as permit:
                found = permit.connection.execute("SELECT id FROM models WHERE dropped LIMIT 1").fetchone()
                if found is None:
                    return removed
                removed += _remove_some(permit.connection, *found)

    def feed(self, model: ModelIdentity) -> VectorFeed:
        return StoreFeed(self._file, self._write_bulk, model)


def read_models(connection: sqlite3.Connection) -> tuple[ModelIdentity, ...]:
    """The models that texts of a store were given to."""
    rows = connection.execute("SELECT name, digest, width FROM models WHERE NOT dropped ORDER BY id")
    return tuple(ModelIdentity(*row) for row in rows)


def insert_vectors(connection: sqlite3.Connection, model: ModelIdentity, blobs: dict[ChunkId, bytes | None]) -> int:
    """Store half floats of those chunks that are there and have none of this model; `None`: it knows nothing of one."""
    model_id = find_model(connection, model)
    if model_id is None:
        model_id = connection.execute(
            "INSERT INTO models (name, digest, width) VALUES (?, ?, ?)", (model.name, model.digest, model.width)
        ).lastrowid
    wanted = connection.execute(
        f"""
        SELECT c.id FROM chunks AS c
        WHERE c.id {in_list(list(blobs))} AND c.id NOT IN unseen
        AND NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.chunk = c.id AND v.model = ?)
        ORDER BY c.id
        """,
        (*blobs, model_id),
    ).fetchall()
    found = [(id, blob) for (id,) in wanted if (blob := blobs[id]) is not None]
    (last,) = connection.execute("SELECT last FROM sequence").fetchone()
    connection.executemany(
        "INSERT INTO vectors (seq, chunk, model, f16) VALUES (?, ?, ?, ?)",
        ((seq, id, model_id, blob) for seq, (id, blob) in enumerate(found, start=last + 1)),
    )
    connection.execute("UPDATE sequence SET last = last + ?", (len(found),))
    connection.executemany(
        "INSERT OR IGNORE INTO vectorless (chunk, model) VALUES (?, ?)",
        ((id, model_id) for (id,) in wanted if blobs[id] is None),
    )
    return len(found)


def _remove_some(connection: sqlite3.Connection, model_id: int) -> int:
    """Remove some of a dropped model's vectors, and with the last ones the model itself."""
    removed = connection.execute(
        "DELETE FROM vectors WHERE seq IN (SELECT seq FROM vectors WHERE model = ? LIMIT ?)",
        (model_id, ROWS_A_TRANSACTION),
    ).rowcount
    if removed < ROWS_A_TRANSACTION:
        for table in ("vectorless", "tombstones", "generations"):
            connection.execute(f"DELETE FROM {table} WHERE model = ?", (model_id,))
        connection.execute("DELETE FROM models WHERE id = ?", (model_id,))
    return removed
