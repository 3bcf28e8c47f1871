"""Errors of questions that nobody answered."""

import attrs

from imprint.errors.branches import UsageError

__all__ = [
    "NotConfirmedError",
    "UnansweredError",
]


@attrs.define
class UnansweredError(UsageError):
    """A question came up, and nobody is there to answer it; nothing was changed."""

    question: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.question} There is no terminal to ask on"

    @property
    def hint(self) -> str | None:
        return self.remedy


@attrs.define
class NotConfirmedError(UsageError):
    """What was typed to confirm is something else; nothing was changed."""

    expected: str

    def __str__(self) -> str:
        return f"that is not {self.expected!r}; nothing was changed"
