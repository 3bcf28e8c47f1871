"""A vector backend on a bench: a feed in memory, a folder on disk, and the truth by the plainest means."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import attrs
import numpy

from imprint.plugins import ChunkId, VectorBackend, VectorBackendSettings, VectorHit
from imprint.plugins.handles import PluginHandle
from imprint.testing.conformance import ensure
from imprint.testing.feeds import FakeFeed

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix, Vector

__all__ = [
    "COUNT",
    "DEFECTS",
    "SCORE_TOLERANCE",
    "THRESHOLD",
    "Bench",
    "chunk_ids",
    "ensure_best",
    "ensure_recall",
    "ensure_scores",
    "find_cosines",
    "make_queries",
    "make_rows",
    "set_up",
]

WIDTH: Final = 32
COUNT: Final = 300
# Low enough that the sample is worth whatever an engine does with many vectors.
THRESHOLD: Final = 100
# Room for rows kept as float16 or as bytes with a scale.
SCORE_TOLERANCE: Final = 0.01


@attrs.frozen
class Bench:
    """A feed, a folder, and a backend that is opened over them."""

    handle: PluginHandle
    folder: Path
    feed: FakeFeed

    @contextmanager
    def open(self) -> Iterator[VectorBackend]:
        """Open the backend; several may be open at once."""
        settings = VectorBackendSettings(folder=self.folder, feed=self.feed, snapshot_threshold=THRESHOLD)
        with self.handle.call("open_vector_backend", settings=settings) as backend:
            yield backend

    def fill_and_compact(self) -> None:
        """Put the sample rows into the feed and let the backend write whatever it writes."""
        self.feed.add(range(1, COUNT + 1), make_rows(COUNT))
        with self.open() as backend:
            backend.compact()


@contextmanager
def set_up(handle: PluginHandle) -> Iterator[Bench]:
    """Set up an empty feed and a folder that does not exist yet."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield Bench(handle, Path(folder) / "index", FakeFeed(WIDTH))


def make_rows(count: int, seed: int = 1) -> "Matrix":
    """Random rows; the first ones are the same whatever the count."""
    rows = numpy.random.default_rng(seed).standard_normal((count, WIDTH)).astype(numpy.float32)
    unit: Matrix = rows / numpy.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def make_queries() -> "Matrix":
    """Random queries that are none of the rows."""
    return make_rows(8, seed=99)


def chunk_ids(*ids: int) -> list[ChunkId]:
    """Plain numbers as chunk ids."""
    return [ChunkId(id) for id in ids]


def find_cosines(feed: FakeFeed, query: "Vector") -> dict[int, float]:
    """The truth, by the plainest means."""
    return {
        int(id): float(numpy.dot(row.astype(numpy.float32), query))
        for batch in feed.batches()
        for id, row in zip(batch.ids, batch.rows, strict=True)
    }


def ensure_scores(hits: Sequence[VectorHit], cosines: Mapping[int, float]) -> None:
    """Each hit's score is the true one."""
    for hit in hits:
        cosine = cosines[hit.id]
        ensure(abs(hit.score - cosine) <= SCORE_TOLERANCE, f"chunk {hit.id} scores {hit.score:.3f}, not {cosine:.3f}")


def ensure_best(backend: VectorBackend, query: "Vector", id: int) -> None:
    """The best hit is this chunk."""
    hits = backend.search(query, 5)
    ensure(hits and hits[0].id == id, f"the best hit is {hits[:1]}, not chunk {id}")


def ensure_recall(backend: VectorBackend, feed: FakeFeed, when: str = "") -> None:
    """Nine of ten nearest rows are found, whatever their order."""
    found = 0
    queries = make_queries()
    for query in queries:
        cosines = find_cosines(feed, query)
        nearest = sorted(cosines, key=lambda id: -cosines[id])[:10]
        found += len({hit.id for hit in backend.search(query, 10)}.intersection(nearest))
    ensure(found >= 9 * len(queries), f"{found} of the {10 * len(queries)} nearest rows are found{when}")


def _flip(data: bytes, indices: Iterable[int]) -> bytes:
    flipped = bytearray(data)
    for index in indices:
        flipped[index] ^= 0x40
    return bytes(flipped)


DEFECTS: Final[Mapping[str, Callable[[bytes], bytes]]] = MappingProxyType(
    {
        "given one wrong byte in sixteen": lambda data: _flip(data, range(0, len(data), 16)),
        "given one wrong bit": lambda data: _flip(data, range(len(data) // 2, len(data), len(data) or 1)),
        "cut in half": lambda data: data[: len(data) // 2],
        "emptied": lambda _: b"",
    }
)
"""What may happen to a file, in words that follow its name."""
