"""Facts: subject, predicate, object, each true from one moment until another."""

from typing import NewType

import attrs

__all__ = ["Fact", "FactId", "NewFact"]

FactId = NewType("FactId", int)


@attrs.frozen(kw_only=True)
class NewFact:
    """A fact to be recorded.

    Attributes:
        valid_from: UTC ISO 8601 with ``Z``.
        valid_until: Exclusive; empty while it holds.
        source: Key of the source it was drawn from, empty where a person or agent said it outright.
    """

    subject: str
    predicate: str
    object: str
    valid_from: str
    valid_until: str = ""
    source: str = ""


@attrs.frozen(kw_only=True)
class Fact:
    """A recorded fact."""

    id: FactId
    subject: str
    predicate: str
    object: str
    valid_from: str
    valid_until: str
    source: str
    recorded_at: str
