"""Versions of a source: what of one travels between stores, and which of two is kept where they meet."""

from enum import StrEnum

import attrs

from imprint.domain.facts import Fact, NewFact
from imprint.domain.sources import Chunk, Source

__all__ = ["FactVersion", "SourceVersion", "Standing", "compare_versions", "without_number"]


@attrs.frozen(kw_only=True)
class SourceVersion:
    """A source with its chunks in order.

    Attributes:
        indexed_at: UTC ISO 8601 with ``Z``; it travels along, so that the newer of two versions is known anywhere.
    """

    source: Source
    indexed_at: str
    chunks: tuple[Chunk, ...]


@attrs.frozen(kw_only=True)
class FactVersion:
    """A fact without the number that it goes by in one store alone."""

    fact: NewFact
    recorded_at: str


class Standing(StrEnum):
    """How a version that arrives stands to the one that is there."""

    SAME = "same"
    NEWER = "newer"
    OLDER = "older"


def without_number(fact: Fact) -> FactVersion:
    """A stored fact as it travels."""
    new = NewFact(
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        valid_from=fact.valid_from,
        valid_until=fact.valid_until,
        source=fact.source,
    )
    return FactVersion(fact=new, recorded_at=fact.recorded_at)


def compare_versions(*, ours: Source, ours_indexed_at: str, theirs: Source, theirs_indexed_at: str) -> Standing:
    """Compare two versions of one key, so that it does not matter in which order versions meet.

    Of equal content nothing is written anew, whatever the clocks say; else the one that was indexed later is the newer.
    Where both were indexed in the same moment, what they say decides, the same way on every device.
    """
    if _content(ours) == _content(theirs) and (ours.digest or ours_indexed_at == theirs_indexed_at):
        return Standing.SAME
    is_newer = (theirs_indexed_at, repr(_content(theirs))) > (ours_indexed_at, repr(_content(ours)))
    return Standing.NEWER if is_newer else Standing.OLDER


def _content(source: Source) -> Source:
    """What a source says, without what only its file knows."""
    return attrs.evolve(source, mtime_ns=None, size=None, time="")
