"""One run of the program: the command is called, and whatever ends it becomes a message and an exit code."""

import os
import sys
from collections.abc import Sequence

import click

from imprint.errors import ImprintError
from imprint_cli import failures
from imprint_cli.app import imprint
from imprint_cli.exit_codes import ExitCode, exit_code
from imprint_cli.invocation import Invocation

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run a command line.

    Returns:
        The exit code.
    """
    _prepare_streams()
    invocation = Invocation(as_json=_asks_for_json(arguments))
    try:
        code = _call(arguments, invocation)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`head`, a pager) has gone; the interpreter's own flush at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILED
    finally:
        invocation.close()
    return code


def _call(arguments: Sequence[str], invocation: Invocation) -> int:
    reporter = failures.Reporter(invocation)
    try:
        result = imprint.main(list(arguments), prog_name="imprint", standalone_mode=False, obj=invocation)
    except click.ClickException as error:
        return reporter.report_usage(error)
    except ImprintError as error:
        reporter.report(error)
        return exit_code(error)
    except (KeyboardInterrupt, click.Abort):
        reporter.report_interruption()
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the top of the program
        reporter.report_unexpected(error)
        return ExitCode.FAILED
    return result if isinstance(result, int) else ExitCode.DONE


def _asks_for_json(arguments: Sequence[str]) -> bool:
    """Known before the command line is understood, since not understanding it is told in JSON too."""
    words = list(arguments)
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def _prepare_streams() -> None:
    """Write UTF-8 with ``\\n``; what UTF-8 cannot hold (a lone surrogate of a file name) is written as an escape.

    In JSON that escape (``\\udc80``) is the character itself.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
