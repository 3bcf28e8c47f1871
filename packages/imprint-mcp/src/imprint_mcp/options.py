"""The program's options; a client that starts it on stdio gives none."""

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from imprint.errors import ImprintError
from imprint_mcp import __version__

__all__ = ["run"]

_PORT = 8420


def run(arguments: Sequence[str]) -> int:
    """Run the program as its options say; the exit code."""
    parser = argparse.ArgumentParser(
        prog="imprint-mcp",
        description="The MCP server of Imprint. Without options it serves one client on its standard\nstreams.",
        epilog=f"Example: claude mcp add -s user imprint -- {_command()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,  # A command that is folded cannot be copied.
    )
    parser.add_argument("--version", action="version", version=f"imprint-mcp {__version__}")
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP on loopback instead")
    parser.add_argument("--port", type=int, default=_PORT, help=f"port of --http (default {_PORT}; 0: a free one)")
    options = parser.parse_args(arguments)
    if not options.http:
        parser.error("--port is for --http")
    from imprint_mcp.http_server import serve

    try:
        serve(options.port)
    except (ImprintError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _command() -> str:
    """How this program is started from anywhere; a client need not know the shell's search path."""
    script = Path(sys.argv[0]).absolute()
    if script.name == "__main__.py":
        return shlex.join([sys.executable, "-m", "imprint_mcp"])
    return shlex.join([str(script)])
