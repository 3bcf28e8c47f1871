"""From the candidates of one workspace or several to the results that are shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, islice

import attrs

from imprint.domain.duplicates import fold_duplicates
from imprint.domain.priors import prior_of
from imprint.domain.queries import ParsedQuery
from imprint.domain.ranking import fuse
from imprint.domain.relevance import (
    LOOKED_AT,
    Evidence,
    information_of,
    is_faint,
    is_relevant,
    share_covered,
    strength_of,
)
from imprint.domain.sources import SourceKind, StoredChunk, WorkspaceName
from imprint.protocols.stores import WorkspaceStore
from imprint.services.candidates import Candidates

__all__ = ["RankedPassage", "SearchResult", "Searched", "choose_results", "information_asked", "rank_passages"]

_CONSIDERED = 40
_CONSIDERED_PER_RESULT = 3
"""So many of the best by score are read: room for what is folded, gone meanwhile, or lifted by a prior."""


@attrs.frozen(eq=False)
class Searched:
    """A workspace that was asked, and what it has to offer."""

    store: WorkspaceStore
    candidates: Candidates


@attrs.frozen(kw_only=True)
class RankedPassage:
    """A candidate that was read; ``cosine`` is `None` where it has no vector."""

    workspace: WorkspaceName
    passage: StoredChunk
    score: float
    cosine: float | None


@attrs.frozen(kw_only=True)
class SearchResult:
    """A passage that answers.

    Attributes:
        score: Higher is better; only within one report.
        duplicates: Other passages of the workspace that say the same.
    """

    workspace: WorkspaceName
    passage: StoredChunk
    score: float
    duplicates: tuple[StoredChunk, ...] = ()


def rank_passages(searched: Sequence[Searched], question: ParsedQuery, *, now: str, limit: int) -> list[RankedPassage]:
    """Fuse the candidates of all workspaces in one go, so that their scores can be compared; read the best."""
    lexical = {(at, id): score for at, one in enumerate(searched) for id, score in one.candidates.lexical.items()}
    cosines = {(at, id): score for at, one in enumerate(searched) for id, score in one.candidates.cosines.items()}
    best = dict(islice(fuse(lexical, cosines).items(), max(_CONSIDERED, _CONSIDERED_PER_RESULT * limit)))
    ranked = [
        RankedPassage(
            workspace=one.store.workspace,
            passage=passage,
            score=best[at, passage.id] + prior_of(passage, question, now=now),
            cosine=cosines.get((at, passage.id)),
        )
        for at, one in enumerate(searched)
        for passage in one.store.chunks([id for workspace, id in best if workspace == at])
    ]
    return sorted(ranked, key=lambda item: -item.score)


def information_asked(searched: Sequence[Searched], question: ParsedQuery) -> dict[str, float]:
    """How much each word of the question says, in all that was searched."""
    frequencies: Counter[str] = Counter()
    for one in searched:
        frequencies.update(one.candidates.frequencies)
    return information_of(question.terms, frequencies, sum(one.candidates.chunks for one in searched))


def choose_results(
    ranked: Sequence[RankedPassage], information: Mapping[str, float], *, limit: int
) -> tuple[SearchResult, ...]:
    """Fold duplicates and leave out what is faint; nothing at all if none of the best answers."""
    strengths = [_strength(item, information) for item in ranked[:LOOKED_AT]]
    if not is_relevant(strengths):
        return ()
    best = max(strengths)
    nearest = ranked[: max(LOOKED_AT, _CONSIDERED_PER_RESULT * limit)]
    folds = {
        (workspace, fold.shown.id): fold.duplicates
        for workspace in {item.workspace for item in nearest}
        for fold in fold_duplicates(item.passage for item in nearest if item.workspace == workspace)
    }
    judged = zip(nearest, chain(strengths, (_strength(item, information) for item in nearest[LOOKED_AT:])), strict=True)
    results = (
        SearchResult(
            workspace=item.workspace,
            passage=item.passage,
            score=item.score,
            duplicates=folds[item.workspace, item.passage.id],
        )
        for item, strength in judged
        if (item.workspace, item.passage.id) in folds and not _is_faint(item, strength, best=best)
    )
    return tuple(islice(results, limit))


def _strength(item: RankedPassage, information: Mapping[str, float]) -> float:
    return strength_of(Evidence(covered=share_covered(item.passage, information), cosine=item.cosine))


def _is_faint(item: RankedPassage, strength: float, *, best: float) -> bool:
    is_turn = item.passage.source.kind is SourceKind.CONVERSATION
    return is_faint(strength, best=0.0 if is_turn else best)
