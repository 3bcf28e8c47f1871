"""The store: a matrix that follows the feed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy

from imprint.plugins import ChunkId, VectorFeed, VectorHit

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix, Vector

    Ids: TypeAlias = numpy.ndarray[tuple[int], numpy.dtype[numpy.int64]]


class ToyStore:
    """Exact search over every row, by brute force."""

    _epoch: str
    _position: int
    _ids: "Ids"
    _rows: "Matrix"

    def __init__(self, feed: VectorFeed) -> None:
        """Start empty; the first search reads the feed."""
        self._feed = feed
        self._clear()

    def search(self, query: "Vector", limit: int, *, among: Sequence[ChunkId] | None = None) -> list[VectorHit]:
        """The nearest rows, best first."""
        self._catch_up()
        chosen = slice(None) if among is None else numpy.isin(self._ids, among)
        ids, cosines = self._ids[chosen], self._rows[chosen] @ query
        best = numpy.argsort(-cosines, kind="stable")[:limit]
        return [VectorHit(ChunkId(int(ids[index])), float(cosines[index])) for index in best]

    def scores(self, query: "Vector", ids: Sequence[ChunkId]) -> list[VectorHit]:
        """The cosines of the given chunks."""
        return self.search(query, len(ids), among=ids)

    def compact(self) -> bool:
        """There is nothing on disk, so nothing is ever published."""
        return False

    def _catch_up(self) -> None:
        if self._feed.epoch != self._epoch:
            self._clear()
        if self._feed.position() == self._position:
            return
        for batch in self._feed.batches(self._position):
            ids = numpy.concatenate([self._ids, batch.ids])
            rows = numpy.concatenate([self._rows, batch.rows.astype(numpy.float32)])
            kept = ~numpy.isin(ids, batch.removed)
            self._ids, self._rows, self._position = ids[kept], rows[kept], batch.position

    def _clear(self) -> None:
        self._epoch = self._feed.epoch
        self._position = 0
        self._ids = numpy.empty(0, dtype=numpy.int64)
        self._rows = numpy.empty((0, self._feed.model.width), dtype=numpy.float32)
