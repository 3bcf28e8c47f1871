"""What clients install by themselves from `plugins/`, which finds our programs by their names."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from client_copilot_cli import CopilotCli
from client_gemini_cli import GeminiCli
from real_clients import Installed
from scripted_model import Call, Say

ROOT = Path(__file__).parents[2]
INSTALLING: Mapping[str, Sequence[Sequence[str]]] = {
    "copilot-cli": [
        ["copilot", "plugin", "marketplace", "add", str(ROOT)],
        ["copilot", "plugin", "install", "imprint@imprint"],
    ],
    "gemini-cli": [["gemini", "extensions", "install", "--consent", str(ROOT / "plugins" / "gemini")]],
}
DECIDED = "We decided to paint the door teal because the neighbours asked for it."


@pytest.fixture
def folder(prepared: Installed) -> Path:
    """A project with a workspace, on a device where the client installed what is ours by itself."""
    for words in INSTALLING[prepared.client.name]:
        prepared.run(*words)
    folder = prepared.device.repository("acme")
    prepared.device.imprint("workspace", "use", "acme", cwd=folder)
    return folder


each_client = pytest.mark.parametrize("client", [CopilotCli(), GeminiCli()], ids=lambda client: client.name)


@each_client
def test_its_hooks_tell_and_learn_and_its_server_answers(prepared: Installed, folder: Path):
    device = prepared.device

    first = prepared.converse(folder, Call("search", {"query": "door"}), Say("Then it will be teal."), prompt=DECIDED)
    jobs = device.settle()
    second = prepared.converse(folder, Call("search", {"query": "which colour has the door"}), prompt="Paint it.")
    device.settle()

    assert len(first.told) == 1
    assert 'This session uses workspace "acme"' in first.told[0]
    assert {(job["kind"], job["workspace"], job["state"]) for job in jobs} == {("learn", "acme", "done")}
    assert f"decision: {DECIDED}" in second.told[0]
    assert DECIDED in second.results[0]


@each_client
def test_connected_besides_it_tells_once_offers_its_tools_once_and_is_told_of(prepared: Installed, folder: Path):
    device, client = prepared.device, prepared.client
    device.imprint("clients", "connect", client.name)
    client.agree(prepared)

    told = prepared.converse(folder, Call("search", {"query": "door"}), prompt=DECIDED)
    device.settle()
    (status,) = [one for one in device.list_json("clients", "list") if one["client"] == client.name]

    assert len(told.told) == 1
    assert len([tool for tool in told.tools if tool.endswith("use_workspace")]) == 1
    (learned,) = device.learned("acme").values()
    assert (learned.count(DECIDED), learned.count(Say().text)) == (1, 1)
    assert len([note for note in status["notes"] if "imprint" in note and "twice" in note]) == 1


@pytest.mark.parametrize("client", [CopilotCli()], ids=lambda client: client.name)
def test_its_server_works_where_the_session_does_and_not_where_the_client_was_started(
    prepared: Installed, folder: Path
):
    """A session that is resumed goes on in its own directory; the server of a plugin is told its id and no more."""
    device = prepared.device
    other = device.repository("other")
    device.imprint("workspace", "use", "other", cwd=other)

    prepared.converse(folder, Call("remember", {"content": "The door is teal."}), prompt="Keep it.")
    prepared.converse(other, Call("remember", {"content": "The roof is red."}), prompt="And that.", resumes=True)
    prepared.converse(other, Call("remember", {"content": "The wall is blue."}), prompt="And this.")
    device.settle()

    kept = {
        name: len(device.list_json("sources", "--kind", "memory", "--workspace", name))
        for name in ("acme", "other", "default")
    }
    assert kept == {"acme": 2, "other": 1, "default": 0}
