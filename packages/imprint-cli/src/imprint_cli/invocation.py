"""One run of the program: its global options, the application they open, and where its words go."""

import json
import os
import sys
from collections.abc import Iterable, Mapping
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
            sys.stderr.write(self.style(sentence, stream=sys.stderr, dim=True) + "\n")

    def show(self, text: str) -> None:
        """Print a result for people."""
        sys.stdout.write(text if text.endswith("\n") else text + "\n")

    def show_json(self, value: Mapping[str, Any]) -> None:
        """Print a result for programs, on a line of its own."""
        sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")

    def show_json_lines(self, values: Iterable[Mapping[str, Any]]) -> None:
        for value in values:
            self.show_json(value)

    def has_color(self, stream: TextIO) -> bool:
        """Whether a stream shows colours and wants them."""
        plain = self.no_color or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        return not plain and stream.isatty()

    def style(self, text: str, *, stream: TextIO | None = None, **style: Any) -> str:
        """Style a piece of text where the stream shows it (stdout unless told)."""
        return click.style(text, **style) if self.has_color(stream or sys.stdout) else text

    @property
    def is_talkative(self) -> bool:
        """Whether somebody wants notes and progress."""
        return not (self.quiet or self.as_json)

    @property
    def is_interactive(self) -> bool:
        """Whether somebody is there to answer a question."""
        return sys.stdin.isatty() and sys.stderr.isatty()


def _working_directory() -> Path | None:
    """The shell's directory; none when it was deleted under our feet."""
    try:
        return Path.cwd()
    except OSError:
        return None
