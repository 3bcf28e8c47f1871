"""What plugins say about themselves, and what they are opened with."""

import attrs

__all__ = ["EmbedderInfo", "EmbedderSettings", "ExtractorInfo", "VectorBackendInfo"]


@attrs.frozen(kw_only=True)
class EmbedderInfo:
    """What an embedder says about itself before it is opened.

    Attributes:
        name: What its entry point is named.
        summary: One line for lists.
        shareable: Much work may be shared out among processes, each of which opens the embedder for itself: right where
            it is small, quick to open and uses one processor.

    .. versionadded:: 0.1
    """

    name: str
    summary: str
    shareable: bool = False


@attrs.frozen(kw_only=True)
class EmbedderSettings:
    """What an embedder is opened with.

    Attributes:
        model: A folder or a published model's name, where the plugin takes one; empty for the plugin's own default.

    .. versionadded:: 0.1
    """

    model: str = ""


@attrs.frozen(kw_only=True)
class VectorBackendInfo:
    """What a vector backend says about itself before it is opened.

    Attributes:
        name: What its entry point is named.
        summary: One line for lists.

    .. versionadded:: 0.1
    """

    name: str
    summary: str


@attrs.frozen(kw_only=True)
class ExtractorInfo:
    """Which documents an extractor asks for.

    Attributes:
        name: What its entry point is named.
        summary: One line for lists.
        languages: Names as in `Document.language`; ``"*"`` stands for all.
        suffixes: Lower-case file suffixes with their dot, for documents whose language is not known.
        priority: Of several extractors that ask for a document, the highest is asked first.

    .. versionadded:: 0.1
    """

    name: str
    summary: str
    languages: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()
    priority: int = 0
