"""Exit codes: one table from the branches of the error tree."""

from enum import IntEnum

from imprint.errors import BusyError, ImprintError, RefusedError, StoreError, UnknownNameError, UsageError

__all__ = ["ExitCode", "exit_code"]


class ExitCode(IntEnum):
    """What the program's exit code says."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    UNKNOWN_NAME = 3
    REFUSED = 4
    BUSY = 5
    STORE = 6
    INTERRUPTED = 130


_BRANCHES: tuple[tuple[type[ImprintError], ExitCode], ...] = (
    (UsageError, ExitCode.USAGE),
    (UnknownNameError, ExitCode.UNKNOWN_NAME),
    (RefusedError, ExitCode.REFUSED),
    (BusyError, ExitCode.BUSY),
    (StoreError, ExitCode.STORE),
)


def exit_code(error: BaseException) -> ExitCode:
    """The code for an error that ended the program; branches without one of their own are plain failures."""
    if isinstance(error, KeyboardInterrupt):
        return ExitCode.INTERRUPTED
    return next((code for branch, code in _BRANCHES if isinstance(error, branch)), ExitCode.FAILED)
