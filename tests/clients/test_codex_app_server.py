"""Codex as its editor extension and its desktop program run it: one process that serves many tasks."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from real_clients import Codex, Device, Installed
from scripted_model import Call


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

    def do_turn(self, folder: Path) -> None:
        """Begin a task in a folder, and wait for the end of its first turn."""
        thread = self.ask("thread/start", cwd=str(folder))["thread"]["id"]
        self.ask("turn/start", threadId=thread, input=[{"type": "text", "text": "Do what is to be done."}])
        self._wait_for(lambda message: message.get("method") == "turn/completed")

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
    with subprocess.Popen(
        [*words, "app-server"],
        cwd=installed.device.home,
        env={**installed.device.environ, **installed.proxies},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            server = AppServer(process)
            server.ask("initialize", clientInfo={"name": "codex_vscode", "title": "Editor", "version": "1"})
            server.tell("initialized")
            yield server
        finally:
            process.terminate()


@pytest.mark.parametrize("client", [Codex()], ids=["codex"])
def test_tasks_of_one_process_use_the_workspaces_of_their_own_projects(installed: Installed, device: Device):
    acme, other = device.repository("acme"), device.repository("other")
    choice = [Call("use_workspace", {"name": "client"}), Call("remember", {"content": "Tabs are used here."})]

    with run_app_server(installed, allowed=["use_workspace"]) as server:
        installed.model.follow(choice)
        server.do_turn(acme)
        installed.model.follow([Call("search", {"query": "tabs"}), Call("device_context")])
        server.do_turn(other)
        elsewhere = [installed.client.tidy(result) for result in installed.model.requests[-1].results]
        installed.model.follow([Call("search", {"query": "tabs"}), Call("device_context")])
        server.do_turn(acme)
        here = [installed.client.tidy(result) for result in installed.model.requests[-1].results]

    assert f"The project {other} has no workspace yet." in elsewhere[0]
    assert "Tabs are used here." not in elsewhere[0]
    assert f"Project: {other}." in elsewhere[1]
    assert here[0].startswith('1 passage in workspace "client"')
    assert here[1].startswith('This session uses workspace "client"')
    assert device.servers_after(10) == []
