"""One run of the program: its global options, the application they open, and where its words go."""

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import attrs
import click

if TYPE_CHECKING:
    from imprint.bootstrap import Application

__all__ = ["Invocation"]


@attrs.define(kw_only=True)
class Invocation:
    """What holds for the whole run.

    Results go to stdout, as text or as JSON; notes and progress go to stderr, and only for people: JSON says it all.
    """

    as_json: bool = False
    data_dir: Path | None = None
    config: Path | None = None
    verbose: bool = False
    quiet: bool = False
    no_color: bool = False
    _application: "Application | None" = None

    @property
    def application(self) -> "Application":
        """The application, opened when it is first asked for."""
        if self._application is None:
            from imprint.bootstrap import open_application

            self._application = open_application(
                data_dir=self.data_dir, config=self.config, environ=os.environ, cwd=_working_directory()
            )
        return self._application

    def close(self) -> None:
        if self._application is not None:
            self._application.close()

    def note(self, sentence: str) -> None:
        """Say something that is not the result."""
        if self.is_talkative:
            self.say(self.style(sentence, stream=sys.stderr, dim=True) + "\n")

    def say(self, text: str) -> None:
        """Write to stderr. Nobody is left to be told that it cannot be written."""
        with suppress(OSError):
            sys.stderr.write(text)

    def show(self, text: str) -> None:
        """Print a result for people."""
        with _told():
            sys.stdout.write(text if text.endswith("\n") else text + "\n")

    def show_json(self, value: Mapping[str, Any]) -> None:
        """Print a result for programs, on a line of its own."""
        self.show(json.dumps(value, ensure_ascii=False))

    def show_json_lines(self, values: Iterable[Mapping[str, Any]]) -> None:
        for value in values:
            self.show_json(value)

    def read_text(self) -> str:
        """The text on stdin, up to its end; bytes that are no UTF-8 are replaced."""
        if sys.stdin.isatty():
            self.note("reading the text from the keyboard; end it with Ctrl-D")
        return sys.stdin.buffer.read().decode("utf-8", "replace")

    def flush(self) -> None:
        """See that all results have arrived.

        Raises:
            OutputLostError: They have not.
        """
        with _told():
            sys.stdout.flush()

    def has_color(self, stream: TextIO) -> bool:
        """Whether a stream shows colours and wants them."""
        plain = self.no_color or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return not plain and stream.isatty()

    def style(self, text: str, *, stream: TextIO | None = None, **style: Any) -> str:
        """Style a piece of text where the stream shows it (stdout unless told)."""
        return click.style(text, **style) if self.has_color(stream or sys.stdout) else text

    @property
    def width(self) -> int | None:
        """How wide the terminal is that shows the results; `None` where no terminal does."""
        if not sys.stdout.isatty():
            return None
        import shutil  # with its archivers, which most commands need not load

        return shutil.get_terminal_size().columns

    @property
    def is_talkative(self) -> bool:
        """Whether somebody wants notes and progress."""
        return not (self.quiet or self.as_json)

    @property
    def is_interactive(self) -> bool:
        """Whether somebody is there to answer a question."""
        return sys.stdin.isatty() and sys.stderr.isatty()


@contextmanager
def _told() -> Iterator[None]:
    """Tell a failure to print in our words, except that the reader went away."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        from imprint.errors import OutputLostError

        raise OutputLostError(error.strerror or str(error)) from error


def _working_directory() -> Path | None:
    """The shell's directory; none when it was deleted under our feet."""
    try:
        return Path.cwd()
    except OSError:
        return None
