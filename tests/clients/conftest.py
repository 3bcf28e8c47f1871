"""Gives every test a device with one real client on it, and makes the modules beside this one importable."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from client_claude_code import ClaudeCode
from client_cline import Cline
from client_codex import Codex
from client_continue import Continue
from client_copilot_cli import CopilotCli
from client_gemini_cli import GeminiCli
from client_opencode import Opencode
from client_qwen_code import QwenCode
from real_clients import Client, Installed
from real_devices import CLIENTS_VARIABLE, Device
from scripted_model import serve_model

CLIENTS: tuple[Client, ...] = (ClaudeCode(), Codex(), CopilotCli(), GeminiCli(), QwenCode())
PARTIAL: tuple[Client, ...] = (Cline(), Continue(), Opencode())
"""Those that cannot do all that the scenarios are about; `test_partial_clients` has what they can."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what needs a client, where none was installed for it."""
    if not os.environ.get(CLIENTS_VARIABLE):
        reason = pytest.mark.skip(reason="real clients are driven by `nox -s clients`, which needs npm")
        for item in items:
            needed = {"installed", "prepared", "connected"}.intersection(getattr(item, "fixturenames", ()))
            if needed and item.path.is_relative_to(Path(__file__).parent):
                item.add_marker(reason)


@pytest.fixture(params=CLIENTS, ids=lambda client: client.name)
def client(request: pytest.FixtureRequest) -> Client:
    """Each client in turn."""
    return request.param


@pytest.fixture(scope="session")
def clients() -> tuple[Client, ...]:
    """All of them."""
    return (*CLIENTS, *PARTIAL)


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    """A device on which nothing of ours is left running."""
    device = Device(tmp_path / "home")
    device.home.mkdir()
    yield device
    assert device.processes_after(120) == []


@pytest.fixture
def prepared(client: Client, device: Device) -> Iterator[Installed]:
    """A client that knows nothing of us."""
    with serve_model(client.prefix) as model:
        client.prepare(device)
        yield Installed(client, device, model)


@pytest.fixture
def installed(prepared: Installed) -> Installed:
    """A client that knows our server, with nothing remembered yet."""
    prepared.client.register(prepared.device)
    return prepared


@pytest.fixture
def connected(prepared: Installed) -> Installed:
    """A client as `imprint clients connect` leaves it, with its user's yes to what it asks."""
    prepared.device.imprint("clients", "connect", prepared.client.name)
    prepared.client.agree(prepared)
    return prepared
