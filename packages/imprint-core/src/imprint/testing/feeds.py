"""A vector feed in memory: what a store gives a vector backend, for tests."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy

from imprint.plugins import ChunkId, Generation, ModelIdentity, VectorBatch

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix

__all__ = ["FakeFeed"]


class FakeFeed:
    """Holds the vectors of one model, and the order in which they came and went."""

    def __init__(self, width: int = 32) -> None:
        """Make an empty feed of rows of so many dimensions."""
        self.model = ModelIdentity("fake", "0" * 32, width)
        self.epoch = "epoch-1"
        self.refuses_generations = False
        self._rows: dict[int, numpy.ndarray[tuple[int], numpy.dtype[numpy.float16]]] = {}
        self._added: dict[int, int] = {}
        self._removed: dict[int, int] = {}
        self._position = 0
        self._generations: dict[str, Generation] = {}

    def add(self, ids: Iterable[int], rows: "Matrix") -> None:
        """Add vectors; each row is a change of its own."""
        for id, row in zip(ids, rows, strict=True):
            self._position += 1
            self._rows[id] = row.astype(numpy.float16)
            self._added[id] = self._position

    def remove(self, ids: Iterable[int]) -> None:
        """Remove vectors; each is a change of its own."""
        for id in ids:
            self._position += 1
            del self._rows[id]
            self._removed[id] = self._position

    def restore(self, ids: Sequence[int], rows: "Matrix") -> None:
        """Put other contents in place, as restoring a backup does: a new epoch, and positions that start anew."""
        self.epoch = f"epoch-{int(self.epoch.rpartition('-')[2]) + 1}"
        self._rows, self._added, self._removed, self._position = {}, {}, {}, 0
        self.add(ids, rows)

    def position(self) -> int:
        """The number of changes so far."""
        return self._position

    def count(self) -> int:
        """Number of live vectors."""
        return len(self._rows)

    def batches(self, after: int = 0, *, size: int = 10_000) -> Iterator[VectorBatch]:
        """Changes after a position; from 0 the live rows only."""
        changes = [(position, id, True) for id, position in self._added.items() if id in self._rows]
        if after:
            changes += [(position, id, False) for id, position in self._removed.items()]
        changes = sorted(change for change in changes if change[0] > after)
        while after < self._position:
            part, changes = changes[:size], changes[size:]
            after = part[-1][0] if changes else self._position
            yield self._batch(
                after, [id for _, id, is_new in part if is_new], [id for _, id, is_new in part if not is_new]
            )

    def rows(self, ids: Sequence[ChunkId]) -> VectorBatch:
        """The live rows among these."""
        return self._batch(self._position, [id for id in ids if id in self._rows], [])

    def generation(self, backend: str) -> Generation | None:
        """The newest one published."""
        return self._generations.get(backend)

    def publish(self, generation: Generation) -> bool:
        """Record it, unless the store was restored, a vector removed, or a newer one published since it was made."""
        newest_removal = max(self._removed.values(), default=0)
        known = self._generations.get(generation.backend)
        if (
            self.refuses_generations
            or generation.epoch != self.epoch
            or newest_removal > generation.position
            or (known is not None and known.number >= generation.number)
        ):
            return False
        self._generations[generation.backend] = generation
        return True

    def _batch(self, position: int, ids: Sequence[int], removed: Sequence[int]) -> VectorBatch:
        rows = numpy.zeros((len(ids), self.model.width), dtype=numpy.float16)
        for row, id in zip(rows, ids, strict=True):
            row[:] = self._rows[id]
        return VectorBatch(
            position=position,
            ids=numpy.array(ids, dtype=numpy.int64),
            rows=rows,
            removed=numpy.array(removed, dtype=numpy.int64),
        )
