"""Documents and the structure found in them: what text extractors are given and what they give back."""

import attrs

__all__ = ["Document", "Outline", "Section"]


@attrs.frozen(kw_only=True)
class Document:
    """A file to be extracted.

    Attributes:
        name: File name with its suffix.
        language: As detected by name or shebang, lower case (``python``, ``markdown``, ``text``).
        data: The bytes as read.
        text: The decoded text with ``\\n`` line ends, or `None` for a binary document.
    """

    name: str
    language: str
    data: bytes
    text: str | None


@attrs.frozen(kw_only=True)
class Section:
    """A stretch of lines that belongs together: a function, a class, the text under a heading.

    Attributes:
        symbol: Qualified name or heading path.
        start_line: 1-based.
        end_line: Inclusive.
    """

    symbol: str
    start_line: int
    end_line: int


@attrs.frozen(kw_only=True)
class Outline:
    """The text of a document and its structure.

    Attributes:
        text: What is searched and shown.
        sections: In order of their first line; nested ones follow the one that holds them; otherwise none overlaps
            another.
        is_prose: Whether blank lines part paragraphs and headings part sections.
        title: The document's own title, empty where it has none.
    """

    text: str
    sections: tuple[Section, ...] = ()
    is_prose: bool = False
    title: str = ""
