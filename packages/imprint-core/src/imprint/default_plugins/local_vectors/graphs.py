"""The graph: an immutable usearch HNSW index over the first rows of a flat file.

It only proposes candidates: their scores come from the flat file, and so does the knowledge of what is gone. usearch
trusts a file's bytes: a flipped bit may crash the process, so the digest is checked before the file is mapped, and
the file's own account of itself is compared with what was recorded.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs
import numpy

from imprint.default_plugins.local_vectors.kernels import Ids, Vector
from imprint.default_plugins.local_vectors.segments import Segment
from imprint.default_plugins.local_vectors.verification import discard, is_verified
from imprint.plugins import Generation
from imprint.protocols.vectors import IndexNotice

if TYPE_CHECKING:
    from usearch.index import Index

__all__ = ["Graph", "build_graph", "map_graph"]

_CONNECTIVITY: Final = 32
_EXPANSION_ADD: Final = 128
_EXPANSION_SEARCH: Final = 256
"""Enough for 100 candidates; with 64 a quarter of them is missed."""

_ROWS_AT_ONCE: Final = 10_000


@attrs.frozen(eq=False)
class Graph:
    """A mapped graph.

    Attributes:
        covered: So many first rows of the flat file are in it.
        size: Number of its vectors; those that are not among the covered rows are gone from the store.
    """

    _index: "Index"
    covered: int
    size: int

    def strays(self, rows: int) -> int:
        """How many rows of the flat file are not in the graph, and of the graph not in the flat file."""
        return rows - self.covered + self.size - self.covered

    def nearest(self, query: Vector, limit: int) -> Ids | None:
        """The ids of the rows that are probably the nearest, half as many again as asked for, since some may be gone.

        `None` where more are wanted than the graph finds reliably.
        """
        wanted = limit + limit // 2
        if wanted > _EXPANSION_SEARCH:
            return None
        ids: Ids = self._index.search(query, min(wanted, self.size), threads=1).keys.astype(numpy.int64)
        return ids


def build_graph(path: Path, segment: Segment) -> None:
    """Build a graph of a segment's rows with all processor cores and save it under a new name."""
    index = _new_index(segment.rows.shape[1])
    for start in range(0, len(segment), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        index.add(segment.ids[part].astype(numpy.uint64), segment.rows[part].astype(numpy.float32))
    index.save(path)


def map_graph(path: Path, generation: Generation, segment: Segment) -> Graph | IndexNotice:
    """Map a published graph after checking that it is the one that was published, and for these rows."""
    index = _new_index(segment.rows.shape[1])
    try:
        with path.open("rb") as file:
            is_sound = is_verified(path, file, generation.digest)
        if not is_sound or _account(path) != (index.ndim, index.dtype, index.metric_kind, generation.rows, 0):
            return discard(path)
        index.view(path)
    except (OSError, RuntimeError) as error:
        return IndexNotice(path.name, f"it cannot be read ({error})")
    return Graph(index, _covered(index, segment.ids), len(index))


def _new_index(width: int) -> "Index":
    from usearch.index import Index

    return Index(
        ndim=width,
        metric="ip",
        dtype="bf16",
        connectivity=_CONNECTIVITY,
        expansion_add=_EXPANSION_ADD,
        expansion_search=_EXPANSION_SEARCH,
    )


def _account(path: Path) -> tuple[Any, ...] | None:
    """What the file says of itself, for ``view`` would take over any width and type without a word."""
    from usearch.index import Index

    account = Index.metadata(path)
    names = ("dimensions", "kind_scalar", "kind_metric", "count_present", "count_deleted")
    return tuple(account[name] for name in names) if account else None


def _covered(index: "Index", ids: Ids) -> int:
    """How many of the first rows are in the graph: the feed's order is kept, so that the others all come later."""
    low, high = 0, len(ids)
    while low < high:
        middle = (low + high) // 2
        if int(ids[middle]) in index:
            low = middle + 1
        else:
            high = middle
    return low
