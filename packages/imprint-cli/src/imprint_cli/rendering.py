"""Text for people: columns, sizes, snippets; nothing here knows a service."""

import re
import shutil
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imprint_cli.invocation import Invocation

__all__ = ["columns", "count", "moment", "printable", "size", "snippet"]

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_INDENT = "    "


def printable(text: str) -> str:
    """Text without what would steer a terminal: stored text is data, not commands."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def columns(headings: Sequence[str], rows: Sequence[Sequence[str]], invocation: "Invocation") -> str:
    """A plain table: as wide as its words, headings dimmed; nothing is cut."""
    lines = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(_width, cells)) for cells in zip(headings, *lines, strict=True)]
    head = _row(headings, widths)
    return "\n".join([invocation.style(head, dim=True), *(_row(line, widths) for line in lines)])


def count(number: int, noun: str) -> str:
    """`1 chunk`, `2,000 chunks`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def moment(text: str) -> str:
    """A stored moment (UTC) in the time of this place: `2026-01-31 12:00`, without the time at midnight."""
    if not text:
        return ""
    local = datetime.fromisoformat(text).astimezone()
    return f"{local:%Y-%m-%d}" if (local.hour, local.minute) == (0, 0) else f"{local:%Y-%m-%d %H:%M}"


def size(bytes: float) -> str:
    """A size as people say it: `3.4 MB`."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if bytes < 1000:
            return f"{bytes:.0f} {unit}" if unit == "bytes" or bytes >= 100 else f"{bytes:.1f} {unit}"
        bytes /= 1000
    return f"{bytes:.1f} TB"


def snippet(text: str, *, first_line: int | None, invocation: "Invocation", limit: int = 12) -> str:
    """A passage indented, with line numbers where it has some, cut to some lines and the terminal's width."""
    lines = printable(text).expandtabs(4).split("\n")
    start = next((index for index, line in enumerate(lines) if line.strip()), 0)
    shown = lines[start : start + limit]
    while shown and not shown[-1].strip():
        shown.pop()
    rest = len(lines) - start - len(shown)
    room = max(shutil.get_terminal_size((100, 24)).columns - len(_INDENT) - 8, 40)
    numbers = [str(first_line + start + index) if first_line is not None else "" for index in range(len(shown))]
    gutter = max(map(len, numbers), default=0)
    body = [
        _INDENT + invocation.style(f"{number:>{gutter}}", dim=True) + ("  " if gutter else "") + _cut(line, room)
        for number, line in zip(numbers, shown, strict=True)
    ]
    if rest > 0 and any(line.strip() for line in lines[start + len(shown) :]):
        body.append(_INDENT + invocation.style(f"{'':>{gutter}}  … {count(rest, 'more line')}", dim=True))
    return "\n".join(line.rstrip() for line in body)


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _cut(line: str, room: int) -> str:
    if _width(line) <= room:
        return line
    kept = 0
    for index, char in enumerate(line):
        kept += _width(char)
        if kept > room - 1:
            return line[:index] + "…"
    return line
