"""Vector search: the local backend against a matrix product of numpy on the same rows, in one run.

    python benchmarks/vectors.py [ROWS ...] [--graph ROWS]

The rows are clustered as texts are. Ratios mean something on any machine, milliseconds on this one.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy

from imprint.default_plugins.local_vectors import open_vector_backend
from imprint.plugins import Generation, ModelIdentity, VectorBackendSettings, VectorBatch
from measure import best_of, emit

WIDTH = 256
QUERIES = 50
LIMIT = 100
NOTHING = numpy.empty(0, dtype=numpy.int64)


class ArrayFeed:
    """A feed of rows that lie in one array and never change."""

    epoch = "only"

    def __init__(self, rows) -> None:
        self.model = ModelIdentity("clustered", "0", WIDTH)
        self._ids = numpy.arange(1, len(rows) + 1)
        self._rows = rows
        self._generations: dict[str, Generation] = {}

    def position(self) -> int:
        return len(self._rows)

    def count(self) -> int:
        return len(self._rows)

    def batches(self, after: int = 0, *, size: int = 10_000) -> Iterator[VectorBatch]:
        for start in range(after, len(self._rows), size):
            part = slice(start, min(start + size, len(self._rows)))
            yield VectorBatch(part.stop, self._ids[part], self._rows[part], NOTHING)

    def rows(self, ids: Sequence[int]) -> VectorBatch:
        places = numpy.asarray(ids) - 1
        return VectorBatch(len(self._rows), self._ids[places], self._rows[places], NOTHING)

    def generation(self, backend: str) -> Generation | None:
        return self._generations.get(backend)

    def publish(self, generation: Generation) -> bool:
        self._generations[generation.backend] = generation
        return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", type=int, default=[100_000, 274_000])
    parser.add_argument("--graph", type=int, default=0, help="also build a graph of so many rows; minutes")
    arguments = parser.parse_args()
    for count in arguments.rows:
        measure(count, threshold=count + 1)
    if arguments.graph:
        measure(arguments.graph, threshold=arguments.graph)


def measure(count: int, threshold: int) -> None:
    rows, queries = make_rows(count)
    feed = ArrayFeed(rows.astype(numpy.float16))
    kind = "graph" if threshold <= count else "exact"
    with TemporaryDirectory() as folder:
        settings = VectorBackendSettings(folder=Path(folder), feed=feed, snapshot_threshold=threshold)
        with open_vector_backend(settings) as backend:
            start = time.perf_counter()
            backend.compact()
            emit(f"{kind} {count}: write", time.perf_counter() - start, "s", megabytes=megabytes(folder))
        for note in Path(folder).glob("*.verified"):
            note.unlink()
        emit(f"{kind} {count}: first search, digest checked", seconds_to_first_hit(settings, queries[0]) * 1e3, "ms")
        emit(f"{kind} {count}: first search of a later process", seconds_to_first_hit(settings, queries[0]) * 1e3, "ms")
        with open_vector_backend(settings) as backend:
            ours = per_query(lambda query: backend.search(query, LIMIT), queries)
            product = per_query(lambda query: rows @ query, queries)
            emit(
                f"{kind} {count}: search",
                ours * 1e3,
                "ms",
                ratio_to="numpy f32 product",
                ratio=round(ours / product, 3),
            )
            among = list(range(1, count + 1, 100))
            filtered = per_query(lambda query: backend.search(query, LIMIT, among=among), queries)
            emit(f"{kind} {count}: search among 1%", filtered * 1e3, "ms")
            for depth in (40, LIMIT):
                emit(f"{kind} {count}: recall@{depth}", recall(backend, rows, queries, depth), "share")


def make_rows(count: int):
    """Rows of length 1 around centres, and queries near some of them."""
    random = numpy.random.default_rng(1)
    centres = random.standard_normal((max(1, count // 50), WIDTH), dtype=numpy.float32)
    rows = centres[random.integers(0, len(centres), count)]
    rows += 0.8 * random.standard_normal((count, WIDTH), dtype=numpy.float32)
    rows /= numpy.linalg.norm(rows, axis=1, keepdims=True)
    queries = rows[random.integers(0, count, QUERIES)] + 0.03 * random.standard_normal((QUERIES, WIDTH)).astype("f4")
    return rows, queries / numpy.linalg.norm(queries, axis=1, keepdims=True)


def per_query(search, queries) -> float:
    return best_of(3, lambda: [search(query) for query in queries]) / len(queries)


def seconds_to_first_hit(settings: VectorBackendSettings, query) -> float:
    start = time.perf_counter()
    with open_vector_backend(settings) as backend:
        backend.search(query, LIMIT)
    return time.perf_counter() - start


def recall(backend, rows, queries, depth: int) -> float:
    found = 0
    for query in queries:
        nearest = numpy.argsort(-(rows @ query), kind="stable")[:depth] + 1
        found += len({hit.id for hit in backend.search(query, depth)}.intersection(nearest.tolist()))
    return found / (depth * len(queries))


def megabytes(folder: str) -> float:
    return round(sum(path.stat().st_size for path in Path(folder).iterdir()) / 1e6, 1)


if __name__ == "__main__":
    main()
