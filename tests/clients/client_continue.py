"""Continue, as its command line `cn -p`."""

from collections.abc import Sequence

from real_clients import SERVER, Installed, Turn
from real_devices import PROGRAMS, Device
from scripted_model import Say, Step

__all__ = ["Continue"]

_NOWHERE = "http://127.0.0.1:9"
_CONFIG = f"""name: mine
version: 0.0.1
schema: v1
models:
  - name: scripted
    provider: openai
    model: gpt-4o
    apiBase: {_NOWHERE}/v1 # of the test
    apiKey: none
    roles: [chat]
    capabilities: [tool_use]
"""


class Continue:
    """Meets `real_clients.Client`."""

    name = "continue"
    title = "Continue"
    package = "@continuedev/cli"
    prefix = ""
    summary_request = "summary"
    full = 400_000
    instructs = False

    def prepare(self, device: Device) -> None:
        (device.home / ".continue").mkdir()
        (device.home / ".continue" / "config.yaml").write_text(_CONFIG)

    def register(self, device: Device) -> None:
        with (device.home / ".continue" / "config.yaml").open("a") as file:
            file.write(f"mcpServers:\n  - name: {SERVER}\n    command: {PROGRAMS / 'imprint-mcp'}\n")

    def agree(self, installed: Installed) -> None:
        """It asks nothing."""

    def do_turn(self, installed: Installed, turn: Turn) -> None:
        path = installed.device.home / ".continue" / "config.yaml"
        path.write_text(path.read_text().replace(_NOWHERE, installed.model.url))
        resumed = ("--resume",) if turn.resumes else ()
        words = ("cn", "-p", "--auto", *resumed, "--config", str(path), turn.prompt)
        installed.run(*words, cwd=turn.folder, environ={"CONTINUE_TELEMETRY_ENABLED": "0", **turn.environ})

    def delegate(self, task: str) -> Sequence[Step]:
        raise NotImplementedError(task)

    def report(self, words: str) -> Step:
        return Say(words)

    def servers(self, installed: Installed) -> str:
        return (installed.device.home / ".continue" / "config.yaml").read_text()

    def tidy(self, result: str) -> str:
        return result
