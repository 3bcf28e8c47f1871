"""Copilot CLI, as `copilot -p`, with a model of the user's own."""

from collections.abc import Sequence

from real_clients import SERVER, Installed, Turn
from real_devices import PROGRAMS, Device
from scripted_model import Call, Say, Step

__all__ = ["CopilotCli"]

_USUAL_TOOLS = ("device_context", "search", "read", "sources", "facts", "remember")


class CopilotCli:
    """Meets `real_clients.Client`."""

    name = "copilot-cli"
    title = "Copilot CLI"
    package = "@github/copilot"
    prefix = f"{SERVER}-"
    summary_request = ""
    full = None
    instructs = False

    def prepare(self, device: Device) -> None:
        """It needs nothing."""

    def register(self, device: Device) -> None:
        device.run("copilot", "mcp", "add", SERVER, "--", str(PROGRAMS / "imprint-mcp"))

    def agree(self, installed: Installed) -> None:
        """It asks for nothing."""

    def do_turn(self, installed: Installed, turn: Turn) -> None:
        environ = {
            **turn.environ,
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_PROVIDER_TYPE": "anthropic",
            "COPILOT_PROVIDER_BASE_URL": installed.model.url,
            "COPILOT_PROVIDER_API_KEY": "none",
            "COPILOT_MODEL": "scripted",
        }
        words = ["copilot", "--output-format", "json"]
        if turn.resumes:
            words.append("--continue")
        # Without a terminal it cannot ask, and then runs no tool that it was not told of.
        for tool in (*_USUAL_TOOLS, *(turn.allowed or ()), *turn.agrees):
            words += ["--allow-tool", f"{SERVER}({tool})"]
        installed.run(*words, "-p", turn.prompt, cwd=turn.folder, environ=environ)

    def delegate(self, task: str) -> Sequence[Step]:
        given = {"description": "Look into it", "prompt": task, "agent_type": "general-purpose"}
        return [Call("task", {**given, "name": "look", "mode": "sync"})]

    def report(self, words: str) -> Step:
        return Say(words)

    def servers(self, installed: Installed) -> str:
        return installed.run("copilot", "mcp", "list")

    def tidy(self, result: str) -> str:
        return result
