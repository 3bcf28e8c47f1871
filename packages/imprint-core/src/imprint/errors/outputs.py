"""Errors of what a program prints."""

import attrs

from imprint.errors.branches import ImprintError

__all__ = ["OutputLostError"]


@attrs.define
class OutputLostError(ImprintError):
    """What was printed did not arrive: the disk is full, or the other end failed. What the program did is done."""

    reason: str

    def __str__(self) -> str:
        return f"the output could not be written: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "what the command did is done; look at the place that its output goes to"
