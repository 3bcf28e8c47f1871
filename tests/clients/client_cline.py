"""Cline, as `cline` with a prompt."""

import json
from collections.abc import Sequence

from real_clients import SERVER, Installed, Turn
from real_devices import PROGRAMS, Device
from scripted_model import Call, Say, Step

__all__ = ["Cline"]

_QUIET = {"CLINE_TELEMETRY_DISABLED": "1"}


class Cline:
    """Meets `real_clients.Client`."""

    name = "cline"
    title = "Cline"
    package = "cline"
    prefix = f"{SERVER}__"
    summary_request = "summarize the conversation"
    full = 400_000
    instructs = False

    def prepare(self, device: Device) -> None:
        (device.home / ".cline").mkdir()

    def register(self, device: Device) -> None:
        path = device.home / ".cline" / "data" / "settings" / "cline_mcp_settings.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"mcpServers": {SERVER: {"command": str(PROGRAMS / "imprint-mcp"), "args": []}}}))

    def agree(self, installed: Installed) -> None:
        """It asks nothing."""

    def do_turn(self, installed: Installed, turn: Turn) -> None:
        url = f"{installed.model.url}/v1"
        words = ("cline", "auth", "-p", "openai-compatible", "-k", "none", "-m", "scripted", "-b", url)
        installed.run(*words, cwd=turn.folder, environ=_QUIET)
        try:
            installed.run("cline", "--json", turn.prompt, cwd=turn.folder, environ={**_QUIET, **turn.environ})
        finally:
            # A process of its own serves every window, and would be there for the next home.
            installed.run("cline", "hub", "stop", cwd=turn.folder, environ=_QUIET)

    def delegate(self, task: str) -> Sequence[Step]:
        return [Call("spawn_agent", {"systemPrompt": "You look into things.", "task": task})]

    def report(self, words: str) -> Step:
        return Say(words)

    def servers(self, installed: Installed) -> str:
        path = installed.device.home / ".cline" / "data" / "settings" / "cline_mcp_settings.json"
        return path.read_text() if path.exists() else ""

    def tidy(self, result: str) -> str:
        return result
