"""Progress on a terminal: what is being done, how fast, and how long it will take. Nothing anywhere else."""

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

import attrs

from imprint_cli.invocation import Invocation
from imprint_cli.rendering import count as tally
from imprint_cli.rendering import label, size

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["TerminalProgress"]

_ACTIVITIES = {
    "scan": ("Looking for files", "file"),
    "index": ("Indexing", "file"),
    "embed": ("Embedding", "passage"),
    "move": ("Moving", "source"),
    "export": ("Exporting", "source"),
    "verify": ("Verifying", "record"),
    "import": ("Importing", "source"),
    "backup": ("Backing up", "file"),
}
"""What each is called, and what it counts."""


@attrs.define
class TerminalProgress:
    """Shows what a service tells; meets `imprint.protocols.progress.Progress`."""

    _invocation: Invocation
    _bar: "Progress | None" = None
    _task: "TaskID | None" = None
    _noun: str = "item"
    _count: int = 0

    def __enter__(self) -> Self:
        if not (self._invocation.is_talkative and sys.stderr.isatty()):
            return self
        from imprint_cli.progress_display import make_display

        self._bar = make_display(has_color=self._invocation.has_color(sys.stderr))
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
        said, self._noun = _ACTIVITIES.get(activity, (activity, "item"))
        self._count = 0
        self._task = self._bar.add_task(said, total=total_bytes, items="", done="", current="")

    def advance(self, count: int, bytes: int, current: str) -> None:
        if self._bar is None or self._task is None:
            return
        task = self._bar.tasks[-1]
        self._count += count
        done = size(task.completed + bytes) + (f" of {size(task.total)}" if task.total else "")
        self._bar.update(
            self._task,
            advance=bytes,
            items=tally(self._count, self._noun),
            done=done if bytes or task.total else "",
            current=_tail(label(current)),
        )

    def finish(self) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None


def _tail(text: str, width: int = 30) -> str:
    return text if len(text) <= width else "…" + text[-width + 1 :]
