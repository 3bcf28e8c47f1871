"""Processes that help with work that keeps a processor busy."""

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

__all__ = ["Workers"]


class Workers(Protocol):
    """Several processes that all do one kind of task; they end with the one that asked, however that ends."""

    @property
    def count(self) -> int:
        """How many there would be; fewer than two are not worth starting."""
        ...

    def map(self, tasks: Iterable[Any]) -> Iterator[Any]:
        """The results in the order of the tasks; `None` for a task that ended its process, which is then replaced.

        Tasks and results are pickled. Processes start with the first result that is asked for and end with the last,
        or when the iterator is closed.
        """
        ...
