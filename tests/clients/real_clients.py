"""Real clients on a device of their own: a home that is thrown away, no way out, a model that follows a script."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import attrs
from scripted_model import ScriptedModel, Step

from imprint_mcp.instructions import INSTRUCTIONS

__all__ = [
    "CLIENTS",
    "CLIENTS_VARIABLE",
    "SERVER",
    "Client",
    "Codex",
    "Conversation",
    "Device",
    "Installed",
    "ProgramFailedError",
]

CLIENTS_VARIABLE = "IMPRINT_REAL_CLIENTS"
"""Names the folder with the clients' `node_modules`; set by the nox session."""

SERVER = "imprint"
_PROMPT = "Do what is to be done."
_LONGEST_TURN = 120
_PROGRAMS = Path(sys.executable).parent


class ProgramFailedError(Exception):
    """A program that had to succeed did not."""


@attrs.frozen
class Conversation:
    """What came of one session of a client.

    Attributes:
        results: What each call gave the model, in their order.
        instructed: Whether the model was shown the server's instructions, whole.
        tools: What the client offered it of the server.
    """

    results: tuple[str, ...]
    instructed: bool
    tools: tuple[str, ...]


@attrs.frozen
class Device:
    """A user's account on a machine, which nothing else uses."""

    home: Path

    @property
    def environ(self) -> dict[str, str]:
        """Nothing of the environment that the tests run in, and so none of its data folders."""
        installed = Path(os.environ[CLIENTS_VARIABLE]) / "node_modules" / ".bin"
        node = Path(shutil.which("node") or "node").parent
        places = (installed, _PROGRAMS, node, Path("/usr/local/bin"), Path("/usr/bin"), Path("/bin"))
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(map(str, dict.fromkeys(places))),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "SHELL": "/bin/sh",
            "USER": "somebody",
        }

    def run(self, *words: str, cwd: Path | None = None, environ: Mapping[str, str] | None = None) -> str:
        """Run a program that must succeed; what it printed.

        Raises:
            ProgramFailedError: It did not.
        """
        done = subprocess.run(
            words,
            cwd=cwd or self.home,
            env={**self.environ, **(environ or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_LONGEST_TURN,
            check=False,
        )
        if done.returncode:
            output = f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
            raise ProgramFailedError(f"{words[:3]} ended with {done.returncode}: {output}")
        return done.stdout

    def imprint(self, *words: str, cwd: Path | None = None) -> str:
        """Run `imprint` as another program of the user's, in another window."""
        return self.run(str(_PROGRAMS / "imprint"), *words, cwd=cwd)

    def list_json(self, *words: str) -> list[dict[str, object]]:
        """What a command lists."""
        return [json.loads(line) for line in self.imprint(*words, "--json").splitlines()]

    def git(self, *words: str, cwd: Path | None = None) -> str:
        """Run git as somebody."""
        return self.run("git", "-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", *words, cwd=cwd)

    def repository(self, name: str, files: Mapping[str, str] | None = None) -> Path:
        """Make a repository with one commit."""
        folder = self.home / name
        for path, content in {"README.md": f"# {name}\n", **(files or {})}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content)
        self.git("init", "-q", "-b", "main", cwd=folder)
        self.git("add", ".", cwd=folder)
        self.git("commit", "-q", "-m", "Begin", cwd=folder)
        return folder

    def servers(self) -> list[int]:
        """The processes of the MCP server that run in this home (on Linux)."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words, environ = ((folder / name).read_bytes().split(b"\0") for name in ("cmdline", "environ"))
            except OSError:
                continue  # It ended meanwhile, or is somebody else's.
            if f"HOME={self.home}".encode() in environ and any(word.endswith(b"imprint-mcp") for word in words):
                found.append(int(folder.name))
        return found

    def servers_after(self, seconds: float) -> list[int]:
        """The servers that are left, when those that are ending have had their time."""
        end = time.monotonic() + seconds
        while (left := self.servers()) and time.monotonic() < end:
            time.sleep(0.05)
        return left


class Client(Protocol):
    """A real client, as one user has set it up.

    Attributes:
        name: As the tests show it.
    """

    name: str

    def prepare(self, device: Device) -> None:
        """Make it start without questions."""

    def set_up(self, device: Device) -> None:
        """Make it start without questions, and register the server with the client's own command."""

    def command(
        self, model: ScriptedModel, *, allowed: Sequence[str] | None
    ) -> tuple[Sequence[str], Mapping[str, str]]:
        """What starts a session without a terminal, and what its environment needs.

        Args:
            allowed: The tools that the user has said yes to for good, beside those that only read or add; `None`: only
                what its configuration says.
        """

    def tidy(self, result: str) -> str:
        """A result without what the client adds to it."""


class ClaudeCode:
    """Claude Code, as `claude -p`."""

    name = "claude-code"
    _KEY = "no-key-at-all-0123456789"

    def prepare(self, device: Device) -> None:
        known = {"hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": [self._KEY[-20:]]}}
        (device.home / ".claude.json").write_text(json.dumps(known, indent=2))

    def set_up(self, device: Device) -> None:
        self.prepare(device)
        device.run("claude", "mcp", "add", "--scope", "user", SERVER, "--", str(_PROGRAMS / "imprint-mcp"))

    def command(
        self, model: ScriptedModel, *, allowed: Sequence[str] | None
    ) -> tuple[Sequence[str], Mapping[str, str]]:
        usual = ("device_context", "search", "read", "sources", "facts", "remember")
        rules = ",".join(f"mcp__{SERVER}__{tool}" for tool in (*usual, *(allowed or ())))
        environ = {
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": self._KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "MCP_CONNECTION_NONBLOCKING": "false",  # Wait for the server: how fast the machine is proves nothing.
            "ENABLE_TOOL_SEARCH": "false",  # Else the model would have to ask for the tools by their names first.
        }
        words = ("claude", "-p", _PROMPT)
        return (words if allowed is None else (*words, "--allowedTools", rules)), environ

    def tidy(self, result: str) -> str:
        return result


