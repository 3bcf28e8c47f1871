"""One run of the program: the command is called, and whatever ends it becomes a message and an exit code."""

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial

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
    if arguments and arguments[0] == "help":
        arguments = [*arguments[1:], "--help"]
    invocation = Invocation(as_json=_asks_for_json(arguments))
    reporter = failures.Reporter(invocation)
    call = partial(imprint.main, list(arguments), prog_name="imprint", standalone_mode=False, obj=invocation)
    code = _guarded(call, reporter)
    code = _guarded(invocation.close, reporter) or code
    _settle_streams()
    return code


def _guarded(step: Callable[[], object], reporter: failures.Reporter) -> int:
    """Take a step whose results have reached stdout when it is over; the exit code that follows."""
    try:
        result = step()
        reporter.invocation.flush()
    except click.ClickException as error:
        return reporter.report_usage(error)
    except ImprintError as error:
        reporter.report(error)
        return exit_code(error)
    except (KeyboardInterrupt, click.Abort):
        reporter.report_interruption()
        return ExitCode.INTERRUPTED
    except BrokenPipeError:  # the reader (`head`, a pager) has gone, and wants to hear no more
        return ExitCode.FAILED
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

    In JSON that escape (``\\udc80``) is the character itself. A stream that the caller closed becomes the null device,
    also so that no database comes to be the standard output.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _settle_streams() -> None:
    """See that the interpreter's own flushes at exit do not fail where ours did."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
