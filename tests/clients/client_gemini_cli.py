"""Gemini CLI, as `gemini -p`."""

import json
from collections.abc import Sequence

from real_clients import SERVER, Installed, Turn
from real_devices import PROGRAMS, Device
from scripted_model import Call, Step

__all__ = ["GeminiCli"]

_USUAL_TOOLS = ("device_context", "search", "read", "sources", "facts", "remember")


class GeminiCli:
    """Meets `real_clients.Client`."""

    name = "gemini-cli"
    title = "Gemini CLI"
    package = "@google/gemini-cli"
    prefix = f"mcp_{SERVER}_"
    summary_request = "reason in your scratchpad"
    full = None
    instructs = True

    def prepare(self, device: Device) -> None:
        (device.home / ".gemini").mkdir()
        settings = {
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
        }
        (device.home / ".gemini" / "settings.json").write_text(json.dumps(settings, indent=2))

    def register(self, device: Device) -> None:
        device.run("gemini", "mcp", "add", "--scope", "user", SERVER, str(PROGRAMS / "imprint-mcp"))

    def agree(self, installed: Installed) -> None:
        """It asks for nothing."""

    def do_turn(self, installed: Installed, turn: Turn) -> None:
        environ = {
            **turn.environ,
            "GEMINI_API_KEY": "no-key-at-all",
            "GOOGLE_GEMINI_BASE_URL": installed.model.url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            "GEMINI_CLI_NO_RELAUNCH": "true",
        }
        words = ["gemini"]
        if turn.resumes:
            words += ["--resume", "latest"]
        if turn.allowed is not None:
            words += ["--allowed-tools", ",".join(self.prefix + tool for tool in (*_USUAL_TOOLS, *turn.allowed))]
        if turn.agrees:
            # Without a terminal it cannot ask: what its user would say yes to has to be allowed above what they set.
            words += ["--admin-policy", str(_policy(installed.device, [self.prefix + tool for tool in turn.agrees]))]
        installed.run(*words, "-p", turn.prompt, cwd=turn.folder, environ=environ)

    def delegate(self, task: str) -> Sequence[Step]:
        return [Call("invoke_agent", {"agent_name": "generalist", "prompt": task})]

    def report(self, words: str) -> Step:
        return Call("complete_task", {"result": {"response": words}})

    def servers(self, installed: Installed) -> str:
        return installed.run("sh", "-c", "gemini mcp list 2>&1", environ={"GEMINI_CLI_TRUST_WORKSPACE": "true"})

    def tidy(self, result: str) -> str:
        return result.removeprefix("<untrusted_context>\n").removesuffix("\n</untrusted_context>")


def _policy(device: Device, tools: Sequence[str]) -> object:
    path = device.home.parent / "policies" / "agreed.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'[[rule]]\ntoolName = {json.dumps(tools)}\ndecision = "allow"\npriority = 900\n')
    return path
