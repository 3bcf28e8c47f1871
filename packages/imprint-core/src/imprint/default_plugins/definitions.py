"""Definitions found in code become sections, however they were found."""

from collections.abc import Iterable, Iterator, Sequence

import attrs

from imprint.default_plugins.leading_comments import first_line_with_comments
from imprint.plugins import Section

__all__ = ["Definition", "make_sections", "shorten_name"]

_LONGEST_NAME = 100


@attrs.frozen(kw_only=True)
class Definition:
    """A function, a class or their like.

    Attributes:
        scope: The type it is written outside of.
        start: Where it begins, in whatever unit its finder counts.
        end: Behind its last unit.
    """

    name: str
    scope: str = ""
    start: int
    end: int
    first_line: int
    last_line: int


def shorten_name(name: str) -> str:
    """The name, cut where it is too long to be one."""
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"


def make_sections(definitions: Iterable[Definition], lines: Sequence[str], leads: tuple[str, ...]) -> Iterator[Section]:
    """Qualify names by what holds them, and add the comments that lead up to each.

    Args:
        definitions: Outer ones before what they hold.
        leads: What a line begins with that belongs to the definition below it.
    """
    around: list[tuple[Definition, str]] = []
    free_from = 1
    for definition in definitions:
        while around and around[-1][0].end <= definition.start:
            free_from = max(free_from, around.pop()[0].last_line + 1)
        holder, prefix = around[-1] if around else (None, "")
        if holder and _is_part_of_line(definition, holder):
            continue
        first_line = max(first_line_with_comments(lines, definition.first_line, leads), free_from)
        if first_line > definition.last_line:
            continue
        symbol = ".".join(name for name in (prefix, definition.scope, definition.name) if name)
        yield Section(symbol=symbol, start_line=first_line, end_line=definition.last_line)
        around.append((definition, symbol))
        free_from = first_line


def _is_part_of_line(definition: Definition, holder: Definition) -> bool:
    """Members on one line need no section of their own; nor do the later names of ``const a = …, b = …``."""
    is_same = (definition.start, definition.end) == (holder.start, holder.end)
    return is_same or definition.first_line == definition.last_line
