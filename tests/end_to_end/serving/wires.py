"""The real server as a process, spoken to in bare lines: what the SDK's client would hide is seen here."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
from conversations import MODERN
from mcp.client.stdio import StdioServerParameters
from real_program import Program

__all__ = ["SERVER", "Wire", "open_wire", "parameters"]

SERVER = (sys.executable, "-m", "imprint_mcp")
PATIENCE = 60

_CLIENT = {"name": "wire", "version": "1"}
_PREFIX = "io.modelcontextprotocol/"


def parameters(
    program: Program, cwd: Path | None = None, environ: Mapping[str, str] | None = None
) -> StdioServerParameters:
    """How the SDK's client starts the server."""
    command, *arguments = SERVER
    return StdioServerParameters(
        command=command, args=arguments, env={**program.environ, **(environ or {})}, cwd=cwd or program.home
    )


@attrs.define
class Wire:
    """A server process and what went over its standard streams."""

    process: "subprocess.Popen[bytes]"
    era: str
    _id: int = 0

    def open(self) -> dict[str, Any]:
        """Open the connection as a client of the era does; what the server says of itself."""
        if self.era == MODERN:
            return self.ask("server/discover")
        opening = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": _CLIENT}
        said = self.ask("initialize", opening)
        self.tell("notifications/initialized")
        return said

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a request and read until its answer; the result."""
        id = self.send(method, params)
        while True:
            message = self.read()
            if message.get("id") == id:
                assert "error" not in message, message
                return dict(message["result"])

    def call(self, tool: str, **arguments: Any) -> str:
        """Call a tool; its text."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return str(result["content"][0]["text"])

    def send(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        """Send a request without waiting for its answer; the request's id."""
        self._id += 1
        given: dict[str, Any] = dict(params or {})
        if self.era == MODERN:
            meta = {"protocolVersion": MODERN, "clientCapabilities": {}, "clientInfo": _CLIENT}
            given["_meta"] = {f"{_PREFIX}{name}": value for name, value in meta.items()}
        self._write({"jsonrpc": "2.0", "id": self._id, "method": method, "params": given})
        return self._id

    def tell(self, method: str) -> None:
        """Send a notification."""
        self._write({"jsonrpc": "2.0", "method": method})

    def read(self) -> dict[str, Any]:
        """The next message; every line on stdout has to be one."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server has left"
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0", line
        return dict(message)

    def leave(self) -> tuple[bytes, bytes]:
        """Close the server's input, as a client that leaves, and wait for its end; the rest of stdout, and stderr."""
        return self.process.communicate(timeout=PATIENCE)

    def _write(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


@contextmanager
def open_wire(
    program: Program, era: str, cwd: Path | None = None, *options: str, environ: Mapping[str, str] | None = None
) -> Iterator[Wire]:
    """Start a server in a process group of its own; nothing of it is left afterwards."""
    process = subprocess.Popen(
        [*SERVER, *options],
        cwd=cwd or program.home,
        env={**program.environ, **(environ or {})},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield Wire(process, era)
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
