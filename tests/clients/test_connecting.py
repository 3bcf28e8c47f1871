"""Real clients, connected and disconnected by `imprint clients`."""

import json
from pathlib import Path

import pytest
from client_claude_code import ClaudeCode
from client_codex import Codex, hook_states, trust_hooks
from client_gemini_cli import GeminiCli
from client_qwen_code import QwenCode
from real_clients import SERVER, Installed
from scripted_model import Call, Meanwhile

CONNECTED = (
    *("settings.json", "CLAUDE.md"),
    *("config.toml", "hooks.json", "AGENTS.md"),
    *("mcp-config.json", "imprint-copilot-cli.json", "copilot-instructions.md"),
    *("GEMINI.md", "imprint.toml", "QWEN.md"),
)
SEARCH = Call("search", {"query": "tabs"})
REMEMBER = Call("remember", {"content": "The user indents with tabs."})
REFUSED = ("permission", "requires user confirmation")
ASKING = (
    Call("forget", {"ids": ["1"]}),
    Call("use_workspace", {"name": "client"}),
    Call("purge_source", {"target": "x"}),
)


def connect(installed: Installed) -> dict[str, object]:
    return json.loads(installed.device.imprint("clients", "connect", installed.client.name, "--json"))


def disconnect(installed: Installed) -> dict[str, object]:
    return json.loads(installed.device.imprint("clients", "disconnect", installed.client.name, "--json"))


def files_in(home: Path) -> dict[str, bytes]:
    """Every file of the home but our own data, and what a client unpacks of itself."""
    found = (path for path in home.rglob("*") if path.is_file() and {".cache", ".local"}.isdisjoint(path.parts))
    return {str(path.relative_to(home)): path.read_bytes() for path in found}


def state(installed: Installed) -> object:
    return {row["client"]: row["state"] for row in installed.device.list_json("clients", "list")}[installed.client.name]


def test_client_lists_the_server_once_it_is_connected_and_no_more_once_it_is_not(prepared: Installed):
    assert SERVER not in prepared.client.servers(prepared)
    before = files_in(prepared.device.home)

    connect(prepared)
    assert SERVER in prepared.client.servers(prepared)
    assert state(prepared) == "connected"

    disconnect(prepared)
    assert SERVER not in prepared.client.servers(prepared)
    assert state(prepared) == "not connected"
    after = files_in(prepared.device.home)
    assert {name: data for name, data in after.items() if name.endswith(CONNECTED)} == {
        name: data for name, data in before.items() if name.endswith(CONNECTED)
    }


def test_disconnecting_at_once_leaves_every_byte_of_the_home(prepared: Installed):
    before = files_in(prepared.device.home)

    connect(prepared)
    assert files_in(prepared.device.home) != before
    disconnect(prepared)

    assert files_in(prepared.device.home) == before


def test_session_of_a_connected_client_searches_and_remembers_without_a_question(prepared: Installed):
    connect(prepared)
    folder = prepared.device.repository("acme")

    seen = prepared.converse(folder, SEARCH, REMEMBER, SEARCH, allowed=None)

    assert "Remembered" in seen.results[1]
    assert "The user indents with tabs." in seen.results[2]


def test_model_reads_the_instructions_of_a_connected_client(prepared: Installed):
    connect(prepared)

    texts = prepared.converse(prepared.device.repository("acme"), SEARCH, allowed=None).texts

    assert any("The MCP server `imprint` is the user's local memory" in text for text in texts)


@pytest.mark.parametrize("client", [ClaudeCode(), GeminiCli(), QwenCode()], ids=lambda client: client.name)
def test_tools_that_destroy_ask_though_the_others_are_allowed(prepared: Installed):
    """Without a terminal nobody can answer, and asking is refusing."""
    connect(prepared)
    folder = prepared.device.repository("acme")

    results = prepared.converse(folder, SEARCH, *ASKING, allowed=None).results

    assert "tabs" in results[0]
    for result in results[1:]:
        assert any(word in result.lower() for word in REFUSED), result
    assert not (folder / ".imprint").exists()


def test_client_works_on_after_disconnecting_in_the_middle_of_its_life(prepared: Installed):
    """What it wrote to its files meanwhile stays."""
    connect(prepared)
    folder = prepared.device.repository("acme")
    prepared.converse(folder, SEARCH, Meanwhile(lambda: None), allowed=None)
    disconnect(prepared)

    kept = {
        name: data
        for name, data in files_in(prepared.device.home).items()
        if name.endswith((".claude.json", *CONNECTED, ".copilot/config.json"))
    }

    assert kept
    for name, data in kept.items():
        assert b"imprint-" not in data, name
        assert b"mcp__imprint" not in data, name
    assert SERVER not in prepared.client.servers(prepared)


@pytest.mark.parametrize("client", [Codex()], ids=["codex"])
def test_hooks_that_were_trusted_stay_trusted_when_connecting_again_and_leave_nothing(prepared: Installed):
    home, device = prepared.device.home, prepared.device
    before = files_in(home)
    assert "trust" in str(connect(prepared)["notes"])
    keys = hook_states(prepared)
    assert len(keys) == 5
    assert {status for status, _ in keys.values()} == {"untrusted"}

    trust_hooks(home, keys)
    assert {status for status, _ in hook_states(prepared).values()} == {"trusted"}
    again = connect(prepared)

    assert (again["changed"], again["notes"]) == (False, [])
    assert {status for status, _ in hook_states(prepared).values()} == {"trusted"}
    disconnect(prepared)
    assert hook_states(prepared) == {}
    assert files_in(home)[".codex/config.toml"] == before[".codex/config.toml"]
    assert device.list_json("clients", "list")


@pytest.mark.parametrize("client", [Codex()], ids=["codex"])
def test_hooks_of_others_behind_ours_stay_trusted_when_ours_go(prepared: Installed):
    connect(prepared)
    path = prepared.device.home / ".codex" / "hooks.json"
    hooks = json.loads(path.read_text())
    hooks["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "true", "timeout": 5}]})
    path.write_text(json.dumps(hooks))
    trust_hooks(prepared.device.home, hook_states(prepared))

    disconnect(prepared)

    ((key, (status, _)),) = hook_states(prepared).items()
    assert key.endswith(":stop:0:0")
    assert status == "trusted"
