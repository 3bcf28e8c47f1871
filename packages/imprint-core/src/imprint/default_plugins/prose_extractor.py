"""The extractor ``prose``: the headings of Markdown and its like, and notebooks.

A notebook's text is the Markdown made of its cells: lines are those of that text, not those of the file.
"""

from collections.abc import Sequence

from imprint.default_plugins.headings import Heading, nest_headings
from imprint.default_plugins.markdown_headings import find_front_matter_title, find_markdown_headings
from imprint.default_plugins.markup_headings import HEADING_FINDERS
from imprint.default_plugins.notebooks import render_notebook
from imprint.plugins import Document, ExtractorInfo, Outline, hookimpl

__all__ = ["describe_extractor", "extract"]

_LANGUAGES = frozenset(HEADING_FINDERS) | {"markdown"}
_NOTEBOOK = ".ipynb"


@hookimpl
def describe_extractor() -> ExtractorInfo:
    return ExtractorInfo(
        name="prose",
        summary="headings of Markdown, reStructuredText, AsciiDoc, Org, TeX, HTML and plain text; notebooks",
        languages=_LANGUAGES,
        suffixes=frozenset({_NOTEBOOK}),
        priority=10,
    )


@hookimpl
def extract(document: Document) -> Outline | None:
    if document.text is None:
        return None
    if document.name.lower().endswith(_NOTEBOOK):
        markdown = render_notebook(document.text)
        return None if markdown is None else _outline(markdown, "markdown")
    return _outline(document.text, document.language) if document.language in _LANGUAGES else None


def _outline(text: str, language: str) -> Outline:
    lines = text.split("\n")
    title = ""
    if language == "markdown":
        headings = list(find_markdown_headings(lines))
        title = find_front_matter_title(lines)
    else:
        headings = list(HEADING_FINDERS[language](lines))
    sections = nest_headings(headings, len(lines))
    return Outline(text=text, sections=sections, is_prose=True, title=title or _find_first_title(headings))


def _find_first_title(headings: Sequence[Heading]) -> str:
    """The text of the first heading of the highest rank in use."""
    return min(headings, key=lambda heading: heading.level).text if headings else ""
