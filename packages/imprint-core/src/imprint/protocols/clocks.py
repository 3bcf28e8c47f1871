"""Time, as an argument."""

from datetime import tzinfo
from typing import Protocol

__all__ = ["Clock"]


class Clock(Protocol):
    """The moment, and seconds that only grow."""

    def now(self) -> str:
        """UTC, ISO 8601 with milliseconds and ``Z``."""
        ...

    def monotonic(self) -> float:
        """Seconds; only differences mean something."""
        ...

    def zone(self) -> tzinfo:
        """The user's time zone, with its summer times."""
        ...
