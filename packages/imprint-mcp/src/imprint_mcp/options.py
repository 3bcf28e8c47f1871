"""The program's options; a client that starts it on stdio gives none."""

import argparse
import sys
from collections.abc import Sequence

from imprint.errors import ImprintError
from imprint_mcp import __version__

__all__ = ["run"]

_PORT = 8420


def run(arguments: Sequence[str]) -> int:
    """Run the program as its options say; the exit code."""
    parser = argparse.ArgumentParser(
        prog="imprint-mcp",
        description="The MCP server of Imprint. Without options it serves one client on its standard streams.",
        epilog="Example: claude mcp add -s user imprint -- imprint-mcp",
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
