"""The same passage in several places is shown once."""

import re
from collections.abc import Iterable

import attrs

from imprint.domain.sources import ChunkId, SourceKind, StoredChunk

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
    shown: list[tuple[StoredChunk, _Fingerprint]] = []
    duplicates: dict[ChunkId, list[StoredChunk]] = {}
    for passage in ranked:
        print_ = _fingerprint(passage)
        twin = next((other for other, known in shown if known.says_the_same(print_)), None)
        if twin is None:
            shown.append((passage, print_))
        else:
            duplicates.setdefault(twin.id, []).append(passage)
    return [Fold(passage, tuple(duplicates.get(passage.id, ()))) for passage, _ in shown]


@attrs.frozen
class _Fingerprint:
    words: tuple[str, ...]
    shingles: frozenset[tuple[str, ...]]

    def says_the_same(self, other: "_Fingerprint") -> bool:
        if self.words == other.words:
            return True
        smaller, larger = sorted((len(self.shingles), len(other.shingles)))
        if smaller < _SAME * larger or not smaller:
            return False
        common = len(self.shingles & other.shingles)
        return common >= _SAME * (smaller + larger - common)


def _fingerprint(passage: StoredChunk) -> _Fingerprint:
    words = tuple(_WORD.findall(passage.chunk.text.lower())) or (passage.chunk.text,)
    if len(words) < _FEWEST_WORDS or passage.source.kind is SourceKind.MEMORY:
        return _Fingerprint(words, frozenset())
    return _Fingerprint(words, frozenset(zip(*(words[start:] for start in range(_SHINGLE)), strict=False)))
