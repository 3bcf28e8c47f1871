"""Markdown: headings outside of code, and the front matter."""

import re
from collections.abc import Iterator, Sequence

from imprint.default_plugins.headings import Heading, make_heading

__all__ = ["find_front_matter_title", "find_markdown_headings"]

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+|>[ \t]?)*(`{3,}|~{3,})(.*)$")
_NOT_A_PARAGRAPH = re.compile(r" {4}|\t| {0,3}(?:#{1,6}(?:\s|$)|>|[-*+]\s|\d+[.)]\s|\||<|[-=]+\s*$)")
_TITLE = re.compile(r"title\s*[:=]\s*(\S.*)$")
_LONGEST_FRONT_MATTER = 200


def find_markdown_headings(lines: Sequence[str]) -> Iterator[Heading]:
    """ATX headings, and setext headings of one line, outside of fenced code and front matter."""
    begin = _front_matter_end(lines)
    fence = ""
    previous, before_previous = "", ""
    for number, line in enumerate(lines[begin:], begin + 1):
        paragraph = ""
        if ("```" in line or "~~~" in line) and (match := _FENCE.match(line)):
            mark, rest = match.groups()
            if fence:
                fence = "" if mark.startswith(fence) and not rest.strip() else fence
            elif mark[0] == "~" or "`" not in rest:
                fence = mark
        elif fence:
            pass
        elif match := _ATX.match(line):
            yield make_heading(number, len(match[1]), _without_closing(line[match.end() :].strip()))
        elif (match := _SETEXT.match(line)) and previous and not before_previous:
            yield make_heading(number - 1, 1 if match[1][0] == "=" else 2, previous)
        elif not _NOT_A_PARAGRAPH.match(line):
            paragraph = line.strip()
        previous, before_previous = paragraph, lines[number - 2].strip() if number > begin + 1 else ""


def find_front_matter_title(lines: Sequence[str]) -> str:
    """The ``title`` in the block of ``---`` or ``+++`` at the top, if there is one."""
    for line in lines[: _front_matter_end(lines)]:
        if match := _TITLE.match(line):
            return match[1].strip().strip("\"'")
    return ""


def _front_matter_end(lines: Sequence[str]) -> int:
    """How many lines it takes; 0 where there is none."""
    if lines and (mark := lines[0].rstrip()) in ("---", "+++"):
        for number, line in enumerate(lines[1:_LONGEST_FRONT_MATTER], 2):
            if line.rstrip() == mark:
                return number
    return 0


def _without_closing(text: str) -> str:
    """``Title ##`` is ``Title``, ``C#`` stays."""
    opened = text.rstrip("#")
    return opened.rstrip() if not opened or opened[-1] in " \t" else text
