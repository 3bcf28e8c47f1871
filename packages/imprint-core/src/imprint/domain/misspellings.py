"""A word that occurs nowhere is perhaps another one, misspelled.

Full text knows only the stems of words. So the stems that may be meant are chosen first, and the words as they were
written are compared afterwards.
"""

import re
from collections import Counter
from collections.abc import Sequence

from imprint.domain.stems import stem_of

__all__ = ["COMMON_START", "choose_correction", "find_proper_names", "may_be_misspelled", "may_be_stem_of"]

COMMON_START = 2
"""So many letters are taken to be right: that leaves few words to be looked through."""

_FEWEST_LETTERS = 6
_FEWEST_WITH_OTHER = 8
_LONGEST_ENDING = 6
_PLAIN_WORD = re.compile(r"[^\W\d_]+")


def may_be_misspelled(term: str) -> bool:
    """Whether a term is one word, and long enough for a guess."""
    return len(term) >= _FEWEST_LETTERS and _PLAIN_WORD.fullmatch(term) is not None


def find_proper_names(text: str) -> frozenset[str]:
    """Words with a capital inside a text: who is unknown here is not somebody else."""
    return frozenset(word.lower() for word in _PLAIN_WORD.findall(text)[1:] if word.istitle())


def may_be_stem_of(stem: str, word: str) -> bool:
    """Whether a stem, as full text has it, is that of a word which differs from this one by one edit."""
    lengths = range(max(len(stem) - 1, len(word) - _LONGEST_ENDING), len(stem) + 2)
    spellings = (stem, f"{stem[:-1]}y") if stem.endswith("i") else (stem,)
    return any(
        spelling == word[:length] or _differ_by_one_edit(spelling, word[:length])
        for spelling in spellings
        for length in lengths
    )


def choose_correction(word: str, written: Sequence[str]) -> str:
    """The first of some words that differs by one slip, or but for its ending; empty where none does."""
    stem = stem_of(word)
    exact = (other for other in written if _is_slip(word, other))
    inflected = (other for other in written if _is_slip(stem, stem_of(other)) and stem[-1] == stem_of(other)[-1])
    return next(exact, "") or next(inflected, "")


def _is_slip(word: str, meant: str) -> bool:
    """Whether two words differ by one edit that is more likely a slip than another word.

    Most words have neighbours by another letter, and short ones by a letter more or less: *flood* and *floor*, *store*
    and *story* are both meant.
    """
    is_other_letter = len(word) == len(meant) and Counter(word) != Counter(meant)
    fewest = _FEWEST_WITH_OTHER if is_other_letter else _FEWEST_LETTERS
    return len(word) >= fewest and _differ_by_one_edit(word, meant)


def _differ_by_one_edit(some: str, other: str) -> bool:
    """Whether one letter is missing, too many or another, or two neighbours have changed places."""
    shorter, longer = sorted((some, other), key=len)
    if len(longer) - len(shorter) > 1 or some == other:
        return False
    start = next((at for at, (one, two) in enumerate(zip(shorter, longer, strict=False)) if one != two), len(shorter))
    if len(shorter) < len(longer):
        return shorter[start:] == longer[start + 1 :]
    swapped = longer[start + 1 : start + 2] + longer[start : start + 1]
    return shorter[start + 1 :] == longer[start + 1 :] or shorter[start:] == swapped + longer[start + 2 :]
