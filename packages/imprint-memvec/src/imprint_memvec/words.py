"""Words of documents, each added up once: a tokenizer's work for the whole of a project is mostly the same words.

WordPiece looks at one word at a time, so the sum over a text's tokens is the sum over its words' sums. BERT's rules
make a word of letters and digits, and one of each other mark; for plain ASCII, which is nearly all source code, bytes
are enough to follow them exactly. Other texts are left to the tokenizer.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy

if TYPE_CHECKING:
    from imprint.protocols.embedders import Vector

__all__ = ["WordSums"]

_ASCII: Final = 128
_MARKS: Final = numpy.array([code for code in range(33, 127) if not chr(code).isalnum()])
_DROPPED: Final = bytes(code for code in (*range(32), 127) if chr(code) not in "\t\n\r")
"""Control characters vanish from inside words before the tokenizer splits: too rare to be worth doing here."""

_WORDS_ONLY: Final = bytes(ord(chr(code).lower()) if chr(code).isalnum() else ord(" ") for code in range(_ASCII)).ljust(
    256
)
_SPECIAL_TOKENS: Final = ("[PAD]", "[UNK]")
_ROOM: Final = 32_768


class WordSums(dict[bytes, int]):
    """Sums of token rows by word: each word's place in one table, filled on first sight, emptied when full."""

    def __init__(self, token_sum: "Callable[[str], tuple[Vector, int]]", *, width: int, room: int = _ROOM) -> None:
        super().__init__()
        self._token_sum = token_sum
        self._sums = numpy.empty((room, width), dtype=numpy.float32)
        self._counts = numpy.empty(room, dtype=numpy.int32)
        self._marks = numpy.array([token_sum(chr(code))[0] for code in _MARKS], dtype=numpy.float32)

    def __missing__(self, word: bytes) -> int:
        place = len(self)
        self._sums[place], self._counts[place] = self._token_sum(word.decode())
        self[word] = place
        return place

    def add_up(self, text: str, *, limit: int, out: "Vector") -> bool:
        """Write the sum over a text's tokens to ``out``.

        False, with nothing written, if only the tokenizer is exact, or if there are more tokens than the limit.
        """
        if not text.isascii() or any(token in text for token in _SPECIAL_TOKENS):
            return False
        data = text.encode("ascii")
        words = data.translate(_WORDS_ONLY).split()
        if len(words) > limit or len(data.translate(None, _DROPPED)) < len(data):
            return False
        if len(self) + len(words) > len(self._sums):
            self.clear()
        places = numpy.fromiter(map(self.__getitem__, words), dtype=numpy.intp, count=len(words))
        characters = numpy.bincount(numpy.frombuffer(data, dtype=numpy.uint8), minlength=_ASCII)
        marks = characters.take(_MARKS)
        if numpy.add.reduce(self._counts.take(places)) + numpy.add.reduce(marks) > limit:
            return False
        numpy.add.reduce(self._sums.take(places, axis=0), axis=0, out=out)
        out += marks.astype(numpy.float32) @ self._marks
        return True
