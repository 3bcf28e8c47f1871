"""What a speaker says in a turn, apart from what is only shown in it: code, quotations, what stands between tags."""

import re
from collections.abc import Iterator

__all__ = ["own_words", "split_sentences"]

_LONGEST_OWN_WORDS = 4_000
"""What is longer was pasted into a question, not said."""

_CODE = re.compile(
    r"(?s:```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z))|^(?: {4}|\t|>)[^\n]*$|(?s:<([a-z][\w-]*)>.*?</\1>)", re.MULTILINE
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[\"'A-ZÄÖÜ])")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d+[.)]|#{1,6})\s+")


def own_words(text: str) -> str:
    """Text without code, quotations and what stands between tags."""
    return _CODE.sub("", text)


def split_sentences(text: str) -> Iterator[str]:
    """The sentences that were said, each on one line; none of what was pasted or is a quotation as a whole."""
    if len(text) > _LONGEST_OWN_WORDS:
        return
    for line in own_words(text).splitlines():
        for sentence in _SENTENCE_END.split(_BULLET.sub("", line)):
            plain = sentence.strip().strip("*_ ")
            if plain and not plain.startswith(('"', "“", "„", "'")):
                yield plain
