"""Headings of reStructuredText, AsciiDoc, Org, TeX and HTML, and of plain text that underlines them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from imprint.default_plugins.headings import Heading, make_heading

__all__ = ["HEADING_FINDERS"]

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_ASCIIDOC = re.compile(r"(={1,6})[ \t]+(\S.*)$")
_ASCIIDOC_BLOCK = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|/{4,}|\+{4,})\s*$")
_ORG = re.compile(r"(\*+)[ \t]+(\S.*)$")
_TEX = re.compile(r"\s*\\(part|chapter|section|subsection|subsubsection|paragraph)\*?(?:\[[^\]]*\])?\{([^}]*)")
_TEX_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph")
_HTML = re.compile(r"<h([1-6])(?:\s[^>]{0,300})?>(.*)", re.IGNORECASE)


def _find_underlined(lines: Sequence[str]) -> Iterator[Heading]:
    """Titles with an underline, with or without the same line above; ranks are in order of their first use."""
    ranks: dict[tuple[str, bool], int] = {}
    for index in range(1, len(lines)):
        title = lines[index - 1]
        if not (match := _ADORNMENT.match(lines[index])) or not title.strip() or _ADORNMENT.match(title):
            continue
        above = lines[index - 2].rstrip() if index > 1 else ""
        has_overline = above == lines[index].rstrip()
        is_long_enough = len(lines[index].rstrip()) >= min(len(title.rstrip()), 4)
        if not is_long_enough or (above and not has_overline) or (title[0].isspace() and not has_overline):
            continue
        rank = ranks.setdefault((match[1], has_overline), len(ranks) + 1)
        yield make_heading(index - 1 if has_overline else index, rank, title)


def _find_equals(lines: Sequence[str]) -> Iterator[Heading]:
    """``== Title`` outside of delimited blocks, as in AsciiDoc, MediaWiki and Typst."""
    block = ""
    for number, line in enumerate(lines, 1):
        if match := _ASCIIDOC_BLOCK.match(line):
            block = "" if block == match[1] else block or match[1]
        elif not block and (match := _ASCIIDOC.match(line)):
            yield make_heading(number, len(match[1]), match[2].strip("= \t"))


def _find_org(lines: Sequence[str]) -> Iterator[Heading]:
    for number, line in enumerate(lines, 1):
        if match := _ORG.match(line):
            yield make_heading(number, len(match[1]), match[2])


def _find_tex(lines: Sequence[str]) -> Iterator[Heading]:
    for number, line in enumerate(lines, 1):
        if match := _TEX.match(line):
            yield make_heading(number, _TEX_LEVELS.index(match[1]) + 1, match[2])


def _find_html(lines: Sequence[str]) -> Iterator[Heading]:
    """A heading's text is what stands on the line where it begins; the line's first heading counts."""
    for number, line in enumerate(lines, 1):
        if match := _HTML.search(line):
            yield make_heading(number, int(match[1]), match[2].partition("</h")[0])


HEADING_FINDERS: Final[Mapping[str, Callable[[Sequence[str]], Iterator[Heading]]]] = MappingProxyType(
    {
        "restructuredtext": _find_underlined,
        "text": _find_underlined,
        "asciidoc": _find_equals,
        "typst": _find_equals,
        "wiki": _find_equals,
        "org": _find_org,
        "tex": _find_tex,
        "html": _find_html,
    }
)
"""By the name of the language, as in `Document.language`."""
