"""Where the program starts, kept so light that a client has its tools before it would give up waiting."""

import os
import sys
from typing import TYPE_CHECKING

from imprint_mcp import __version__

if TYPE_CHECKING:
    from imprint_mcp.session import Session

__all__ = ["main"]


def main() -> int:
    """Run the program on the process's arguments; the exit code."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        sys.stdout.write(f"imprint-mcp {__version__}\n")
        return 0
    # Read by OpenBLAS when numpy loads. Its threads cost more than they bring on the small products of a search.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if arguments:
        from imprint_mcp.options import run

        return run(arguments, _serve)
    return _serve("")


def _serve(client: str) -> int:
    from imprint_mcp.stdio import serve

    serve(lambda: _begin_session(client))
    return 0


def _begin_session(client: str) -> "Session":
    from pathlib import Path

    from imprint_mcp.session import Session

    try:
        cwd = Path.cwd()
    except OSError:
        cwd = None
    return Session.start(os.environ, cwd=cwd, client=client)
