"""Results as text for a model: within the budget, recalled text fenced as data, with what to ask next."""

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from imprint.domain.notices import quoted
from imprint.errors import escaped

if TYPE_CHECKING:
    from imprint.domain.sources import Source, StoredChunk

__all__ = [
    "BUDGET",
    "count",
    "cut_text",
    "day",
    "excerpt",
    "fence",
    "fit",
    "in_workspace",
    "kind_word",
    "label",
    "name_source",
]

BUDGET = 8_000
"""Characters of a result. Some clients cut what is longer."""

_CUT = "…"
_MARK = "recalled"


def fit(items: Sequence[str], room: int) -> tuple[str, int]:
    """As many items as there is room for, on lines of their own; and how many were left out."""
    used = 0
    for place, item in enumerate(items):
        used += len(item) + 1
        if used > room + 1:
            return "\n".join(items[:place]), len(items) - place
    return "\n".join(items), 0


def cut_text(text: str, room: int) -> str:
    """Text that is not longer than there is room for."""
    return text if len(text) <= room else text[: max(room - 1, 0)] + _CUT


def fence(text: str) -> str:
    """Put recalled text between marks that it cannot contain, so that where it ends is beyond doubt.

    What only looks like the end of them counts too: other spacing, case or width.
    """
    mark, number = _MARK, 1
    folded = "".join(unicodedata.normalize("NFKC", text).split()).casefold()
    while f"</{mark}" in folded:
        number += 1
        mark = f"{_MARK}-{number}"
    return f"<{mark}>\n{text}\n</{mark}>"


def excerpt(text: str, terms: Sequence[str], room: int) -> str:
    """The lines of a text that say the most about some terms; the whole text where there is room for it."""
    if len(text) <= room:
        return text
    lines = text.split("\n")
    held = [{term for term in terms if term in line} for line in map(str.lower, lines)]
    best = max(range(len(lines)), key=lambda place: (len(_held_from(lines, held, place, room)), -place))
    end = best
    while end < len(lines) and sum(len(line) + 1 for line in lines[best : end + 1]) <= room:
        end += 1
    shown = cut_text("\n".join(lines[best : max(end, best + 1)]), room)
    before, after = (_CUT if best else ""), (_CUT if end < len(lines) and not shown.endswith(_CUT) else "")
    return before + shown + after


def label(passage: "StoredChunk") -> str:
    """Where a passage is from: `"/src/app.py" lines 12-30 in "Store.open"`, or `decision of 2026-01-31`."""
    source, chunk = passage.source, passage.chunk
    if source.memory_kind is not None:
        return f"{kind_word(source)} of {day(source.time)}"
    lines = ""
    if chunk.start_line is not None:
        last = chunk.end_line if chunk.end_line not in (None, chunk.start_line) else None
        lines = f" lines {chunk.start_line}-{last}" if last else f" line {chunk.start_line}"
    symbol = f" in {quoted(chunk.symbol)}" if chunk.symbol else ""
    said = f" said by {chunk.role} on {day(chunk.time)}" if chunk.role and chunk.time else ""
    return f"{name_source(source.key)}{lines}{symbol}{said}"


def name_source(key: str) -> str:
    """A source's key or a path in double quotes: a repository may have chosen it."""
    return f'"{escaped(key, limit=400)}"'


def kind_word(source: "Source") -> str:
    """The most exact word that `kind` takes for a source."""
    return (source.memory_kind or source.kind).value


def day(moment: str) -> str:
    """The day of a stored moment."""
    return moment[:10] or "unknown date"


def count(number: int, noun: str) -> str:
    """`1 passage`, `2,000 passages`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def in_workspace(workspace: str) -> str:
    """`in workspace "acme"`."""
    return f"in workspace {quoted(workspace)}"


def _held_from(lines: Sequence[str], held: Sequence[set[str]], start: int, room: int) -> set[str]:
    found: set[str] = set()
    for place in range(start, len(lines)):
        room -= len(lines[place]) + 1
        if room < 0 and place > start:
            break
        found |= held[place]
    return found
