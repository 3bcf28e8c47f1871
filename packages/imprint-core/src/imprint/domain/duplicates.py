"""The same passage in several places is shown once."""

import re
from collections.abc import Iterable
from typing import Any

import attrs

from imprint.domain.sources import SourceKind, StoredChunk

__all__ = ["Fold", "fold_duplicates"]

_WORD = re.compile(r"\w+")
_SHINGLE = 4
_FEWEST_WORDS = 24
"""Shorter texts are the same only word by word: one changed word may be all they say."""

_SAME = 0.9
"""Share of common shingles (Jaccard) from which two texts count as one."""


@attrs.frozen
class Fold:
    """A passage to be shown, and those that say the same, best first."""

    shown: StoredChunk
    duplicates: tuple[StoredChunk, ...] = ()


def fold_duplicates(ranked: Iterable[StoredChunk]) -> list[Fold]:
    """Fold each passage into the first that says the same; the order of the shown ones stays.

    Memories are folded only when they are the same word by word: where two differ in one number, that is the point.
    """
    folds: list[tuple[_Wording, list[StoredChunk]]] = []
    for passage in ranked:
        wording = _Wording.of(passage)
        twins = next((passages for other, passages in folds if other.says_the_same(wording)), None)
        if twins is None:
            folds.append((wording, [passage]))
        else:
            twins.append(passage)
    return [Fold(first, tuple(others)) for _, (first, *others) in folds]


@attrs.frozen(eq=False)
class _Wording:
    words: tuple[str, ...]
    distinct: frozenset[str]
    size: int
    is_exact: bool

    @classmethod
    def of(cls, passage: StoredChunk) -> "_Wording":
        words = tuple(_WORD.findall(passage.chunk.text.lower())) or (passage.chunk.text,)
        is_exact = len(words) < _FEWEST_WORDS or passage.source.kind is SourceKind.MEMORY
        distinct = frozenset(words)
        return cls(words, distinct, len(distinct), is_exact)

    def says_the_same(self, other: "_Wording") -> bool:
        if self.is_exact or other.is_exact:
            return self.words == other.words
        if self.size < _SAME * other.size or other.size < _SAME * self.size:
            return False
        # Texts that share their shingles share their words too, which is seen much faster.
        return _are_alike(self.distinct, other.distinct) and _are_alike(self._shingles(), other._shingles())

    def _shingles(self) -> frozenset[tuple[str, ...]]:
        return frozenset(zip(*(self.words[start:] for start in range(_SHINGLE)), strict=False))


def _are_alike(some: frozenset[Any], others: frozenset[Any]) -> bool:
    common = len(some & others)
    return common >= _SAME * (len(some) + len(others) - common)
