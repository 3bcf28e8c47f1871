"""Errors of moments."""

import attrs

from imprint.errors.branches import UsageError
from imprint.errors.quoting import escaped

__all__ = ["InvalidTimeError", "ReversedTimesError"]


@attrs.define
class InvalidTimeError(UsageError):
    """This text names no moment."""

    text: str

    def __str__(self) -> str:
        return f'"{escaped(self.text)}" is no date or time'

    @property
    def hint(self) -> str | None:
        return "write 2026-01-31, 2026-01-31T12:00, today, yesterday, last week, or an age such as 12h, 7d, 2w"


@attrs.define
class ReversedTimesError(UsageError):
    """Something would end before it begins; nothing was changed."""

    begins: str
    ends: str

    def __str__(self) -> str:
        return f"the end {self.ends} does not come after the beginning {self.begins}"
