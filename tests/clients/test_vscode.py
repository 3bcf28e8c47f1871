"""Copilot Chat of VS Code, in a browser: from the first chat to the last trace."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from editor_vscode import EDITOR_VARIABLE, PREFIX, Editor, find_browser, open_editor, prepare
from real_devices import Device
from scripted_model import Call, Say, ScriptedModel, serve_model

from imprint_mcp.instructions import INSTRUCTIONS

DECIDED = "We decided to paint the door teal because the neighbours asked for it."
ANSWERED = "Then the door will be teal."
OURS = ("<imprint-context>", "MCP server `imprint`", "imprint-mcp")

pytestmark = pytest.mark.skipif(
    not os.environ.get(EDITOR_VARIABLE) or find_browser() is None,
    reason="VS Code is driven by `nox -s editors`, which needs npm and Chromium",
)


def search(query: str) -> Call:
    return Call("search", {"query": query, "workspace": "acme"})


def files_in(home: Path) -> dict[str, bytes]:
    """What VS Code and its chat are configured by."""
    user = home / ".local" / "share" / "code-server" / "User"
    places = (user / "mcp.json", user / "prompts", user / "settings.json", home / ".copilot")
    found = (path for place in places for path in (place, *place.rglob("*")) if path.is_file())
    return {str(path.relative_to(home)): path.read_bytes() for path in found}


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with serve_model(PREFIX) as model:
        yield model


@pytest.fixture
def project(device: Device, model: ScriptedModel) -> Path:
    """A repository with a workspace, on a device whose VS Code is connected."""
    prepare(device, model)
    folder = device.repository("acme")
    device.imprint("workspace", "use", "acme", cwd=folder)
    device.imprint("clients", "connect", "vscode-copilot")
    return folder


@pytest.fixture
def editor(device: Device, model: ScriptedModel, project: Path) -> Iterator[Editor]:
    with open_editor(device, model, project) as editor:
        yield editor


def test_what_one_chat_said_is_told_and_found_in_the_next(editor: Editor, device: Device, model: ScriptedModel):
    first = editor.chat(DECIDED, search("door"), Say(ANSWERED))
    offered = model.requests[-1].tools
    second = editor.chat("Paint it.", search("which colour has the door"))

    assert any('This session uses workspace "acme"' in text for text in first)
    assert any("Nothing relevant" in text for text in first)
    assert any(INSTRUCTIONS.strip() in text for text in first)
    assert sum(text.count("The MCP server `imprint` is the user's local memory") for text in first) == 1
    assert len(offered) == 12
    assert any(f"decision: {DECIDED[:-1]}" in text for text in second)
    assert any(ANSWERED in text for text in second)
    assert {job["workspace"] for job in device.list_json("jobs", "list")} == {"acme"}
    learned = list(device.learned("acme").values())
    assert sorted((DECIDED in text, "Paint it." in text) for text in learned) == [(False, True), (True, False)]
    assert not any("imprint-context" in text for text in learned)


def test_disconnecting_leaves_what_was_there(device: Device, model: ScriptedModel, project: Path):
    with open_editor(device, model, project) as editor:
        editor.chat(DECIDED, Say(ANSWERED))
    device.settle()

    device.imprint("clients", "disconnect", "vscode-copilot")

    assert [name for name, data in files_in(device.home).items() if b"imprint" in data] == []
    with open_editor(device, model, project) as editor:
        after = editor.chat("Paint it.", learns=False)
    assert not any(mark in text for text in after for mark in OURS)
