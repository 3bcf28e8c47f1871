"""Serving many clients over HTTP: on loopback only, and only those that hold the token."""

import hmac
import os
import socket
import sys

from mcp.server import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from imprint.bootstrap import open_application
from imprint_mcp.server import build_server
from imprint_mcp.session import Session
from imprint_mcp.tokens import read_token

__all__ = ["build_app", "serve"]

_HOST = "127.0.0.1"
_PATH = "/mcp"
_TOKEN_FILE = "mcp-token"
_SECONDS_TO_LEAVE = 2
"""Streams that clients keep open are ended after this."""


def serve(port: int) -> None:
    """Serve until the program is ended.

    Args:
        port: On loopback; 0 takes a free one.

    Raises:
        OSError: The port is taken, or the token's file cannot be written.
        ImprintError: The data folder cannot be used.
    """
    import uvicorn

    with open_application(environ=os.environ) as application:
        application.data_folder.make()
        token_file = application.data_folder.path / _TOKEN_FILE
    token = read_token(token_file)
    session = Session.without_project(os.environ)
    with socket.create_server((_HOST, port)) as listening:
        port = listening.getsockname()[1]
        config = uvicorn.Config(
            _RequireToken(build_app(build_server(session), port), token),
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=_SECONDS_TO_LEAVE,
        )
        sys.stdout.write(f"serving http://{_HOST}:{port}{_PATH}\nthe bearer token is in {token_file}\n")
        sys.stdout.flush()
        try:
            uvicorn.Server(config).run(sockets=[listening])
        finally:
            session.close()


def build_app(server: MCPServer, port: int) -> ASGIApp:
    """The application: who asks must use this host's name, and in a browser come from an origin of its own."""
    names = [f"{host}:{port}" for host in (_HOST, "localhost")]
    return server.streamable_http_app(
        streamable_http_path=_PATH,
        transport_security=TransportSecuritySettings(
            allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
        ),
    )


class _RequireToken:
    """Lets nothing through without the token, whatever it asks for."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or self._is_allowed(scope):
            await self._app(scope, receive, send)
            return
        headers = {"WWW-Authenticate": "Bearer"}
        await PlainTextResponse("a bearer token is needed\n", status_code=401, headers=headers)(scope, receive, send)

    def _is_allowed(self, scope: Scope) -> bool:
        given = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._expected)
