"""What is common to all clients that are driven: what each must be able to do, and a session of one.

A client is added by three things: a module beside this one with a class that meets `Client`, an entry in the table of
`conftest`, and its version in `package.json`. If it speaks to its model in a protocol that none here speaks, `wires`
gets an entry too. The scenarios of `test_connected_sessions`, `test_connecting` and `test_sessions` run with it then.
"""

import subprocess
from collections.abc import Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any, Protocol

import attrs
from real_devices import Device
from scripted_model import PROMPT, ScriptedModel, Step

from imprint_mcp.instructions import INSTRUCTIONS

__all__ = ["SERVER", "Client", "Conversation", "Installed", "Turn"]

SERVER = "imprint"
_CONTEXT_MARK = "<imprint-context>"


@attrs.frozen(kw_only=True)
class Turn:
    """What the user says, and how.

    Attributes:
        folder: Where the client is started.
        prompt: The user's words.
        allowed: The tools that the user has said yes to for good, beside those that only read or add; `None`: only what
            the client's configuration says.
        agrees: The tools that the user says yes to when asked.
        resumes: The session goes on that was the last one in this folder.
        forks: A copy of it goes on instead, where the client can make one.
        environ: What the user has set besides.
    """

    folder: Path
    prompt: str = PROMPT
    allowed: Sequence[str] | None = ()
    agrees: Sequence[str] = ()
    resumes: bool = False
    forks: bool = False
    environ: Mapping[str, str] = attrs.field(factory=dict)


@attrs.frozen
class Conversation:
    """What came of one turn of a session.

    Attributes:
        results: What each call gave the model, in their order.
        told: What a hook of ours told the model before it answered first.
        instructed: Whether the model was shown the server's instructions, whole.
        tools: What the client offered it of the server.
        texts: Every string that it was shown last.
    """

    results: tuple[str, ...]
    told: tuple[str, ...]
    instructed: bool
    tools: tuple[str, ...]
    texts: tuple[str, ...]


class Client(Protocol):
    """A real client, as one user has set it up.

    Attributes:
        name: As `imprint clients` knows it.
        title: As the documentation writes it.
        package: The npm package that it comes in.
        prefix: What it puts before the names of our server's tools, for its model.
        summary_request: What it says to its model when it wants a summary to go on from.
        full: So many tokens that it makes one before the next turn; `None`: it counts by itself, and a resumed session
            begins to count anew.
        instructs: Whether it shows its model what the server says of itself.
    """

    name: str
    title: str
    package: str
    prefix: str
    summary_request: str
    full: int | None
    instructs: bool

    def prepare(self, device: Device) -> None:
        """Make it start without questions."""

    def register(self, device: Device) -> None:
        """Register the server with the client's own command."""

    def agree(self, installed: "Installed") -> None:
        """Say yes to what the client asks after `imprint clients connect`."""

    def do_turn(self, installed: "Installed", turn: Turn) -> None:
        """Do a turn without a terminal, and wait for its end."""

    def delegate(self, task: str) -> Sequence[Step]:
        """How its model gives a task to a subagent, and waits for it."""

    def report(self, words: str) -> Step:
        """How its model, as a subagent, ends its task."""

    def servers(self, installed: "Installed") -> str:
        """What the client itself says of its servers."""

    def tidy(self, result: str) -> str:
        """A result without what the client adds to it."""


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

    def run(self, *words: str, cwd: Path | None = None, environ: Mapping[str, str] | None = None) -> str:
        """Run the client; what it printed.

        Raises:
            ProgramFailedError: It failed.
        """
        return self.device.run(*words, cwd=cwd, environ={**self.proxies, **(environ or {})})

    def start(self, *words: str, cwd: Path, environ: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
        """Start the client with its streams as pipes, which end with it."""
        return subprocess.Popen(
            words,
            cwd=cwd,
            env={**self.device.environ, **self.proxies, **(environ or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def converse(
        self, folder: Path, *steps: Step, others: Mapping[str, Sequence[Step]] | None = None, **said: Any
    ) -> Conversation:
        """Do a turn in a folder, in which the model takes these steps, and let the session end.

        Args:
            others: What the model does when something else is said to it: by the client, or to a subagent.
            said: As `Turn` has it.
        """
        turn = Turn(folder=folder, **said)
        self.model.follow(steps, prompt=turn.prompt, others=others)
        try:
            self.client.do_turn(self, turn)
        finally:
            if self.model.faults:
                raise self.model.faults[0]
        asked = [request for request in self.model.requests if request.prompt == turn.prompt]
        # A client asks for a title as well, and offers no tools for it.
        requests = [request for request in asked if request.tools] or asked
        assert requests, "the model was not asked"
        return Conversation(
            results=tuple(self.client.tidy(result) for result in requests[-1].results),
            told=tuple(text for text in map(unescape, requests[0].texts) if _CONTEXT_MARK in text),
            instructed=any(INSTRUCTIONS.strip() in text for text in requests[-1].texts),
            tools=tuple(sorted(requests[-1].tools)),
            texts=requests[-1].texts,
        )
