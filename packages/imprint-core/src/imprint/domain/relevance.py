"""Whether the best passages answer a question at all: "nothing relevant" is an answer.

Two things speak for a passage: its cosine with the question, and the share of the question's *information* that its
words cover, where a word says the more the rarer it is. Their sum parts real questions from those asked of the wrong
conversation or of a code base with an area under the curve of .988; either alone reaches .967 and .972.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping

import attrs

from imprint.domain.identifiers import index_text
from imprint.domain.sources import StoredChunk
from imprint.domain.stems import stem_of

__all__ = ["LOOKED_AT", "Evidence", "information_of", "is_faint", "is_relevant", "share_covered", "strength_of"]

LOOKED_AT = 5
"""So many of the best passages are looked at; one that speaks for itself is enough."""

ENOUGH = 0.6
"""Cosine and covered share together.

Chosen where 95% of LoCoMo's questions pass; so do 99% of the descriptions of Python functions, while 79% of questions
asked of another conversation and 93% or more of those asked of code are turned down.
"""

ENOUGH_WITHOUT_VECTOR = 0.24
"""The covered share alone, at the same 95%."""

FAINT = 0.15
"""Below this a passage is not shown beside better ones: a third of a percent of what answers lies there."""

SHARE_OF_BEST = 0.3
"""Nor below this share of the best. Of described functions none is lost up to .35; turns of conversations, where what
answers often shares no word with the question, are not held to it."""

CONTEXT_SHARE = 0.35
"""What a word of the neighbours in a conversation is worth beside one of the passage itself; as in full text."""

_FEWEST_CHUNKS = 50
"""In a smaller store a word's frequency says nothing yet."""

_WORD = re.compile(r"[^\W_]+")
_SHORTEST_STEM = 3


@attrs.frozen(kw_only=True)
class Evidence:
    """What speaks for a passage.

    Attributes:
        covered: Share of the question's information, between 0 and 1.
        cosine: `None` where passage or question has no vector.
    """

    covered: float
    cosine: float | None = None


def strength_of(evidence: Evidence) -> float:
    """What speaks for a passage in one figure; between -1 and 2 with a vector, and to be compared with it without."""
    if evidence.cosine is None:
        return evidence.covered * ENOUGH / ENOUGH_WITHOUT_VECTOR
    return evidence.cosine + evidence.covered


def is_relevant(strengths: Iterable[float]) -> bool:
    """Whether any of the passages answers."""
    return any(strength >= ENOUGH for strength in strengths)


def is_faint(strength: float, *, best: float = 0.0) -> bool:
    """Whether a passage has next to nothing to do with the question, beside the best there is."""
    return strength < max(FAINT, SHARE_OF_BEST * best)


def information_of(terms: Iterable[str], frequencies: Mapping[str, int], chunks: int) -> dict[str, float]:
    """Weigh single words by their rarity, as BM25 does; phrases say nothing that their words do not.

    Args:
        frequencies: In how many chunks a word occurs; missing: in none.
        chunks: How many there are.
    """
    total = max(chunks, _FEWEST_CHUNKS)
    return {
        term: math.log(1 + (total - count + 0.5) / (count + 0.5))
        for term in terms
        if " " not in term
        for count in [min(frequencies.get(term, 0), total)]
    }


def share_covered(passage: StoredChunk, information: Mapping[str, float]) -> float:
    """The share of a question's information that the words of a passage cover; those of its neighbours count less."""
    total = sum(information.values())
    if not total:
        return 0.0
    derived = index_text(passage.chunk, passage.source)
    stems = {term: stem_of(_fold(term)) for term in information}
    own = _stems_in(" ".join((passage.chunk.text, derived.words, derived.names, derived.place)), stems)
    around = _stems_in(derived.context, stems)
    covered = 0.0
    for term, weight in information.items():
        if stems[term] in own:
            covered += weight
        elif stems[term] in around:
            covered += CONTEXT_SHARE * weight
    return covered / total


def _stems_in(text: str, stems: Mapping[str, str]) -> set[str]:
    """The stems of a text's words, of those that begin like one of the wanted."""
    beginnings = {stem[:_SHORTEST_STEM] for stem in stems.values()}
    return {stem_of(word) for word in _WORD.findall(_fold(text)) if word[:_SHORTEST_STEM] in beginnings}


def _fold(text: str) -> str:
    """Small letters without accents, as full text compares them."""
    text = text.lower()
    if text.isascii():
        return text
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))
