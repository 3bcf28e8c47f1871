"""Documents are outlined without their secrets."""

from collections.abc import Callable

import attrs

from imprint.domain.outlines import Document, Outline, Section
from imprint.domain.redaction import Redact

__all__ = ["outline_without_secrets"]


def outline_without_secrets(
    document: Document, outline: Callable[[Document], Outline], redact: Redact
) -> tuple[Outline, int]:
    """Outline a document after its secrets were taken out; how many they were.

    What an extractor makes of it, the text of a notebook or of a file that is no text, is looked through once more:
    there a secret may stand together that was apart.
    """
    count = 0
    if document.text is not None:
        text, count = redact(document.text)
        if count:
            document = attrs.evolve(document, text=text, data=text.encode("utf-8", "surrogatepass"))
    found = outline(document)
    if found.text == document.text:
        return found, count
    text, more = redact(found.text)
    title, named = redact(found.title)
    sections = tuple(_without_secrets(section, redact) for section in found.sections)
    return attrs.evolve(found, text=text, title=title, sections=sections), count + more + named


def _without_secrets(section: Section, redact: Redact) -> Section:
    symbol, count = redact(section.symbol)
    return attrs.evolve(section, symbol=symbol) if count else section
