"""The same passage in several places is shown once."""

import re
from collections import Counter
from collections.abc import Iterable

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
    shown = _Shown()
    folds: list[list[StoredChunk]] = []
    for passage in ranked:
        words = _words_of(passage)
        shingles = _shingles_of(passage, words)
        twin = shown.find(words, shingles)
        if twin is None:
            shown.add(words, shingles)
            folds.append([passage])
        else:
            folds[twin].append(passage)
    return [Fold(first, tuple(others)) for first, *others in folds]


class _Shown:
    """The passages that are shown, by their words and by each of their shingles; so finding a twin compares few."""

    def __init__(self) -> None:
        self._by_words: dict[tuple[str, ...], int] = {}
        self._by_shingle: dict[tuple[str, ...], list[int]] = {}
        self._sizes: list[int] = []

    def find(self, words: tuple[str, ...], shingles: frozenset[tuple[str, ...]]) -> int | None:
        if words in self._by_words:
            return self._by_words[words]
        common = Counter(place for shingle in shingles for place in self._by_shingle.get(shingle, ()))
        same = [
            place for place, count in common.items() if count >= _SAME * (len(shingles) + self._sizes[place] - count)
        ]
        return min(same, default=None)

    def add(self, words: tuple[str, ...], shingles: frozenset[tuple[str, ...]]) -> None:
        place = len(self._sizes)
        self._by_words[words] = place
        self._sizes.append(len(shingles))
        for shingle in shingles:
            self._by_shingle.setdefault(shingle, []).append(place)


def _words_of(passage: StoredChunk) -> tuple[str, ...]:
    return tuple(_WORD.findall(passage.chunk.text.lower())) or (passage.chunk.text,)


def _shingles_of(passage: StoredChunk, words: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    if len(words) < _FEWEST_WORDS or passage.source.kind is SourceKind.MEMORY:
        return frozenset()
    return frozenset(zip(*(words[start:] for start in range(_SHINGLE)), strict=False))
