"""Errors about background work."""

import attrs

from imprint.errors.branches import UnknownNameError

__all__ = ["UnknownJobError"]


@attrs.define
class UnknownJobError(UnknownNameError):
    """No job has this number, or it is over for so long that it was forgotten."""

    id: int

    def __str__(self) -> str:
        return f"there is no job {self.id}"

    @property
    def hint(self) -> str | None:
        return "'imprint jobs list' shows those that there are"
