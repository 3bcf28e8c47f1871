"""JSON values one after the other, in memory that does not grow with their number."""

import json
import re
from collections.abc import Callable, Iterator

from imprint.domain.archives import MalformedError

__all__ = ["stream_values"]

_DECODER = json.JSONDecoder()
_BLANKS = re.compile(r"[ \t\r\n]*")
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_BLOCK = 1 << 20


def stream_values(read: Callable[[int], str], *, longest: int) -> Iterator[object]:
    """The items of an array, or values that follow each other (JSON lines).

    Args:
        read: Gives the next characters, at most so many; none at the end.
        longest: Characters of one value.

    Raises:
        MalformedError: What follows is no JSON, ends early, is nested too deeply or longer than it may be.
    """
    window = _Window(read)
    is_array = window.skip(_BLANKS) == "["
    if is_array:
        window.step()
    while (begin := window.skip(_BETWEEN)) and not (is_array and begin == "]"):
        yield window.take(longest)
    if is_array and not begin:
        raise MalformedError("it is cut off")


class _Window:
    """A part of the text, moved along."""

    def __init__(self, read: Callable[[int], str]) -> None:
        self._read = read
        self._text = ""
        self._place = 0
        self._is_over = False

    def step(self) -> None:
        self._place += 1

    def skip(self, blanks: re.Pattern[str]) -> str:
        """Pass over blanks; the character after them, none at the end."""
        while True:
            found = blanks.match(self._text, self._place)
            self._place = found.end() if found else self._place
            if self._place < len(self._text) or self._is_over:
                return self._text[self._place : self._place + 1]
            self._grow()

    def take(self, longest: int) -> object:
        """The value that begins here. A part of one is no value; more is read then, twice as much each time."""
        while True:
            problem = ""
            try:
                value, end = _DECODER.raw_decode(self._text, self._place)
            except RecursionError:
                raise MalformedError("a value is nested too deeply") from None
            except ValueError as error:
                problem = str(error)[:80]
            else:
                if end < len(self._text) or self._is_over:  # a number may go on
                    self._place = end
                    return value
            if self._is_over:
                raise MalformedError(f"it is cut off or no JSON: {problem}")
            if len(self._text) - self._place > longest:
                raise MalformedError(f"a value has more than {longest:,} characters, or is no JSON")
            self._grow()

    def _grow(self) -> None:
        rest = self._text[self._place :]
        more = self._read(max(_BLOCK, len(rest)))
        self._text, self._place = rest + more, 0
        self._is_over = not more
