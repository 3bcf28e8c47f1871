"""Progress on a terminal: what is being done, how fast, and how long it will take. Nothing anywhere else."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import attrs

from imprint_cli.invocation import Invocation
from imprint_cli.rendering import size

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["TerminalProgress"]

_ACTIVITIES = {"scan": "Looking for files", "index": "Indexing", "embed": "Embedding"}


@attrs.define
class TerminalProgress:
    """Shows what a service tells; meets `imprint.protocols.progress.Progress`."""

    _invocation: Invocation
    _bar: "Progress | None" = None
    _task: "TaskID | None" = None

    def __enter__(self) -> Self:
        if not (self._invocation.is_talkative and sys.stderr.isatty()):
            return self
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        console = Console(stderr=True, no_color=not self._invocation.has_color(sys.stderr))
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[done]}"),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[items]} {task.fields[current]}"),
            console=console,
            transient=True,
        )
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def start(self, activity: str, total_bytes: int | None) -> None:
        if self._bar is None:
            return
        if self._task is not None:
            self._bar.remove_task(self._task)
        fields: dict[str, Any] = {"items": 0, "done": "", "current": ""}
        self._task = self._bar.add_task(_ACTIVITIES.get(activity, activity), total=total_bytes, **fields)

    def advance(self, count: int, bytes: int, current: str) -> None:
        if self._bar is None or self._task is None:
            return
        task = self._bar.tasks[-1]
        done = size(task.completed + bytes) + (f" of {size(task.total)}" if task.total else "")
        self._bar.update(
            self._task, advance=bytes, items=task.fields["items"] + count, done=done, current=_tail(current)
        )

    def finish(self) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None


def _tail(text: str, width: int = 30) -> str:
    return text if len(text) <= width else "…" + text[-width + 1 :]
