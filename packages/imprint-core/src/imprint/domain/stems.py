"""Words without their English endings.

Near enough to full text's stemmer for what is judged by several words, or looked up afterwards.
"""

import re

__all__ = ["stem_of"]

_ENDING = re.compile(r"(?<=\w{3})(?:ations?|ments?|ingly|edly|ings?|ies|ied|ed|es|ly|s|e|(?<![aeiou])y)$")


def stem_of(word: str) -> str:
    """Cut a word's ending; at least three letters stay."""
    return _ENDING.sub("", word)
