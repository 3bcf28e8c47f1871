"""Scripts without spaces between words: Chinese, Japanese and Korean are searched by single characters and pairs.

Full text takes a whole run of such letters for one word, so that no part of it is ever found. Korean has spaces, but
its words carry their particles with them, with the same effect.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

__all__ = ["index_grams", "query_grams", "without_unspaced"]

_UNSPACED = re.compile(
    "["
    "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003134f"
    "]+"
)
"""Han, kana, Hangul."""


def index_grams(text: str) -> Iterator[str]:
    """Yield every unspaced character and every pair of neighbours."""
    for run in _UNSPACED.findall(text):
        yield from run
        yield from map("".join, pairwise(run))


def query_grams(text: str) -> Iterator[str]:
    """Yield what to ask for: the pairs of each run, or its one character."""
    for run in _UNSPACED.findall(text):
        if len(run) == 1:
            yield run
        yield from map("".join, pairwise(run))


def without_unspaced(text: str) -> str:
    """Leave the rest of a text, a space where a run stood."""
    return text if text.isascii() else _UNSPACED.sub(" ", text)
