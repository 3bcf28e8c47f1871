"""Words of documents, each added up once: a tokenizer's work for the whole of a project is mostly the same words.

WordPiece looks at one word at a time, so the sum over a text's tokens is the sum over its words' sums. Splitting into
words is exact for plain ASCII, which is nearly all source code; other texts are left to the tokenizer.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy

if TYPE_CHECKING:
    from imprint.protocols.embedders import Vector

__all__ = ["WordSums", "split_words"]

_WORD: Final = re.compile(r"[a-z0-9]+|[^a-z0-9\s]")
_DROPPED: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Control characters vanish from inside words before the tokenizer splits: too rare to be worth doing here."""

_SPECIAL_TOKENS: Final = ("[PAD]", "[UNK]")
_ROOM: Final = 16_384


def split_words(text: str) -> list[str] | None:
    """The words and marks of a text as BERT's rules part them, or `None` where only the tokenizer is exact."""
    if not text.isascii() or _DROPPED.search(text) or any(token in text for token in _SPECIAL_TOKENS):
        return None
    return _WORD.findall(text.lower())


class WordSums(dict[str, int]):
    """Sums of token rows by word: each word's place in one table, filled on first sight, emptied when full."""

    def __init__(self, token_sum: "Callable[[str], tuple[Vector, int]]", *, width: int, room: int = _ROOM) -> None:
        super().__init__()
        self._token_sum = token_sum
        self._sums = numpy.empty((room, width), dtype=numpy.float32)
        self._counts = numpy.empty(room, dtype=numpy.int32)

    def __missing__(self, word: str) -> int:
        place = len(self)
        self._sums[place], self._counts[place] = self._token_sum(word)
        self[word] = place
        return place

    def add_up(self, words: list[str], *, limit: int, out: "Vector") -> bool:
        """Write the sum over the words to ``out``; false, with nothing written, if they have more tokens than that."""
        if len(words) > limit:
            return False
        if len(self) + len(words) > len(self._sums):
            self.clear()
        places = numpy.fromiter(map(self.__getitem__, words), dtype=numpy.intp, count=len(words))
        if self._counts[places].sum() > limit:
            return False
        numpy.add.reduce(self._sums.take(places, axis=0), axis=0, out=out)
        return True
