"""Where the program starts, kept so light that `imprint --version` costs next to nothing."""

import os
import sys

from imprint_cli import __version__

__all__ = ["main"]

_INTERRUPTED = 130


def main() -> int:
    """Run the program on the process's arguments, and end the process; the exit code where that is not done here."""
    arguments = sys.argv[1:]
    if arguments == ["--version"] and _write(f"imprint {__version__}\n"):
        return 0
    # Read by OpenBLAS when numpy loads. Its threads cost more than they bring on the small products of a search.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from imprint_cli.program import run

        code = run(arguments)
        # All is closed and written; the interpreter's own farewell would take a fifth of a short run.
        os._exit(code)
    except KeyboardInterrupt:  # while the program loads, or once more while the first was answered
        return _INTERRUPTED


def _write(text: str) -> bool:
    """Whether it could be written, past the buffer of stdout; where not, the whole program says why."""
    try:
        os.write(sys.stdout.fileno(), text.encode())
    except (AttributeError, OSError):  # closed by the caller; a full disk
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
