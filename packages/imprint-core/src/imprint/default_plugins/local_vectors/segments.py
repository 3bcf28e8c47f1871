"""Segments: rows that are searched exactly, whether they lie in memory or in a mapped file."""

from collections.abc import Sequence

import attrs
import numpy

from imprint.default_plugins.local_vectors.kernels import (
    Codes,
    HalfRows,
    Ids,
    Mask,
    Places,
    Scores,
    Vector,
    best_places,
    byte_dots,
    exact_dots,
    round_to_bytes,
)

__all__ = ["Segment", "merge_segments", "order_of", "segment_of"]

_RESCORED = 40
"""At least so many of the best by rounded rows are scored again exactly; twice the limit, where that is more."""

_SCAN_INSTEAD_OF_GATHER = 8
"""A choice of more than one row in so many is made by scanning all: reading in order is that much faster."""


@attrs.define(eq=False)
class Segment:
    """Rows in the order in which the feed gave them.

    Attributes:
        ids: One a row; none twice.
        order: The rows' places in order of their ids; `None` where they lie in that order.
        codes: The rows rounded to bytes, each divided by its scale.
        rows: The rows themselves.
    """

    ids: Ids
    order: Places | None
    scales: Scores
    codes: Codes
    rows: HalfRows
    _dead: Mask | None = attrs.field(default=None, init=False)
    _deaths: int = attrs.field(default=0, init=False)

    def __len__(self) -> int:
        """Number of rows, the dead ones included."""
        return len(self.ids)

    def live_columns(self) -> tuple[Ids, Scores, Codes, HalfRows]:
        """The columns without the dead rows."""
        if self._dead is None:
            return self.ids, self.scales, self.codes, self.rows
        alive = ~self._dead
        return self.ids[alive], self.scales[alive], self.codes[alive], self.rows[alive]

    @property
    def deaths(self) -> int:
        """How many rows died since the segment was made."""
        return self._deaths

    def bury(self, ids: Ids) -> None:
        """Find the rows of these ids no more."""
        places = self.places_of(ids)
        if len(places):
            if self._dead is None:
                self._dead = numpy.zeros(len(self), dtype=numpy.bool_)
            self._dead[places] = True
            self._deaths += len(places)

    def places_of(self, ids: Ids) -> Places:
        """Where the live rows of these ids lie; ids must not repeat, those without one are left out."""
        if not len(self) or not len(ids):
            return numpy.empty(0, dtype=numpy.intp)
        found = numpy.searchsorted(self.ids, ids, sorter=self.order)
        found[found == len(self)] = 0
        places: Places = found if self.order is None else self.order[found]
        places = places[self.ids[places] == ids]
        return places if self._dead is None else places[~self._dead[places]]

    def scores(self, query: Vector, places: Places) -> Scores:
        """The exact scores of some rows."""
        return exact_dots(self.rows[places], query)

    def nearest(self, query: Vector, limit: int, start: int = 0) -> Places:
        """The places of the nearest live rows from a place on, in no order; a few more than asked for."""
        return self._scan(query, limit, self._dead, start)

    def nearest_among(self, query: Vector, limit: int, ids: Ids) -> Places:
        """The same of the rows with these ids."""
        places = self.places_of(ids)
        if len(places) * _SCAN_INSTEAD_OF_GATHER <= len(self):
            return places[best_places(self.scores(query, places), limit)]
        others = numpy.ones(len(self), dtype=numpy.bool_)
        others[places] = False
        return self._scan(query, limit, others, 0)

    def _scan(self, query: Vector, limit: int, hidden: Mask | None, start: int) -> Places:
        scores = byte_dots(self.codes[start:], query)
        scores *= self.scales[start:]
        if hidden is not None:
            numpy.copyto(scores, -numpy.inf, where=hidden[start:])
        best = best_places(scores, max(_RESCORED, 2 * limit))
        places: Places = best[scores[best] > -numpy.inf] + start
        return places


def segment_of(ids: Ids, rows: HalfRows) -> Segment:
    """Make a segment of new rows; those that have no direction, for they are zero or not finite, are left out."""
    codes, scales = round_to_bytes(rows)
    sound = numpy.isfinite(scales) & (scales > 0)
    if not sound.all():
        ids, rows, codes, scales = ids[sound], rows[sound], codes[sound], scales[sound]
    return Segment(ids, order_of(ids), scales, codes, rows)


def merge_segments(segments: Sequence[Segment]) -> Segment:
    """Make one segment of the live rows of several."""
    parts = [segment.live_columns() for segment in segments]
    ids, scales, codes, rows = (numpy.concatenate(columns) for columns in zip(*parts, strict=True))
    return Segment(ids, order_of(ids), scales, codes, rows)


def order_of(ids: Ids) -> Places | None:
    """The places of ids in their order; `None` where they lie in it already."""
    return None if (ids[1:] > ids[:-1]).all() else numpy.argsort(ids, kind="stable")
