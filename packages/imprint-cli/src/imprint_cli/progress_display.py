"""The line that moves on a terminal. Imported once it is to be seen: rich takes a while to load."""

import sys

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column
from rich.text import Text

from imprint_cli.rendering import duration, size

__all__ = ["make_display"]

_FOR_COUNT, _FOR_BAR, _FOR_NAME = 70, 95, 125
"""How wide a terminal has to be to show these too, and have room left: an echoed ``^C`` must not wrap the line."""


class _Rate(ProgressColumn):
    """Bytes a second, once they are known."""

    def render(self, task: Task) -> Text:
        return Text(f"{size(task.speed)}/s" if task.speed else "")


class _TimeLeft(ProgressColumn):
    """How long it will take, once that can be told."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        seconds = task.time_remaining
        return Text(f"{duration(seconds)} left" if seconds and task.completed else "")


def make_display(*, has_color: bool) -> Progress:
    """A display on stderr that keeps to one line, however narrow the terminal, and leaves nothing behind."""
    console = Console(no_color=not has_color, file=sys.stderr)
    columns = [_text("description"), _text("fields[done]"), _Rate(_whole()), _TimeLeft(_whole())]
    if console.width >= _FOR_COUNT:
        columns.append(_text("fields[items]"))
    if console.width >= _FOR_BAR:
        columns.insert(1, BarColumn(bar_width=24))
    if console.width >= _FOR_NAME:
        columns.append(_text("fields[current]"))
    return Progress(*columns, console=console, transient=True)


def _text(field: str) -> ProgressColumn:
    return TextColumn(f"{{task.{field}}}", markup=False, table_column=_whole())


def _whole() -> Column:
    return Column(no_wrap=True)
