"""Codex, as `codex exec`, and as the process that its editor extension runs."""

import json
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from real_clients import SERVER, Installed, Turn
from real_devices import PROGRAMS, Device
from scripted_model import PROMPT, Call, Say, ScriptedModel, Step

__all__ = ["AppServer", "Codex", "hook_states", "run_app_server", "trust_hooks"]

_LONGEST_TASK_MS = 60_000


class Codex:
    """Meets `real_clients.Client`."""

    name = "codex"
    title = "Codex"
    package = "@openai/codex"
    prefix = f"mcp__{SERVER}__"
    summary_request = "You are performing a CONTEXT CHECKPOINT COMPACTION"
    full = 400_000
    instructs = True

    def prepare(self, device: Device) -> None:
        (device.home / ".codex").mkdir()
        (device.home / ".codex" / "config.toml").write_text(
            "check_for_update_on_startup = false\n[analytics]\nenabled = false\n"
        )

    def register(self, device: Device) -> None:
        device.run("codex", "mcp", "add", SERVER, "--", str(PROGRAMS / "imprint-mcp"))
        with (device.home / ".codex" / "config.toml").open("a") as file:
            # It hands on no variables but a few of the system's and those that the server's own table names.
            file.write('env_vars = ["IMPRINT_WORKSPACE", "IMPRINT_DATA_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]\n')
            file.write("required = true\n")  # Wait for the server: how fast the machine is proves nothing.

    def agree(self, installed: Installed) -> None:
        states = hook_states(installed)
        trust_hooks(installed.device.home, {key: one for key, one in states.items() if one[0] != "trusted"})

    def do_turn(self, installed: Installed, turn: Turn) -> None:
        # `codex exec` cannot ask: what its user would say yes to has to be allowed before.
        words = self.configured(installed.model, (*(turn.allowed or ()), *turn.agrees))
        table = f"mcp_servers.{SERVER}"
        is_registered = f"[{table}]" in (installed.device.home / ".codex" / "config.toml").read_text()
        wait = ("-c", f"{table}.required=true") if is_registered else ()
        resumed = ("resume", "--last") if turn.resumes else ()
        started = (*words, *wait, "exec", "--sandbox", "workspace-write", *resumed, "--", turn.prompt)
        installed.run(*started, cwd=turn.folder, environ=turn.environ)

    def configured(self, model: ScriptedModel, allowed: Sequence[str]) -> Sequence[str]:
        """The program with the settings that depend on the test."""
        provider = f'{{name="script",base_url="{model.url}/v1",wire_api="responses"}}'
        settings = [
            'model="scripted"',
            'model_provider="script"',
            f"model_providers.script={provider}",
            *(f'mcp_servers.{SERVER}.tools.{tool}.approval_mode="approve"' for tool in allowed),
        ]
        return ("codex", *(word for setting in settings for word in ("-c", setting)))

    def delegate(self, task: str) -> Sequence[Step]:
        def name_agent(results: Sequence[str]) -> Mapping[str, object]:
            return {"targets": [json.loads(results[-1])["agent_id"]], "timeout_ms": _LONGEST_TASK_MS}

        return [Call("multi_agent_v1__spawn_agent", {"message": task}), Call("multi_agent_v1__wait_agent", name_agent)]

    def report(self, words: str) -> Step:
        return Say(words)

    def servers(self, installed: Installed) -> str:
        return installed.run("codex", "mcp", "list", "--json")

    def tidy(self, result: str) -> str:
        return result.partition("\nOutput:\n")[2] if result.startswith("Wall time:") else result


class AppServer:
    """`codex app-server`, spoken to over its standard streams."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._requests = 0

    def ask(self, method: str, **params: object) -> Any:
        """Ask for something; the result."""
        self._requests += 1
        self._send({"id": self._requests, "method": method, "params": params})
        return self._wait_for(lambda message: message.get("id") == self._requests and "method" not in message)["result"]

    def tell(self, method: str) -> None:
        """Tell something that needs no answer."""
        self._send({"method": method})

    def do_turn(self, folder: Path, prompt: str = PROMPT, *, forked: str = "") -> str:
        """Begin a task in a folder, or a fork of one, and wait for the end of its next turn; the task's id."""
        begun = self.ask("thread/fork", threadId=forked) if forked else self.ask("thread/start", cwd=str(folder))
        thread = str(begun["thread"]["id"])
        self.ask("turn/start", threadId=thread, input=[{"type": "text", "text": prompt}])
        self._wait_for(lambda message: message.get("method") == "turn/completed")
        return thread

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _wait_for(self, is_it: Any) -> Any:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            if is_it(message):
                return message
        raise EOFError("codex app-server ended")


@contextmanager
def run_app_server(installed: Installed, *, allowed: Sequence[str] = ()) -> Iterator[AppServer]:
    words = Codex().configured(installed.model, allowed)
    with installed.start(*words, "app-server", cwd=installed.device.home) as process:
        try:
            server = AppServer(process)
            server.ask("initialize", clientInfo={"name": "codex_vscode", "title": "Editor", "version": "1"})
            server.tell("initialized")
            yield server
        finally:
            process.terminate()


def hook_states(installed: Installed) -> dict[str, tuple[str, str]]:
    """Each hook that Codex sees: whether it is trusted, and the hash that trusting it would note."""
    with run_app_server(installed) as server:
        result = server.ask("hooks/list", cwds=[str(installed.device.home)])
    hooks = [hook for folder in result["data"] for hook in folder["hooks"]]
    return {hook["key"]: (hook["trustStatus"], hook["currentHash"]) for hook in hooks}


def trust_hooks(home: Path, states: Mapping[str, tuple[str, str]]) -> None:
    """Note what Codex notes when its user trusts hooks."""
    with (home / ".codex" / "config.toml").open("a") as file:
        for key, (_, hash) in states.items():
            file.write(f"\n[hooks.state.{json.dumps(key)}]\ntrusted_hash = {json.dumps(hash)}\n")
