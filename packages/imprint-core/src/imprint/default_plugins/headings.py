"""Headings: where the sections of prose begin, and how deep they lie."""

import re
from collections.abc import Sequence

import attrs

from imprint.plugins import Section

__all__ = ["Heading", "make_heading", "nest_headings"]

_LONGEST_TEXT = 200
_LINK = re.compile(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_MARKS = re.compile(r"[`*]|<[^>]*>|\{#[^}]*\}")


@attrs.frozen
class Heading:
    """A heading; its section ends where one of the same or a higher rank begins.

    Attributes:
        line: 1-based; of several lines the first.
        level: 1 is the highest rank.
        text: Without the marks of links, emphasis and code.
    """

    line: int
    level: int
    text: str


def make_heading(line: int, level: int, markup: str) -> Heading:
    """A heading whose text has lost its markup."""
    text = _MARKS.sub("", _LINK.sub(r"\1", markup[:_LONGEST_TEXT]))
    return Heading(line, level, " ".join(text.split()))


def nest_headings(headings: Sequence[Heading], last_line: int, separator: str = " > ") -> tuple[Section, ...]:
    """One section a heading that has a text, named by the path that leads to it (``Guide > Install``)."""
    headings = [heading for heading in headings if heading.text]
    ends = [last_line] * len(headings)
    symbols = []
    around: list[int] = []
    for index, heading in enumerate(headings):
        while around and headings[around[-1]].level >= heading.level:
            ends[around.pop()] = heading.line - 1
        around.append(index)
        symbols.append(separator.join(headings[holder].text for holder in around))
    return tuple(
        Section(symbol=symbol, start_line=heading.line, end_line=end)
        for heading, symbol, end in zip(headings, symbols, ends, strict=True)
    )
