"""Our server as it is made for HTTP, with the conformance suite's fixtures beside its own tools.

The suite cannot show a token; everything else (Host, Origin, both eras) is the program's own.
"""

import os
import socket
import sys

import uvicorn
from fixtures_asking import add_asking_fixtures
from fixtures_plain import add_plain_fixtures

from imprint_mcp.http_server import build_app
from imprint_mcp.server import build_server
from imprint_mcp.session import Session


def main() -> None:
    """Serve until ended; the URL is the first line on stdout."""
    server = build_server(Session.without_project(os.environ))
    add_plain_fixtures(server)
    add_asking_fixtures(server)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        sys.stdout.write(f"http://127.0.0.1:{port}/mcp\n")
        sys.stdout.flush()
        config = uvicorn.Config(build_app(server, port), log_level="error", timeout_graceful_shutdown=1)
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
