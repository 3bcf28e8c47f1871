"""An MCP server, driven line by line as a client would."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from crash_worlds import World

__all__ = ["McpServer"]


class McpServer:
    """A server of its own process, in the default workspace; use it in a `with` statement."""

    def __init__(self, world: World) -> None:
        """Start it and shake hands."""
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "imprint_mcp"],
            cwd=world.tree(),
            env={
                **kept,
                "HOME": str(world.place / "user"),
                "USERPROFILE": str(world.place / "user"),
                "IMPRINT_DATA_DIR": str(world.data),
                "IMPRINT_WORKSPACE": "default",
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self._last_id = 0
        client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "crowd", "version": "0"}}
        self._ask("initialize", client)
        self._send({"method": "notifications/initialized"})

    def call(self, tool: str, **arguments: object) -> str | None:
        """Call a tool; its text, or `None` when it failed or the server is gone."""
        with suppress(OSError, ValueError):
            result = self._ask("tools/call", {"name": tool, "arguments": arguments})
            return None if result.get("isError") else str(result["content"][0]["text"])
        return None

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def _ask(self, method: str, parameters: dict[str, object]) -> dict[str, Any]:
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": parameters})
        assert self._process.stdout is not None
        while True:
            answer = json.loads(self._process.stdout.readline())
            if answer.get("id") == self._last_id:
                result: dict[str, Any] = answer.get("result") or {"isError": True}
                return result

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._process.wait()
