"""WordPiece for one word: the longest known piece again and again, as the tokenizer finds it, in less time."""

from collections.abc import Iterable, Mapping
from typing import Final

__all__ = ["WordPieces"]

_CONTINUES: Final = "##"
_LONGEST_WORD: Final = 100
"""A longer word is unknown as a whole: ``max_input_chars_per_word`` of the tokenizer."""


class WordPieces:
    """The pieces of a vocabulary by where in a word they may stand."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._first = {piece: id for piece, id in vocabulary.items() if not piece.startswith(_CONTINUES)}
        self._later = {piece[2:]: id for piece, id in vocabulary.items() if piece.startswith(_CONTINUES)}
        self._longest_first = _longest_by_beginning(self._first)
        self._longest_later = _longest_by_beginning(self._later)

    def split(self, word: str) -> list[int]:
        """The ids of a word's pieces; none where one of them is unknown, which makes the word unknown."""
        ids: list[int] = []
        if len(word) > _LONGEST_WORD:
            return ids
        start, pieces, longest = 0, self._first, self._longest_first
        while start < len(word):
            most = longest.get(word[start : start + 2], 1)
            for end in range(min(len(word), start + most), start, -1):
                if (id := pieces.get(word[start:end])) is not None:
                    break
            else:
                return []
            ids.append(id)
            start, pieces, longest = end, self._later, self._longest_later
        return ids


def _longest_by_beginning(pieces: Iterable[str]) -> dict[str, int]:
    """The length of the longest piece with each beginning of two letters; most beginnings have no long one."""
    longest: dict[str, int] = {}
    for piece in pieces:
        longest[piece[:2]] = max(longest.get(piece[:2], 0), len(piece))
    return longest
