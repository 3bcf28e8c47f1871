"""The extractor ``plain``: whatever no other extractor knows, with sections where a pattern finds definitions.

The patterns serve languages without a grammar, and stand in where a grammar's wheel is missing. A section lasts until
the next line that defines something and is indented no deeper.
"""

from collections.abc import Sequence

from imprint.default_plugins.definition_patterns import DEFINITIONS, DefinitionPattern
from imprint.default_plugins.headings import Heading, nest_headings
from imprint.default_plugins.leading_comments import first_line_with_comments
from imprint.plugins import Document, ExtractorInfo, Outline, hookimpl

__all__ = ["describe_extractor", "extract"]

_LONGEST_LINE = 400
_WITHOUT_QUOTES = str.maketrans("", "", "\"'`[]")


@hookimpl
def describe_extractor() -> ExtractorInfo:
    return ExtractorInfo(
        name="plain",
        summary="any text; definitions of many languages by their look, tables and keys of configuration",
        languages=frozenset({"*"}),
    )


@hookimpl
def extract(document: Document) -> Outline | None:
    if document.text is None:
        return None
    pattern = DEFINITIONS.get(document.language)
    if pattern is None:
        return Outline(text=document.text)
    lines = document.text.split("\n")
    return Outline(text=document.text, sections=nest_headings(_find_definitions(lines, pattern), len(lines), "."))


def _find_definitions(lines: Sequence[str], pattern: DefinitionPattern) -> list[Heading]:
    """Each with its indentation as its level."""
    found: list[Heading] = []
    free_from = 1
    for number, line in enumerate(lines, 1):
        if len(line) <= _LONGEST_LINE and (match := pattern.regex.match(line)) and match.lastindex:
            first_line = max(first_line_with_comments(lines, number, pattern.leads), free_from)
            indent = len(line) - len(line.lstrip())
            name = match[match.lastindex].translate(_WITHOUT_QUOTES)
            found.append(Heading(first_line, indent, name))
            free_from = number + 1
    return found
