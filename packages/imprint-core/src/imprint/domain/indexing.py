"""What the full-text index is given for a chunk."""

import attrs

__all__ = ["IndexedText"]


@attrs.frozen(kw_only=True)
class IndexedText:
    """The searched columns that are derived from a chunk; the text itself is the first column.

    Attributes:
        words: Parts of the identifiers that split (``HTTPServer`` gives ``http server``), and CJK bigrams.
        names: The split qualified name or heading path.
        place: The split path.
        context: The neighbours' text.
    """

    words: str = ""
    names: str = ""
    place: str = ""
    context: str = ""
