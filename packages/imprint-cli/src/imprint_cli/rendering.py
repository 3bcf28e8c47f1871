"""Text for people: columns, sizes, snippets; nothing here knows a service."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imprint_cli.invocation import Invocation

__all__ = ["columns", "count", "duration", "label", "moment", "printable", "size", "snippet"]

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_INDENT = "    "
_LEAST_FOLDED = 30
"""Columns below which a folded cell is harder to read than one that stands below the others."""


def printable(text: str) -> str:
    """Text without what would steer a terminal: stored text is data, not commands."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def label(text: object) -> str:
    """A name or path as part of a line: as `printable`, and without line breaks."""
    return printable(str(text)).replace("\n", "\N{REPLACEMENT CHARACTER}").replace("\t", " ")


def columns(headings: Sequence[str], rows: Sequence[Sequence[str]], invocation: "Invocation") -> str:
    """A plain table, headings dimmed; nothing is cut.

    Where a terminal is narrower than the words, the last column is folded or stands below the others, or all but the
    first stand below it.
    """
    lines = [[label(cell) for cell in row] for row in rows]
    widths = [max(map(_width, cells)) for cells in zip(headings, *lines, strict=True)]
    before_last = sum(widths[:-1]) + 2 * (len(widths) - 1)
    room = invocation.width
    if room is None or before_last + widths[-1] <= room:
        shape = _row
    elif room - before_last >= max([_LEAST_FOLDED, *(_width(word) for line in lines for word in line[-1].split())]):
        shape = partial(_folded_row, room=room)
    elif before_last - 2 <= room:
        shape = partial(_dropped_row, room=room)
    else:
        shape = partial(_stacked_row, room=room)
    return "\n".join([invocation.style(shape(headings, widths), dim=True), *(shape(line, widths) for line in lines)])


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 chunk`, `2,000 chunks`; a plural that takes more than an `s` is given."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def moment(text: str) -> str:
    """A stored moment (UTC) in the time of this place: `2026-01-31 12:00`, without the time at midnight."""
    if not text:
        return ""
    local = datetime.fromisoformat(text).astimezone()
    return f"{local:%Y-%m-%d}" if (local.hour, local.minute) == (0, 0) else f"{local:%Y-%m-%d %H:%M}"


def duration(seconds: float) -> str:
    """A stretch of time as people say it: `40 s`, `12 min`, `3 h 5 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def size(bytes: float) -> str:
    """A size as people say it: `3.4 MB`."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if bytes < 1000:
            return f"{bytes:.0f} {unit}" if unit == "bytes" or bytes >= 100 else f"{bytes:.1f} {unit}"
        bytes /= 1000
    return f"{bytes:.1f} TB"


def snippet(
    text: str,
    *,
    first_line: int | None,
    invocation: "Invocation",
    limit: int = 12,
    terms: Sequence[str] = (),
) -> str:
    """A passage indented, with line numbers where it has some, cut to some lines and to a terminal's width.

    Of a passage with more lines than the limit those are shown that hold the most of the terms.
    """
    lines = printable(text).expandtabs(4).rstrip().split("\n")
    blank = next((index for index, line in enumerate(lines) if line), 0)
    lines, first_line = lines[blank:], None if first_line is None else first_line + blank
    start = _densest(lines, terms, limit)
    shown = lines[start : start + limit]
    numbers = [str(first_line + start + index) if first_line is not None else "" for index in range(len(shown))]
    gutter = max(map(len, numbers))
    width = invocation.width
    room = None if width is None else max(width - len(_INDENT) - gutter - 2, 40)
    body = []
    for number, line in zip(numbers, shown, strict=True):
        margin = invocation.style(f"{number:>{gutter}}  ", dim=True) if gutter else ""
        body.append(f"{_INDENT}{margin}{_cut(line, room)}".rstrip())
    if rest := len(lines) - len(shown):
        body.append(_INDENT + invocation.style(f"{'':>{gutter}}  … {count(rest, 'more line')}", dim=True))
    return "\n".join(body)


def _densest(lines: Sequence[str], terms: Sequence[str], limit: int) -> int:
    """The first of the lines worth showing: the earliest stretch that holds the most different terms."""
    held = [{term for term in terms if term in line} for line in map(str.lower, lines)]
    starts = range(max(len(lines) - limit, 0) + 1)
    return max(starts, key=lambda start: len(set().union(*held[start : start + limit])))


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _folded_row(cells: Sequence[str], widths: Sequence[int], *, room: int) -> str:
    """A row whose last cell takes several lines."""
    indent = " " * (sum(widths[:-1]) + 2 * (len(widths) - 1))
    first, *rest = _fold(cells[-1], room - len(indent)) or [""]
    return "\n".join([_row([*cells[:-1], first], [*widths[:-1], 0]), *(indent + line for line in rest)])


def _dropped_row(cells: Sequence[str], widths: Sequence[int], *, room: int) -> str:
    """A row whose last cell stands below the others."""
    below = _fold(cells[-1], room - len(_INDENT))
    return "\n".join([_row(cells[:-1], widths[:-1]), *(_INDENT + line for line in below)])


def _stacked_row(cells: Sequence[str], widths: Sequence[int], *, room: int) -> str:
    """A row whose first cell has a line of its own."""
    below = _row(cells[1:], widths[1:])
    lines = [below] if _width(below) + 2 <= room else _fold("  ".join(filter(None, cells[1:])), room - 2)
    return "\n".join([cells[0], *(f"  {line}" for line in lines if line.strip())])


def _fold(text: str, room: int) -> list[str]:
    """Lines of whole words: a path that is longer is left to the terminal, so that it can be copied."""
    import textwrap  # only narrow terminals need it

    return textwrap.wrap(text, max(room, 20), break_on_hyphens=False, break_long_words=False)


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _cut(line: str, room: int | None) -> str:
    if room is None or _width(line) <= room:
        return line
    kept = 0
    for index, char in enumerate(line):
        kept += _width(char)
        if kept > room - 1:
            return line[:index] + "…"
    return line
