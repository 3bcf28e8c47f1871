"""Which of a question's terms full text is asked for, so that a large store answers in time.

Where the terms match little together, all are asked for and every match is scored. Otherwise the rarest are asked for,
and a chunk is scored only if something lifts it above the crowd: a rare term, or two common ones. Scoring is what costs
(a microsecond and more a chunk); looking who matches costs a tenth.
"""

from collections.abc import Mapping, Sequence

import attrs

__all__ = ["FEWEST_TERMS", "FEW_MATCHES", "MOST_MATCHES", "MOST_TERMS", "RARE_MATCHES", "TermChoice", "choose_terms"]

FEW_MATCHES = 2_000
"""Up to so many matches of all terms together there is nothing to be saved."""

MOST_MATCHES = 25_000
MOST_TERMS = 24
FEWEST_TERMS = 2
"""At most so many matches together by at most so many terms, but these terms in any case.

At 100,000 chunks .99 of the ten best by all terms stay among the candidates for questions of a sentence or less.
"""

RARE_MATCHES = 500
"""The rarest terms count as rare while they match no more chunks together; the rarest of all always does."""

_COST_OF_LOOKING = 0.1
"""Beside that of scoring."""


@attrs.frozen
class TermChoice:
    """The terms that full text is asked for.

    Attributes:
        asked: In the order of the question.
        common: Those of them of which one alone makes no candidate; never all.
    """

    asked: tuple[str, ...]
    common: tuple[str, ...] = ()


def choose_terms(terms: Sequence[str], frequencies: Mapping[str, int], *, share: float = 1.0) -> TermChoice:
    """Choose the terms to ask for; those that occur nowhere find nothing.

    Args:
        frequencies: In how many chunks a term occurs; missing: in one.
        share: Of the chunks, the part that passes a filter. What does not pass is not scored, only looked at.
    """
    scale = max(share, _COST_OF_LOOKING)
    counts = {term: count * scale for term in terms if (count := frequencies.get(term, 1)) > 0}
    if sum(counts.values()) <= FEW_MATCHES:
        return TermChoice(tuple(counts))
    rarest_first = sorted(counts, key=counts.__getitem__)
    kept = _leading(rarest_first[:MOST_TERMS], counts, most=MOST_MATCHES, at_least=FEWEST_TERMS)
    rare = _leading(rarest_first[:kept], counts, most=RARE_MATCHES, at_least=1)
    asked, common = {*rarest_first[:kept]}, {*rarest_first[rare:kept]}
    return TermChoice(
        asked=tuple(term for term in counts if term in asked), common=tuple(term for term in counts if term in common)
    )


def _leading(terms: Sequence[str], counts: Mapping[str, float], *, most: int, at_least: int) -> int:
    """How many of the first terms match no more than so many chunks together."""
    matches = 0.0
    for place, term in enumerate(terms):
        matches += counts[term]
        if matches > most and place >= at_least:
            return place
    return len(terms)
