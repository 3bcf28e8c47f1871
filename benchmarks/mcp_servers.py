"""MCP servers as processes, for benchmarks: started, asked over bare pipes, weighed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["OURS", "SMALLEST_SDK", "Server", "environment", "memory_of", "start"]

OURS = (sys.executable, "-m", "imprint_mcp")

SMALLEST_SDK = (
    sys.executable,
    "-c",
    "from mcp.server import MCPServer\n"
    "server = MCPServer('smallest')\n"
    "@server.tool()\n"
    "def tool() -> str:\n"
    "    return 'done'\n"
    "server.run()\n",
)
"""What any server written with the SDK pays at least."""


class Server:
    """A server process and its streams."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self._id = 0

    def open(self) -> None:
        """Open the connection as most clients do."""
        client = {"name": "benchmark", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Send a request and read until its answer; the result."""
        self._id += 1
        self._write({"jsonrpc": "2.0", "id": self._id, "method": method, "params": dict(params or {})})
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == self._id and "method" not in message:
                if "error" in message:
                    raise RuntimeError(message["error"])
                return message["result"]
        raise RuntimeError("the server has left")

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """Call a tool that succeeds; its text."""
        result = self.ask("tools/call", {"name": tool, "arguments": dict(arguments)})
        text = str(result["content"][0].get("text", ""))
        if result.get("isError"):
            raise RuntimeError(text)
        return text

    def _write(self, message: Mapping[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()


@contextmanager
def start(command: Sequence[str], environ: Mapping[str, str], cwd: Path) -> Iterator[Server]:
    """Start a server; it has left at the end."""
    process = subprocess.Popen(
        command, env=environ, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        yield Server(process)
    finally:
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def environment(home: Path) -> dict[str, str]:
    """An environment in which nothing of the user's is touched."""
    return {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "IMPRINT_DATA_DIR": str(home / "data"),
        "PYTHONDONTWRITEBYTECODE": "",
    }


def memory_of(pid: int) -> tuple[float, float]:
    """Megabytes of a process in RAM (RSS), and its share of them (PSS); zeros where the system does not say."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0, 0.0
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines[1:]}
    return sizes["Rss"], sizes["Pss"]
