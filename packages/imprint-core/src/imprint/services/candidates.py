"""The candidates of one workspace: what full text finds and what lies near, each scored by both."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from imprint.domain.queries import MANY_CHUNKS, ParsedQuery, rarest_terms
from imprint.domain.sources import ChunkId
from imprint.protocols.stores import ChunkFilter, TextIndex, TextQuery
from imprint.protocols.vectors import VectorBackend

if TYPE_CHECKING:
    from imprint.protocols.embedders import Vector

__all__ = ["Candidates", "Neighbourhood", "find_candidates"]

_FROM_EACH_SIDE = 100
"""More candidates find nothing more."""

_SELECTED_AT_MOST = 200_000
_SURPLUS = 10
"""A filter that passes more chunks than the first is applied to so many times the hits, after the search."""


@attrs.frozen(kw_only=True)
class Candidates:
    """What one workspace has to offer.

    Attributes:
        lexical: Full-text score of every candidate; one that only lies near has the least score it can have.
        cosines: Of the candidates that have a vector.
        frequencies: In how many chunks each term of the question occurs.
        chunks: How many there are.
    """

    lexical: dict[ChunkId, float]
    cosines: dict[ChunkId, float]
    frequencies: dict[str, int]
    chunks: int


@attrs.frozen(eq=False)
class Neighbourhood:
    """The question as a vector, and the index in which its neighbours are."""

    backend: VectorBackend
    vector: "Vector"


def find_candidates(
    store: TextIndex, question: ParsedQuery, where: ChunkFilter, *, near: Neighbourhood | None
) -> Candidates:
    """Ask both sides, then each for its score of what the other found.

    Args:
        near: `None` searches by words only.
    """
    chunks = store.chunk_count()
    frequencies = store.document_frequencies(question.terms)
    terms = rarest_terms(question.terms, frequencies) if chunks > MANY_CHUNKS else question.terms
    hits = store.match(TextQuery(terms=terms), _FROM_EACH_SIDE, where)
    lexical = {hit.id: hit.score for hit in hits}
    cosines = _cosines(store, near, tuple(lexical), where) if near else {}
    floor = hits[-1].score if len(hits) == _FROM_EACH_SIDE else 0.0
    for id in cosines:
        lexical.setdefault(id, floor)
    return Candidates(lexical=lexical, cosines=cosines, frequencies=frequencies, chunks=chunks)


def _cosines(
    store: TextIndex, near: Neighbourhood, found_by_text: Sequence[ChunkId], where: ChunkFilter
) -> dict[ChunkId, float]:
    cosines = _nearest(store, near, where)
    missing = [id for id in found_by_text if id not in cosines]
    cosines.update((hit.id, hit.score) for hit in near.backend.scores(near.vector, missing))
    return cosines


def _nearest(store: TextIndex, near: Neighbourhood, where: ChunkFilter) -> dict[ChunkId, float]:
    if not where.narrows:
        hits = near.backend.search(near.vector, _FROM_EACH_SIDE)
        return {hit.id: hit.score for hit in hits}
    selected = store.select_ids(where, _SELECTED_AT_MOST)
    if selected is not None:
        hits = near.backend.search(near.vector, _FROM_EACH_SIDE, among=selected)
        return {hit.id: hit.score for hit in hits}
    scores = {hit.id: hit.score for hit in near.backend.search(near.vector, _FROM_EACH_SIDE * _SURPLUS)}
    return {id: scores[id] for id in store.passing(list(scores), where)[:_FROM_EACH_SIDE]}
