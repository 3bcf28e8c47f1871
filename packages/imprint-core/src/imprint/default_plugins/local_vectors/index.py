"""The opened index: the segment and the graph of the newest generation, and what the feed has told since."""

from collections.abc import Iterable, Sequence

import numpy

from imprint.default_plugins.local_vectors.compaction import publish_flat, publish_graph, sweep
from imprint.default_plugins.local_vectors.flat_files import map_flat_file
from imprint.default_plugins.local_vectors.graphs import Graph, map_graph
from imprint.default_plugins.local_vectors.kernels import Ids, Places, Vector
from imprint.default_plugins.local_vectors.policies import FLAT, GRAPH, Policy
from imprint.default_plugins.local_vectors.segments import Segment, merge_segments, segment_of
from imprint.errors import InvalidVectorsError
from imprint.plugins import ChunkId, Generation, VectorBackendSettings, VectorBatch, VectorHit
from imprint.protocols.vectors import IndexNotice

__all__ = ["VectorIndex"]


class VectorIndex:
    """Follows one feed: every search sees what the feed held when it began."""

    def __init__(self, settings: VectorBackendSettings) -> None:
        """Read nothing yet."""
        self._folder = settings.folder
        self._feed = settings.feed
        self._policy = Policy(settings.snapshot_threshold)
        self._forget()

    def search(self, query: Vector, limit: int, *, among: Sequence[ChunkId] | None = None) -> list[VectorHit]:
        """The nearest live rows, best first."""
        if limit < 1 or not self._has_direction(query):
            return []
        self._catch_up()
        if among is None:
            found = ((part, self._nearest(part, query, limit)) for part in self._segments())
        else:
            ids = _ids_of(among)
            found = ((part, part.nearest_among(query, limit, ids)) for part in self._segments())
        return _hits(query, found, limit)

    def scores(self, query: Vector, ids: Sequence[ChunkId]) -> list[VectorHit]:
        """The cosines of given chunks, best first."""
        if not self._has_direction(query):
            return []
        self._catch_up()
        wanted = _ids_of(ids)
        return _hits(query, ((part, part.places_of(wanted)) for part in self._segments()), len(wanted))

    def compact(self) -> bool:
        """Write the flat file or build the graph anew where it is worth it."""
        self._catch_up()
        published = False
        is_unusable = self._flat is not None and self._base is None
        if is_unusable or self._policy.is_flat_worth_writing(self._flat, changes=self._changes()):
            published = self._write_flat()
        if self._base is not None and self._policy.is_graph_worth_building(
            len(self._base), strays=self._graph.strays(len(self._base)) if self._graph else None
        ):
            published |= self._build_graph()
        sweep(self._folder, self._feed)
        return published

    def notices(self) -> tuple[IndexNotice, ...]:
        """Which files of the newest generation cannot be used."""
        return tuple(self._notices.values())

    def close(self) -> None:
        """Let go of the mapped files."""
        self._forget()

    def _forget(self) -> None:
        self._epoch = ""
        self._position = 0
        self._flat: Generation | None = None
        self._base: Segment | None = None
        self._graph: Graph | None = None
        self._delta: list[Segment] = []
        self._removals = 0
        self._notices: dict[str, IndexNotice] = {}

    def _catch_up(self) -> None:
        """Open the newest generation, if that is another one now, and take in what changed since."""
        epoch, position = self._feed.epoch, self._feed.position()
        if (epoch, position) == (self._epoch, self._position):
            return
        if epoch != self._epoch or self._published(FLAT) != self._flat:
            self._open()
        for batch in self._feed.batches(self._position):
            self._take_in(batch)
        self._position = max(self._position, position)

    def _open(self) -> None:
        """Map the files of the newest generation; another process may delete them while they are looked for."""
        while True:
            self._forget()
            self._epoch = self._feed.epoch
            self._flat = self._published(FLAT)
            if self._flat is None:
                return
            base = map_flat_file(self._folder / self._flat.file, self._flat, self._feed.model)
            if isinstance(base, Segment):
                self._base = base
                self._position = self._flat.position
                self._open_graph(base)
                return
            if self._published(FLAT) == self._flat:
                self._notices[FLAT] = base
                return

    def _open_graph(self, base: Segment) -> None:
        generation = self._published(GRAPH)
        if generation is None or not len(base):
            return
        graph = map_graph(self._folder / generation.file, generation, base)
        if isinstance(graph, Graph):
            self._graph = graph
            self._notices.pop(GRAPH, None)
        else:
            self._notices[GRAPH] = graph

    def _published(self, backend: str) -> Generation | None:
        """The newest generation that was not made before the store was restored."""
        generation = self._feed.generation(backend)
        return generation if generation and generation.epoch == self._epoch else None

    def _take_in(self, batch: VectorBatch) -> None:
        """Bury what went, and the older row of an id that comes again; then merge so that few segments are left."""
        for segment in self._segments():
            segment.bury(_distinct(numpy.concatenate([batch.removed, batch.ids])))
        if len(batch.ids):
            self._delta.append(segment_of(batch.ids, batch.rows))
        while len(self._delta) > 1 and len(self._delta[-2]) <= 2 * len(self._delta[-1]):
            self._delta[-2:] = [merge_segments(self._delta[-2:])]
        self._removals += len(batch.removed)
        self._position = max(self._position, batch.position)

    def _segments(self) -> list[Segment]:
        return self._delta if self._base is None else [self._base, *self._delta]

    def _changes(self) -> int:
        return sum(map(len, self._delta)) + (self._base.deaths if self._base is not None else 0)

    def _nearest(self, segment: Segment, query: Vector, limit: int) -> Places:
        if self._graph is None or segment is not self._base:
            return segment.nearest(query, limit)
        candidates = self._graph.nearest(query, limit)
        if candidates is None:
            return segment.nearest(query, limit)
        places = segment.places_of(candidates)
        if len(places) < min(limit, self._graph.covered):
            return segment.nearest(query, limit)
        return numpy.concatenate([places, segment.nearest(query, limit, self._graph.covered)])

    def _write_flat(self) -> bool:
        published = publish_flat(self._folder, self._feed)
        if published:
            self._forget()
            self._catch_up()
        return published

    def _build_graph(self) -> bool:
        """Build it over a flat file since which nothing went: the store refuses what may hold a removed vector."""
        if self._removals and not self._write_flat():
            return False
        if self._flat is None or self._base is None:
            return False
        published = publish_graph(self._folder, self._feed, self._flat, self._base)
        if published:
            self._open_graph(self._base)
        return published

    def _has_direction(self, query: Vector) -> bool:
        if query.shape != (self._feed.model.width,) or not numpy.isfinite(query).all():
            raise InvalidVectorsError(
                self._feed.model.name, "the question's vector has another width or holds no numbers"
            )
        return bool(query.any())


def _ids_of(ids: Sequence[ChunkId]) -> Ids:
    return _distinct(numpy.asarray(ids, dtype=numpy.int64))


def _distinct(ids: Ids) -> Ids:
    """Each id once, in order; `numpy.unique` would load `numpy.ma`, which costs a search a twentieth of its time."""
    ordered = numpy.sort(ids)
    kept = numpy.ones(len(ordered), dtype=numpy.bool_)
    kept[1:] = ordered[1:] != ordered[:-1]
    return ordered[kept]


def _hits(query: Vector, found: Iterable[tuple[Segment, Places]], limit: int) -> list[VectorHit]:
    """Score rows exactly and sort them, best first; equal ones by id."""
    parts = [(segment.ids[places], segment.scores(query, places)) for segment, places in found]
    if not parts:
        return []
    ids, scores = (numpy.concatenate(columns) for columns in zip(*parts, strict=True))
    best = numpy.lexsort((ids, -scores))[:limit]
    cosines = scores[best].clip(-1, 1).tolist()
    return [VectorHit(ChunkId(id), cosine) for id, cosine in zip(ids[best].tolist(), cosines, strict=True)]
