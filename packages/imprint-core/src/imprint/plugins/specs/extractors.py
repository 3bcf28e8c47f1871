"""Group ``imprint.extractors``: a document's text and its structure."""

from imprint.domain.outlines import Document, Outline
from imprint.plugins.specs import hookspec
from imprint.plugins.values import ExtractorInfo

__all__ = ["describe_extractor", "extract"]


@hookspec(firstresult=True)
def describe_extractor() -> ExtractorInfo:
    """Say which documents this extractor asks for. Pure, and without heavy imports: listing plugins calls it.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def extract(document: Document) -> Outline | None:
    """Find a document's text and its sections. Pure: equal documents give equal outlines.

    Whatever the bytes are, it does not raise: a file that does not parse still has its text, and perhaps some sections.

    Args:
        document: Of a language or suffix that `describe_extractor` named; its text is `None` when it is binary.

    Returns:
        The outline, or `None` when the document is not this extractor's after all: the next one is asked. Sections are
        ordered by their first line, lie inside the text, and nest or do not touch. A text document's text is kept as it
        is, so that line numbers hold; a format that only wraps text (a notebook) gives the text inside.

    .. versionadded:: 0.1
    """
