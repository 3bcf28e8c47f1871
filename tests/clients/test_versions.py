"""The page that says what is proved says it of the versions that are driven."""

import json
import re
from pathlib import Path

from real_clients import Client

from imprint.plugins.registry import PluginRegistry

ROOT = Path(__file__).parents[2]


def test_the_page_names_the_versions_that_are_driven(clients: tuple[Client, ...]):
    pinned = json.loads((ROOT / "tests" / "clients" / "package.json").read_text("utf-8"))["dependencies"]
    page = (ROOT / "docs" / "explanation" / "real-clients.md").read_text("utf-8")

    assert pinned.keys() == {client.package for client in clients}
    for client in clients:
        assert set(re.findall(rf"{client.title} (\d+\.\d+\.\d+)", page)) == {pinned[client.package]}


def test_every_client_that_is_shipped_has_its_row():
    page = (ROOT / "docs" / "explanation" / "real-clients.md").read_text("utf-8")
    handles = PluginRegistry(entry_points=list).handles("clients")

    (_, *rows) = re.findall(r"^\| ([^|]+?) \|", page, re.MULTILINE)

    assert rows == [handle.call("describe_client").title for handle in handles]


def test_the_page_names_the_version_of_the_editor_that_is_driven():
    pinned = json.loads((ROOT / "tests" / "clients" / "editor" / "package.json").read_text("utf-8"))["dependencies"]
    page = (ROOT / "docs" / "explanation" / "real-clients.md").read_text("utf-8")

    assert set(re.findall(r"VS Code (\d+\.\d+\.\d+)", page)) == {pinned["code-server"].replace("4.", "1.", 1)}
