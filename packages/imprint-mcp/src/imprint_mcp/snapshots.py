"""The snapshot that the front answers from, made of the SDK's own answers.

`python -m imprint_mcp.snapshots` writes it anew; a test holds it to the server.
"""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp.server import MCPServer
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from imprint_mcp.front import SNAPSHOT_FILE
from imprint_mcp.server import build_server
from imprint_mcp.session import Session

__all__ = ["render_snapshot"]

_LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")
_CLIENT = {"name": "snapshot", "version": "1"}


def render_snapshot() -> str:
    """The snapshot file's content, as the server of this moment gives it."""
    server = build_server(Session.without_project({}))
    results: list[str] = []
    places: dict[str, dict[str, int]] = {}
    for version in (*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS):
        for method, result in anyio.run(_ask_everything, server, version).items():
            if result not in results:
                results.append(result)
            places.setdefault(method, {})[version] = results.index(result)
    return json.dumps({"places": places, "results": results}, indent=1, ensure_ascii=False) + "\n"


async def _ask_everything(server: MCPServer, version: str) -> dict[str, str]:
    """The results of one protocol version by method, as the JSON text that goes over the wire."""
    modern = version in MODERN_PROTOCOL_VERSIONS
    methods = ("server/discover", *_LISTS) if modern else ("initialize", "ping", *_LISTS)
    low = server._lowlevel_server  # the SDK's own `run_stdio_async` does no more with it
    results = {}
    async with (
        create_client_server_memory_streams() as ((read, write), (server_read, server_write)),
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(low.run, server_read, server_write, low.create_initialization_options())
        for id, method in enumerate(methods):
            await write.send(_message({"id": id, "method": method, "params": _params(method, version, modern)}))
            answer = await read.receive()
            assert isinstance(answer, SessionMessage)
            line = answer.message.model_dump_json(by_alias=True, exclude_unset=True)
            results[method] = line.removeprefix(f'{{"jsonrpc":"2.0","id":{id},"result":').removesuffix("}")
            if method == "initialize":
                await write.send(_message({"method": "notifications/initialized"}))
        tasks.cancel_scope.cancel()
    return results


def _params(method: str, version: str, modern: bool) -> dict[str, Any]:
    if modern:
        prefix = "io.modelcontextprotocol/"
        return {"_meta": {f"{prefix}protocolVersion": version, f"{prefix}clientCapabilities": {}}}
    if method == "initialize":
        return {"protocolVersion": version, "capabilities": {}, "clientInfo": _CLIENT}
    return {}


def _message(fields: dict[str, Any]) -> SessionMessage:
    return SessionMessage(jsonrpc_message_adapter.validate_python({"jsonrpc": "2.0", **fields}, by_name=False))


if __name__ == "__main__":
    Path(SNAPSHOT_FILE).write_text(render_snapshot(), encoding="utf-8")
    sys.stdout.write(f"wrote {SNAPSHOT_FILE}\n")
