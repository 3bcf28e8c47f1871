"""How the program says that something went wrong: a sentence and a hint, or one JSON object, on stderr."""

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

import attrs
import click

from imprint.errors import ImprintError
from imprint_cli.exit_codes import ExitCode
from imprint_cli.invocation import Invocation

__all__ = ["Reporter", "facts_of"]


@attrs.frozen
class Reporter:
    """Tells what ended a run."""

    invocation: Invocation

    def report(self, error: ImprintError) -> None:
        """Tell an error of ours."""
        self._tell(type(error).__name__, str(error), error.hint, facts_of(error))

    def report_usage(self, error: click.ClickException) -> int:
        """Tell that the command line could not be understood; the exit code.

        A bare `imprint` or a bare command family is a question, and its answer the help.
        """
        context: click.Context | None = getattr(error, "ctx", None)
        if isinstance(error, click.exceptions.NoArgsIsHelpError):
            self.invocation.show(error.message)
            return ExitCode.DONE
        hint = f"see '{context.command_path} --help'" if context is not None else "see 'imprint --help'"
        if context is not None and isinstance(error, click.NoSuchOption):
            hint = _hint_at_place(error.option_name, context) or hint
        self._tell("UsageError", error.format_message(), hint, {})
        return ExitCode.USAGE

    def report_interruption(self) -> None:
        """Tell that a person stopped the program."""
        if sys.stderr.isatty():
            self.invocation.say("\n")  # the terminal's own ^C stands in the way
        self._tell("Interrupted", "interrupted; what was done until now is kept", None, {})

    def report_unexpected(self, error: Exception) -> None:
        """Tell a fault of the program itself; its trace goes to the log, and with ``-v`` to stderr."""
        if self.invocation.verbose:
            import traceback

            traceback.print_exception(error)
        from imprint.bootstrap import record_fault

        name = type(error).__name__
        log = record_fault(error, environ=os.environ, data_dir=self.invocation.data_dir)
        hint = f"the trace is in {log}" if log else "run the command again with -v before it to see the trace"
        self._tell("UnexpectedError", f"imprint failed unexpectedly: {name}: {str(error)[:200]}", hint, {"error": name})

    def _tell(self, name: str, message: str, hint: str | None, facts: Mapping[str, Any]) -> None:
        if self.invocation.as_json:
            document = {"error": {**facts, "type": name, "message": message, "hint": hint}}
            self.invocation.say(json.dumps(document, ensure_ascii=False) + "\n")
            return
        label = self.invocation.style("error:", stream=sys.stderr, fg="red", bold=True)
        self.invocation.say(f"{label} {message}\n" + (f"hint: {hint}\n" if hint else ""))


def facts_of(error: ImprintError) -> dict[str, Any]:
    """The fields of an error, as JSON knows them."""
    facts = _plain(error)
    return facts if isinstance(facts, dict) else {}


def _hint_at_place(option: str, context: click.Context) -> str | None:
    """Where an option of the whole program belongs, which people write after the command too."""
    program = context.find_root()
    for parameter in program.command.params:
        if option in parameter.opts:
            value = "" if getattr(parameter, "is_flag", False) else f" {parameter.make_metavar(program)}"
            command = context.command_path.removeprefix(f"{program.command_path} ")
            return f"{option} stands before the command: {program.command_path} {option}{value} {command} …"
    return None


def _plain(value: object) -> Any:
    cls = type(value)
    if attrs.has(cls):
        return {field.name: _plain(getattr(value, field.name)) for field in attrs.fields(cls)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
