"""Full text, as services ask for it: a store finds the chunks in which words stand."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import attrs

from imprint.domain.sources import ChunkId

__all__ = ["ChunkFilter", "TextHit", "TextIndex", "TextQuery"]


@attrs.frozen(kw_only=True)
class ChunkFilter:
    """Which chunks may be found; empty fields do not narrow.

    Attributes:
        kinds: Source kinds or memory kinds, as users write them; any of them.
        source_glob: Shell pattern over the source key (``*`` crosses folders).
        since: UTC ISO 8601, inclusive; compared with the chunk's time, else the source's.
        until: UTC ISO 8601, exclusive.
    """

    project: str = ""
    kinds: tuple[str, ...] = ()
    source_glob: str = ""
    since: str = ""
    until: str = ""

    @property
    def narrows(self) -> bool:
        return self != ChunkFilter()


@attrs.frozen(kw_only=True)
class TextQuery:
    """A full-text question: any of the terms, weighted by column.

    Attributes:
        terms: Literal words or phrases; the store quotes them.
        common: Not all of the terms; those of which a chunk without any other has to have two.
        weights: For text, words, names, place, context.
    """

    terms: tuple[str, ...]
    common: tuple[str, ...] = ()
    weights: tuple[float, float, float, float, float] = (1.0, 1.0, 4.0, 1.0, 0.35)


class TextHit(NamedTuple):
    """A chunk and its BM25 score; higher is better. Many at once: hence a tuple."""

    id: ChunkId
    score: float


class TextIndex(Protocol):
    """Full text."""

    def match(self, query: TextQuery, limit: int, where: ChunkFilter) -> list[TextHit]:
        """Best first; only live chunks that pass the filter."""
        ...

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many chunks each term (as written, the store stems it) occurs; the number may be an upper bound."""
        ...

    def words_like(self, word: str) -> list[str]:
        """Words as they are written here, for which a word that occurs nowhere may be a misspelling."""
        ...

    def chunk_count(self) -> int:
        """Number of indexed chunks; cheap, may lag."""
        ...

    def select_ids(self, where: ChunkFilter, limit: int) -> list[ChunkId] | None:
        """Ids that pass a filter, or `None` when more than the limit do."""
        ...

    def passing(self, ids: Sequence[ChunkId], where: ChunkFilter) -> list[ChunkId]:
        """The live ones among these that pass a filter, in the order asked."""
        ...
