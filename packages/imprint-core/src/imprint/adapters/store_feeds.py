"""What a vector backend is told of a store."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

from imprint.adapters.sqlite_files import SqliteFile
from imprint.adapters.store_connections import Permit
from imprint.adapters.store_filters import in_list
from imprint.domain.sources import ChunkId
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.vectors import Generation, VectorBatch

__all__ = ["StoreFeed", "find_model"]

_PAGE = 500


def find_model(connection: sqlite3.Connection, model: ModelIdentity) -> int | None:
    """The number a model goes by in this store."""
    found = connection.execute(
        "SELECT id FROM models WHERE name = ? AND digest = ? AND width = ? AND NOT dropped",
        (model.name, model.digest, model.width),
    ).fetchone()
    return None if found is None else int(found[0])


class StoreFeed:
    """Meets `imprint.protocols.vectors.VectorFeed`. Each call, and each batch, reads a snapshot of its own."""

    def __init__(
        self, file: SqliteFile, write: Callable[[], AbstractContextManager[Permit]], model: ModelIdentity
    ) -> None:
        self._file = file
        self._write = write
        self._model = model

    @property
    def model(self) -> ModelIdentity:
        return self._model

    @property
    def epoch(self) -> str:
        """That of the store, and the model's number in it: both are new when what was indexed means nothing more."""
        with self._file.read() as connection:
            return self._epoch(connection)

    def position(self) -> int:
        with self._file.read() as connection:
            return _position(connection)

    def count(self) -> int:
        with self._file.read() as connection:
            (count,) = connection.execute(
                "SELECT count(*) FROM vectors WHERE model = ? AND chunk NOT IN unseen",
                (find_model(connection, self._model),),
            ).fetchone()
        return int(count)

    def batches(self, after: int = 0, *, size: int = 10_000) -> Iterator[VectorBatch]:
        """Reach up to the position there is at the first step; what is removed meanwhile follows with the next call."""
        with_removals = after > 0
        end = self.position()
        while after < end:
            with self._file.read() as connection:
                model_id = find_model(connection, self._model)
                rows = connection.execute(
                    "SELECT seq, chunk, f16 FROM vectors WHERE model = ? AND seq > ? AND seq <= ? "
                    "AND chunk NOT IN unseen ORDER BY seq LIMIT ?",
                    (model_id, after, end, size),
                ).fetchall()
                position = rows[-1][0] if len(rows) == size else end
                removed = (
                    connection.execute(
                        "SELECT chunk FROM tombstones WHERE model = ? AND seq > ? AND seq <= ? ORDER BY seq",
                        (model_id, after, position),
                    ).fetchall()
                    if with_removals
                    else []
                )
            yield self._batch(position, [row[1:] for row in rows], removed)
            after = position

    def rows(self, ids: Sequence[ChunkId]) -> VectorBatch:
        rows: list[tuple[int, bytes]] = []
        with self._file.read() as connection:
            model_id = find_model(connection, self._model)
            for start in range(0, len(ids), _PAGE):
                some = ids[start : start + _PAGE]
                rows += connection.execute(
                    f"SELECT chunk, f16 FROM vectors WHERE chunk {in_list(some)} AND model = ? AND chunk NOT IN unseen",
                    (*map(int, some), model_id),
                )
            position = _position(connection)
        return self._batch(position, rows, [])

    def generation(self, backend: str) -> Generation | None:
        with self._file.read() as connection:
            row = connection.execute(
                "SELECT number, file, digest, position, epoch, rows FROM generations WHERE model = ? AND backend = ?",
                (find_model(connection, self._model), backend),
            ).fetchone()
        if row is None:
            return None
        number, file, digest, position, epoch, rows = row
        return Generation(
            number=number, backend=backend, file=file, digest=digest, position=position, epoch=epoch, rows=rows
        )

    def publish(self, generation: Generation) -> bool:
        with self._write() as permit:
            connection = permit.connection
            model_id = find_model(connection, self._model)
            if model_id is None or generation.epoch != self._epoch(connection):
                return False
            if connection.execute(
                "SELECT 1 FROM tombstones WHERE seq > ? AND model = ? LIMIT 1", (generation.position, model_id)
            ).fetchone():
                return False
            recorded = connection.execute(
                """
                INSERT INTO generations (model, backend, number, file, digest, position, epoch, rows)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (model, backend) DO UPDATE SET number = excluded.number, file = excluded.file,
                    digest = excluded.digest, position = excluded.position, epoch = excluded.epoch, rows = excluded.rows
                WHERE excluded.number > number
                """,
                (
                    model_id,
                    generation.backend,
                    generation.number,
                    generation.file,
                    generation.digest,
                    generation.position,
                    generation.epoch,
                    generation.rows,
                ),
            )
            return recorded.rowcount > 0

    def _epoch(self, connection: sqlite3.Connection) -> str:
        (epoch,) = connection.execute("SELECT value FROM meta WHERE key = 'epoch'").fetchone()
        return f"{epoch}.{find_model(connection, self._model) or 0}"

    def _batch(self, position: int, rows: Sequence[tuple[int, bytes]], removed: Sequence[tuple[Any]]) -> VectorBatch:
        import numpy

        ids = numpy.fromiter((id for id, _ in rows), dtype=numpy.int64, count=len(rows))
        data = numpy.frombuffer(b"".join(blob for _, blob in rows), dtype=numpy.float16)
        gone = numpy.fromiter((id for (id,) in removed), dtype=numpy.int64, count=len(removed))
        return VectorBatch(position, ids, data.reshape(len(rows), self._model.width), gone)


def _position(connection: sqlite3.Connection) -> int:
    (last,) = connection.execute("SELECT last FROM sequence").fetchone()
    return int(last)
