"""Vector backends: derived, rebuildable indexes over the vectors that the store holds.

The store is the truth. A backend is given a `VectorFeed` of one workspace and one model, catches up with its changes,
and answers searches. Whatever it keeps on disk lies in a folder of its own, may be deleted at any time, and its hits
are checked against the store before anyone sees them.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import attrs

from imprint.domain.sources import ChunkId
from imprint.protocols.embedders import ModelIdentity

if TYPE_CHECKING:
    import numpy

    from imprint.protocols.embedders import Vector

__all__ = [
    "Generation",
    "IndexNotice",
    "SupportsNotices",
    "VectorBackend",
    "VectorBackendSettings",
    "VectorBatch",
    "VectorFeed",
    "VectorHit",
]


@attrs.frozen(eq=False)
class VectorBatch:
    """A stretch of the feed: rows that appeared and ids that went, up to a position.

    Attributes:
        position: The sequence number this batch reaches.
        ids: int64 chunk ids, one a row of ``rows``.
        rows: float16 matrix, rows of length 1.
        removed: int64 chunk ids whose vectors are gone; an id is never used again.
    """

    position: int
    ids: "numpy.ndarray[tuple[int], numpy.dtype[numpy.int64]]"
    rows: "numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float16]]"
    removed: "numpy.ndarray[tuple[int], numpy.dtype[numpy.int64]]"


@attrs.frozen(kw_only=True)
class Generation:
    """A published immutable file of a derived index, recorded in the store.

    Attributes:
        number: Grows with every publication.
        backend: Name of the plugin that wrote it.
        file: File name inside the backend's folder.
        digest: Hex digest of the file's bytes, checked before it is mapped.
        position: The feed position it covers.
        epoch: The store's epoch when it was made; another epoch means that the store was restored since.
        rows: Number of vectors inside.
    """

    number: int
    backend: str
    file: str
    digest: str
    position: int
    epoch: str
    rows: int


class VectorFeed(Protocol):
    """The store's side: the live vectors of one model, and what changed since a position."""

    @property
    def model(self) -> ModelIdentity: ...

    @property
    def epoch(self) -> str: ...

    def position(self) -> int:
        """The newest sequence number; cheap enough to ask before every search."""
        ...

    def count(self) -> int:
        """Number of live vectors."""
        ...

    def batches(self, after: int = 0, *, size: int = 10_000) -> Iterator[VectorBatch]:
        """Changes after a position, oldest first. From 0 it yields the live rows only, and no removals."""
        ...

    def rows(self, ids: Sequence[ChunkId]) -> VectorBatch:
        """The live rows among these ids."""
        ...

    def generation(self, backend: str) -> Generation | None:
        """The newest published generation of a backend, if any."""
        ...

    def publish(self, generation: Generation) -> bool:
        """Record a generation under the store's write lock.

        Returns:
            `False`, with nothing recorded, when the epoch changed or a vector was removed after
            ``generation.position``: the file may hold a purged row and is to be discarded.
        """
        ...


class VectorHit(NamedTuple):
    """A chunk and its cosine with the query, between -1 and 1. Many at once: hence a tuple."""

    id: ChunkId
    score: float


class VectorBackend(Protocol):
    """An open index over one feed."""

    def search(self, query: "Vector", limit: int, *, among: Sequence[ChunkId] | None = None) -> list[VectorHit]:
        """The nearest live rows, best first; sees everything the feed held when the search began.

        Args:
            query: float32, length 1.
            limit: At most so many hits.
            among: Only these chunks; exact.
        """
        ...

    def scores(self, query: "Vector", ids: Sequence[ChunkId]) -> list[VectorHit]:
        """The cosines of given chunks, those without a vector left out."""
        ...

    def compact(self) -> bool:
        """Publish a new generation if it is worth it, the workspace's lock being held; true if one was published."""
        ...


@attrs.frozen
class IndexNotice:
    """A derived file that a backend cannot use, and does without until it is written anew."""

    file: str
    reason: str

    def __str__(self) -> str:
        return (
            f"the index file {self.file} is not used: {self.reason}; "
            "search is exact meanwhile, and the next ingest writes the file anew"
        )


@runtime_checkable
class SupportsNotices(Protocol):
    """A backend that says what is wrong with its files."""

    def notices(self) -> tuple[IndexNotice, ...]:
        """What the latest search or compaction found."""
        ...


@attrs.frozen(kw_only=True)
class VectorBackendSettings:
    """What a backend is opened with.

    Attributes:
        folder: For files of this backend and this model alone; need not exist yet.
        feed: The store's side.
        snapshot_threshold: From so many vectors on, an approximate index pays.
    """

    folder: Path
    feed: VectorFeed
    snapshot_threshold: int = 500_000
