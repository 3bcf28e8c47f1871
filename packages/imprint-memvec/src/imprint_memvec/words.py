"""Words of documents, each added up once: a tokenizer's work for the whole of a project is mostly the same words.

WordPiece looks at one word at a time, so the sum over a text's tokens is the sum over its words' sums. BERT's rules
make a word of letters and digits, and one of each other mark; where a text is plain ASCII, which is nearly all source
code, bytes are enough to follow them exactly. What stands between two blanks and is not plain is a word here too, whose
tokens the tokenizer finds.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy

if TYPE_CHECKING:
    from imprint.protocols.embedders import Vector

    TokenSum: TypeAlias = Callable[[str, int], tuple[Vector, int]]

__all__ = ["WordSums"]

_ASCII: Final = 128
_MARKS: Final = numpy.array([code for code in range(33, 127) if not chr(code).isalnum()])
_DROPPED: Final = bytes(code for code in (*range(32), 127) if chr(code) not in "\t\n\r")
"""Control characters vanish from inside words before the tokenizer splits: too rare to be worth doing here."""

_WORDS_ONLY: Final = bytes(ord(chr(code).lower()) if chr(code).isalnum() else ord(" ") for code in range(_ASCII)).ljust(
    256
)
_WORD_OR_MARK: Final = re.compile(rb"[a-z0-9]+|[^a-z0-9\s]")
_SPECIAL_TOKENS: Final = ("[PAD]", "[UNK]")
_ROOM: Final = 32_768


class WordSums(dict[bytes, int]):
    """Sums of token rows by word: each word's place in one table, filled on first sight.

    What comes often comes early: when the table is full, the later half of the words makes room.
    """

    def __init__(self, token_sum: "TokenSum", *, width: int, limit: int, room: int = _ROOM) -> None:
        """Know no word yet.

        Args:
            token_sum: The sum of the rows of a word's tokens, and their number; of the first ones, up to a number.
            limit: So many tokens of a text count.
            room: So many words fit, more than the limit.
        """
        super().__init__()
        self._token_sum = token_sum
        self._limit = limit
        self._sums = numpy.empty((room, width), dtype=numpy.float32)
        self._counts = numpy.empty(room, dtype=numpy.int32)
        self._marks = numpy.array([token_sum(chr(code), 1)[0] for code in _MARKS], dtype=numpy.float32)
        self._ones = numpy.ones(limit, dtype=numpy.float32)

    def __missing__(self, word: bytes) -> int:
        place = len(self)
        self._sums[place], self._counts[place] = self._token_sum(word.decode(), self._limit)
        self[word] = place
        return place

    def add_up(self, text: str, *, out: "Vector") -> bool:
        """Write the sum over a text's tokens to ``out``; false, with nothing written, if only the tokenizer can."""
        if any(token in text for token in _SPECIAL_TOKENS):
            return False
        data = text.encode("utf-8", "replace")
        if len(data.translate(None, _DROPPED)) < len(data):
            return False
        plain, foreign = (data, []) if text.isascii() else _part(data)
        words = plain.translate(_WORDS_ONLY).split() + foreign
        self._make_room(len(words))
        if len(words) <= self._limit:
            places = numpy.fromiter(map(self.__getitem__, words), dtype=numpy.intp, count=len(words))
            characters = numpy.bincount(numpy.frombuffer(plain, dtype=numpy.uint8), minlength=_ASCII)
            marks = characters.take(_MARKS)
            if numpy.add.reduce(self._counts.take(places)) + numpy.add.reduce(marks) <= self._limit:
                numpy.dot(self._ones[: len(places)], self._sums.take(places, axis=0), out=out)
                out += marks.astype(numpy.float32) @ self._marks
                return True
        if not foreign:
            self._add_up_beginning(plain, out)
        return not foreign

    def _add_up_beginning(self, plain: bytes, out: "Vector") -> None:
        """Write the sum over as many tokens as count."""
        remaining = self._limit
        for found in _WORD_OR_MARK.finditer(plain.lower()):
            place = self[found[0]]
            if (count := int(self._counts[place])) <= remaining:
                out += self._sums[place]
            else:
                out += self._token_sum(found[0].decode(), remaining)[0]
            remaining -= count
            if remaining <= 0:
                break

    def _make_room(self, words: int) -> None:
        if len(self) + min(words, self._limit) > len(self._sums):
            for word in list(self)[min(len(self) // 2, len(self._sums) - self._limit) :]:
                del self[word]


def _part(data: bytes) -> tuple[bytes, list[bytes]]:
    """The plain words of a text, and the others."""
    words = data.split()
    return b" ".join(word for word in words if word.isascii()), [word for word in words if not word.isascii()]
