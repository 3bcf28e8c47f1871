"""The candidates of one workspace: what full text finds and what lies near, each scored by both."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from imprint.domain.queries import ParsedQuery
from imprint.domain.sources import ChunkId
from imprint.domain.term_choices import choose_terms
from imprint.protocols.text_indexes import ChunkFilter, TextIndex, TextQuery
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
    frequencies: Mapping[str, int]
    chunks: int


@attrs.frozen(eq=False)
class Neighbourhood:
    """The question as a vector, and the index in which its neighbours are."""

    backend: VectorBackend
    vector: "Vector"


def find_candidates(
    store: TextIndex,
    question: ParsedQuery,
    where: ChunkFilter,
    *,
    frequencies: Mapping[str, int],
    near: Neighbourhood | None,
) -> Candidates:
    """Ask both sides, then each for its score of what the other found.

    Args:
        frequencies: In how many chunks each term of the question occurs.
        near: `None` searches by words only.
    """
    chunks = store.chunk_count()
    scope = _find_scope(store, where, chunks)
    choice = choose_terms(question.terms, frequencies, share=scope.share)
    hits = store.match(TextQuery(terms=choice.asked, common=choice.common), _FROM_EACH_SIDE, where)
    lexical = {hit.id: hit.score for hit in hits}
    cosines = _cosines(store, near, tuple(lexical), scope) if near else {}
    floor = hits[-1].score if len(hits) == _FROM_EACH_SIDE else 0.0
    for id in cosines:
        lexical.setdefault(id, floor)
    return Candidates(lexical=lexical, cosines=cosines, frequencies=frequencies, chunks=chunks)


@attrs.frozen
class _Scope:
    """What a filter leaves to be searched.

    Attributes:
        selected: Its chunks; `None` where they are all or too many.
        share: Of all chunks; 1 where nobody counted them.
    """

    where: ChunkFilter
    selected: Sequence[ChunkId] | None
    share: float


def _find_scope(store: TextIndex, where: ChunkFilter, chunks: int) -> _Scope:
    selected = store.select_ids(where, _SELECTED_AT_MOST) if where.narrows else None
    return _Scope(where, selected, share=1.0 if selected is None else len(selected) / max(chunks, 1))


def _cosines(
    store: TextIndex, near: Neighbourhood, found_by_text: Sequence[ChunkId], scope: _Scope
) -> dict[ChunkId, float]:
    cosines = _nearest(store, near, scope)
    missing = [id for id in found_by_text if id not in cosines]
    cosines.update((hit.id, hit.score) for hit in near.backend.scores(near.vector, missing))
    return cosines


def _nearest(store: TextIndex, near: Neighbourhood, scope: _Scope) -> dict[ChunkId, float]:
    if scope.selected is not None:
        hits = near.backend.search(near.vector, _FROM_EACH_SIDE, among=scope.selected)
    elif not scope.where.narrows:
        hits = near.backend.search(near.vector, _FROM_EACH_SIDE)
    else:
        surplus = {hit.id: hit for hit in near.backend.search(near.vector, _FROM_EACH_SIDE * _SURPLUS)}
        hits = [surplus[id] for id in store.passing(list(surplus), scope.where)[:_FROM_EACH_SIDE]]
    return {hit.id: hit.score for hit in hits}
