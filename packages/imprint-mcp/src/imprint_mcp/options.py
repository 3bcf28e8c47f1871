"""The program's options; most clients that start it on stdio give none."""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from imprint.errors import ImprintError
from imprint_mcp import __version__

__all__ = ["run"]

_PORT = 8420


def run(arguments: Sequence[str], serve_client: Callable[[str], int]) -> int:
    """Run the program as its options say; the exit code.

    Args:
        serve_client: Serves one client on the standard streams; takes its name, which may be empty.
    """
    parser = argparse.ArgumentParser(
        prog="imprint-mcp",
        description="The MCP server of Imprint. Without options it serves one client on its standard\nstreams.",
        epilog=f"Example: claude mcp add -s user imprint -- {_command()}",
        formatter_class=argparse.RawDescriptionHelpFormatter,  # A command that is folded cannot be copied.
    )
    parser.add_argument("--version", action="version", version=f"imprint-mcp {__version__}")
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP on loopback instead")
    parser.add_argument("--port", type=int, help=f"port of --http (default {_PORT}; 0: a free one)")
    parser.add_argument(
        "--client", metavar="NAME", default="", help="who starts it: its plugin says where the session is"
    )
    options = parser.parse_args(arguments)
    if options.http and options.client:
        parser.error("--client is for a server on the standard streams")
    if not options.http and options.port is not None:
        parser.error("--port is for --http")
    if not options.http:
        return serve_client(options.client)
    from imprint_mcp.http_server import serve

    try:
        serve(_PORT if options.port is None else options.port)
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
