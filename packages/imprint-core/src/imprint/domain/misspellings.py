"""A word that occurs nowhere is perhaps another one, misspelled.

Full text knows only the stems of words. So the stems that may be meant are chosen first, and the words as they were
written are compared afterwards.
"""

import re
from collections.abc import Iterable

__all__ = ["COMMON_START", "choose_correction", "may_be_misspelled", "may_be_stem_of"]

COMMON_START = 2
"""So many letters are taken to be right: that leaves few words to be looked through."""

_FEWEST_LETTERS = 5
_LONGEST_ENDING = 6
_PLAIN_WORD = re.compile(r"[^\W\d_]+")


def may_be_misspelled(term: str) -> bool:
    """Whether a term is one word, and long enough for a guess."""
    return len(term) >= _FEWEST_LETTERS and _PLAIN_WORD.fullmatch(term) is not None


def may_be_stem_of(stem: str, word: str) -> bool:
    """Whether a stem is that of a word which differs from this one by one edit."""
    lengths = range(max(len(stem) - 1, len(word) - _LONGEST_ENDING), len(stem) + 2)
    return any(_differ_by_one_edit(stem, word[:length]) or stem == word[:length] for length in lengths)


def choose_correction(word: str, written: Iterable[str]) -> str:
    """The first of some words that differs by one edit; empty where none does."""
    return next((other for other in written if _differ_by_one_edit(word, other)), "")


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