class Codex:
    """Codex, as `codex exec`."""

    name = "codex"

    def prepare(self, device: Device) -> None:
        (device.home / ".codex").mkdir()
        (device.home / ".codex" / "config.toml").write_text(
            "check_for_update_on_startup = false\n[analytics]\nenabled = false\n"
        )

    def set_up(self, device: Device) -> None:
        self.prepare(device)
        device.run("codex", "mcp", "add", SERVER, "--", str(_PROGRAMS / "imprint-mcp"))
        with (device.home / ".codex" / "config.toml").open("a") as file:
            # It hands on no variables but a few of the system's and those that the server's own table names.
            file.write('env_vars = ["IMPRINT_WORKSPACE", "IMPRINT_DATA_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME"]\n')
            file.write("required = true\n")  # Wait for the server: how fast the machine is proves nothing.

    def command(
        self, model: ScriptedModel, *, allowed: Sequence[str] | None
    ) -> tuple[Sequence[str], Mapping[str, str]]:
        wait = () if allowed is not None else ("-c", f"mcp_servers.{SERVER}.required=true")
        return (*self.configured(model, allowed or ()), *wait, "exec", "--sandbox", "workspace-write", _PROMPT), {}

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

    def tidy(self, result: str) -> str:
        return result.partition("\nOutput:\n")[2] if result.startswith("Wall time:") else result


CLIENTS: tuple[Client, ...] = (ClaudeCode(), Codex())


@attrs.frozen
class Installed:
    """A client on a device, with the model that it talks to."""

    client: Client
    device: Device
    model: ScriptedModel

    @property
    def proxies(self) -> dict[str, str]:
        """Variables that send everything outside to the model, which refuses it."""
        refused = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), self.model.url)
        return {**refused, "NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"}

    def converse(
        self,
        folder: Path,
        *steps: Step,
        allowed: Sequence[str] | None = (),
        environ: Mapping[str, str] | None = None,
    ) -> Conversation:
        """Begin a new session in a folder, in which the model takes these steps, and let it end.

        Args:
            allowed: The tools that the user has said yes to for good, beside those that only read or add; `None`: only
                what the client's configuration says.
            environ: What the user has set besides.
        """
        self.model.follow(steps)
        words, needed = self.client.command(self.model, allowed=allowed)
        self.device.run(*words, cwd=folder, environ={**self.proxies, **needed, **(environ or {})})
        if self.model.faults:
            raise self.model.faults[0]
        assert self.model.requests, "the model was offered no tool of the server"
        last = self.model.requests[-1]
        return Conversation(
            results=tuple(self.client.tidy(result) for result in last.results),
            instructed=any(INSTRUCTIONS.strip() in text for text in last.texts),
            tools=tuple(sorted(last.tools)),
        )
