"""How long work tells that it goes on."""

from typing import Protocol

__all__ = ["Progress"]


class Progress(Protocol):
    """Told by services, shown by front ends; must be cheap, may drop calls."""

    def start(self, activity: str, total_bytes: int | None) -> None:
        """A stage begins (``scan``, ``index``, ``embed``); the total is known or not."""
        ...

    def advance(self, count: int, bytes: int, current: str) -> None:
        """So many more items and bytes are done; ``current`` names the last one."""
        ...

    def finish(self) -> None:
        """The stage is over."""
        ...
