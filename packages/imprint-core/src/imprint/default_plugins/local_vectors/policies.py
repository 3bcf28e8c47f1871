"""When new files are worth writing, and which are of no use; decided without numpy, from what the feed records."""

from contextlib import suppress
from pathlib import Path
from typing import Final

import attrs

from imprint.default_plugins.local_vectors.verification import NOTE_SUFFIX
from imprint.plugins import Generation, VectorFeed

__all__ = ["FLAT", "GRAPH", "Policy", "find_useless_files"]

FLAT: Final = "local"
GRAPH: Final = "local-graph"
"""The names under which generations of the two kinds of files are published."""

_FEW: Final = 2_048
"""So many rows are read from the store in a few milliseconds."""

_FLAT_SHARE: Final = 16
_GRAPH_SHARE: Final = 8


@attrs.frozen
class Policy:
    """Rewriting costs as much as there are rows, so it waits until a share of them has changed.

    Attributes:
        threshold: From so many rows on there is a graph.
    """

    threshold: int

    def is_flat_worth_writing(self, flat: Generation | None, *, changes: int) -> bool:
        """Whether so many rows came and went since the newest generation that a new one pays."""
        return changes >= max(min(_FEW, self.threshold), flat.rows // _FLAT_SHARE if flat else 0)

    def is_graph_worth_building(self, rows: int, *, strays: int | None) -> bool:
        """Whether a flat file of so many rows needs a new graph.

        Args:
            rows: Those of the flat file.
            strays: How many rows are in only one of the two; `None` where there is no graph.
        """
        return rows >= self.threshold and (strays is None or strays * _GRAPH_SHARE >= rows)

    def may_be_due(self, feed: VectorFeed, folder: Path) -> bool:
        """Whether it is worth looking closer; false costs nothing that grows with the store."""
        flat, graph = (
            generation if generation and generation.epoch == feed.epoch else None
            for generation in (feed.generation(FLAT), feed.generation(GRAPH))
        )
        if any(generation and not (folder / generation.file).exists() for generation in (flat, graph)):
            return True
        if find_useless_files(feed, folder):
            return True
        most_changes = feed.position() - (flat.position if flat else 0)
        if self.is_flat_worth_writing(flat, changes=most_changes):
            return True
        return flat is not None and self.is_graph_worth_building(
            flat.rows, strays=abs(flat.rows - graph.rows) if graph else None
        )


def find_useless_files(feed: VectorFeed, folder: Path) -> list[Path]:
    """Every file that no published generation of the feed's epoch names, such as what a killed process left."""
    kept = set()
    for backend in (FLAT, GRAPH):
        generation = feed.generation(backend)
        if generation is not None and generation.epoch == feed.epoch:
            kept |= {generation.file, generation.file + NOTE_SUFFIX}
    with suppress(OSError):
        return [path for path in folder.iterdir() if path.name not in kept]
    return []
