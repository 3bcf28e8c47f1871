"""opencode, as `opencode run`."""

import json
from collections.abc import Sequence

from real_clients import SERVER, Installed, Turn
from real_devices import PROGRAMS, Device
from scripted_model import Call, Say, Step

__all__ = ["Opencode"]

_MODEL = "script/scripted"
_QUIET = ("OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_LSP_DOWNLOAD", "OPENCODE_DISABLE_MODELS_FETCH")


class Opencode:
    """Meets `real_clients.Client`."""

    name = "opencode"
    title = "opencode"
    package = "opencode-ai"
    prefix = f"{SERVER}_"
    summary_request = "Provide a detailed prompt for continuing our conversation"
    full = 400_000
    instructs = True

    def prepare(self, device: Device) -> None:
        folder = device.home / ".config" / "opencode"
        folder.mkdir(parents=True)
        (folder / "opencode.jsonc").write_text('{\n  // as I like it\n  "share": "disabled",\n}\n')

    def register(self, device: Device) -> None:
        path = device.home / ".config" / "opencode" / "opencode.jsonc"
        server = {"type": "local", "command": [str(PROGRAMS / "imprint-mcp")], "enabled": True}
        path.write_text(json.dumps({"share": "disabled", "mcp": {SERVER: server}}))

    def agree(self, installed: Installed) -> None:
        """It asks nothing."""

    def do_turn(self, installed: Installed, turn: Turn) -> None:
        model = {"name": "scripted", "tool_call": True, "limit": {"context": 128_000, "output": 8_000}}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "options": {"baseURL": f"{installed.model.url}/v1", "apiKey": "none"},
            "models": {"scripted": model},
        }
        config = {"model": _MODEL, "small_model": _MODEL, "provider": {"script": provider}}
        resumed = ("--continue", *(["--fork"] if turn.forks else ())) if turn.resumes else ()
        environ = {"OPENCODE_CONFIG_CONTENT": json.dumps(config), **dict.fromkeys(_QUIET, "1"), **turn.environ}
        installed.run("opencode", "run", *resumed, turn.prompt, cwd=turn.folder, environ=environ)

    def delegate(self, task: str) -> Sequence[Step]:
        return [Call("task", {"description": "Look into it", "prompt": task, "subagent_type": "general"})]

    def report(self, words: str) -> Step:
        return Say(words)

    def servers(self, installed: Installed) -> str:
        return installed.run("opencode", "mcp", "list", environ=dict.fromkeys(_QUIET, "1"))

    def tidy(self, result: str) -> str:
        return result
