"""Gives every test a device with one real client on it, and makes the modules beside this one importable."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from real_clients import CLIENTS, CLIENTS_VARIABLE, SERVER, Client, Device, Installed
from scripted_model import serve_model


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what needs a client, where none was installed for it."""
    if not os.environ.get(CLIENTS_VARIABLE):
        reason = pytest.mark.skip(reason="real clients are driven by `nox -s clients`")
        for item in items:
            if not {"installed", "prepared"}.isdisjoint(getattr(item, "fixturenames", ())):
                item.add_marker(reason)


@pytest.fixture(params=CLIENTS, ids=lambda client: client.name)
def client(request: pytest.FixtureRequest) -> Client:
    """Each client in turn."""
    return request.param


@pytest.fixture
def device(tmp_path: Path) -> Device:
    home = tmp_path / "home"
    home.mkdir()
    return Device(home)


@pytest.fixture
def prepared(client: Client, device: Device) -> Iterator[Installed]:
    """A client that knows nothing of us."""
    with serve_model(SERVER) as model:
        client.prepare(device)
        yield Installed(client, device, model)


@pytest.fixture
def installed(client: Client, device: Device) -> Iterator[Installed]:
    """A client that knows our server, with nothing remembered yet."""
    with serve_model(SERVER) as model:
        client.set_up(device)
        yield Installed(client, device, model)
