"""The hook of prompts: registered while passages go before the model with each, and no longer."""

import json
import tomllib
from pathlib import PurePosixPath
from types import ModuleType
from typing import Any, NamedTuple

import attrs
import pytest

from imprint.plugins import ClientHome, ConnectionRecord, HookEventKind, OurPrograms
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import claude_code, codex, copilot_cli, gemini_cli, opencode, qwen_code, vscode_copilot

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
SILENT = OurPrograms(server=("/opt/imprint-mcp",), hook=("/opt/imprint-hook",), instructions="Search first.\n")
RECALLING = attrs.evolve(SILENT, recalls=True)
CODEX = HOME.path / ".codex"
TRUST = '\n[hooks.state."{file}:user_prompt_submit:{group}:0"]\ntrusted_hash = "sha256:{hash}"\n'


class Prompted(NamedTuple):
    """A client that shows its model what a hook says of a prompt."""

    plugin: ModuleType
    name: str
    file: str
    event: str


CLIENTS = [
    Prompted(claude_code, "claude-code", ".claude/settings.json", "UserPromptSubmit"),
    Prompted(codex, "codex", ".codex/hooks.json", "UserPromptSubmit"),
    Prompted(copilot_cli, "copilot-cli", ".copilot/hooks/imprint-copilot-cli.json", "userPromptSubmitted"),
    Prompted(gemini_cli, "gemini-cli", ".gemini/settings.json", "BeforeAgent"),
    Prompted(qwen_code, "qwen-code", ".qwen/settings.json", "UserPromptSubmit"),
    Prompted(vscode_copilot, "vscode-copilot", ".copilot/hooks/imprint-vscode-copilot.json", "userPromptSubmitted"),
]
EACH = pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)


def connect(client: Prompted, where: MemoryClientFiles, programs: OurPrograms) -> ConnectionRecord:
    installation = client.plugin.find_installation(HOME, where)
    return ConnectionRecord(edits=where.carry_out(client.plugin.plan_connect(installation, programs, where)))


def disconnect(client: Prompted, where: MemoryClientFiles) -> None:
    installation = client.plugin.find_installation(HOME, where)
    where.carry_out(client.plugin.plan_disconnect(installation, ConnectionRecord(), where))


def hooks(client: Prompted, where: MemoryClientFiles) -> dict[str, Any]:
    return json.loads(where.files[HOME.path / client.file])["hooks"]


@EACH
def test_it_is_registered_last_and_leaves_the_others_as_they_were(client: Prompted):
    where = MemoryClientFiles.of_everything(HOME)
    connect(client, where, SILENT)
    silent = hooks(client, where)

    connect(client, where, RECALLING)

    recalling = hooks(client, where)
    assert client.event not in silent
    assert list(recalling) == [*silent, client.event]
    assert {event: recalling[event] for event in silent} == silent
    assert f"/opt/imprint-hook {client.name} {client.event}" in json.dumps(recalling[client.event])


@EACH
def test_its_event_is_a_prompt(client: Prompted):
    payload = {"prompt": "p", "session_id": "s"} | ({"sessionId": "s"} if client.name == "copilot-cli" else {})

    event = client.plugin.parse_hook_payload(client.event, payload)

    assert (event.kind, event.prompt) == (HookEventKind.PROMPT, "p")


@EACH
def test_connecting_without_it_takes_it_out_and_leaves_that_of_somebody_else(client: Prompted):
    where = MemoryClientFiles.of_everything(HOME)
    connect(client, where, RECALLING)
    path = HOME.path / client.file
    document = json.loads(where.files[path])
    theirs = json.loads(json.dumps(document["hooks"][client.event]).replace("imprint-hook", "another"))
    document["hooks"][client.event] += theirs
    where.files[path] = json.dumps(document).encode()

    connect(client, where, SILENT)

    assert hooks(client, where)[client.event] == theirs


@EACH
def test_disconnecting_takes_it_out_where_nobody_knows_of_it(client: Prompted):
    where = MemoryClientFiles.of_everything(HOME)
    connect(client, where, RECALLING)

    disconnect(client, where)

    assert b"imprint-hook" not in b"".join(where.files.values())


def test_the_plugin_in_opencode_tells_of_prompts_and_tells_no_more():
    client = Prompted(opencode, "opencode", ".config/opencode/plugin/imprint.js", "chat.message")
    where = MemoryClientFiles.of_everything(HOME)
    connect(client, where, SILENT)
    silent = dict(where.files)

    connect(client, where, RECALLING)

    assert b"const RECALLS = true" in where.files[HOME.path / client.file]
    connect(client, where, SILENT)
    assert where.files == silent


def test_trust_in_it_goes_with_it_and_moves_with_what_stands_behind_it():
    client, where = CLIENTS[1], MemoryClientFiles.of_everything(HOME)
    connect(client, where, RECALLING)
    document = json.loads(where.files[CODEX / "hooks.json"])
    document["hooks"]["UserPromptSubmit"].append({"hooks": [{"type": "command", "command": "true"}]})
    where.files[CODEX / "hooks.json"] = json.dumps(document).encode()
    for group, hash in enumerate(("ours", "theirs")):
        where.files[CODEX / "config.toml"] += TRUST.format(file=CODEX / "hooks.json", group=group, hash=hash).encode()

    connect(client, where, SILENT)

    state = tomllib.loads(where.files[CODEX / "config.toml"].decode())["hooks"]["state"]
    assert state == {f"{CODEX / 'hooks.json'}:user_prompt_submit:0:0": {"trusted_hash": "sha256:theirs"}}


@pytest.mark.parametrize("place", [0, 1], ids=["before", "behind"])
@pytest.mark.parametrize("leave", ["connect", "disconnect"])
def test_trust_in_somebody_elses_hook_stays_with_it_when_it_shares_a_group_with_ours(place: int, leave: str):
    """Codex skips a hook without a word when what it keeps about the hook stands at another place."""
    client, where = CLIENTS[1], MemoryClientFiles.of_everything(HOME)
    connect(client, where, RECALLING)
    document = json.loads(where.files[CODEX / "hooks.json"])
    groups = document["hooks"]["UserPromptSubmit"]
    groups[0]["hooks"].insert(place, {"type": "command", "command": "shared"})
    groups.append({"hooks": [{"type": "command", "command": "behind"}]})
    where.files[CODEX / "hooks.json"] = json.dumps(document).encode()
    key = f"{CODEX / 'hooks.json'}:user_prompt_submit"
    trust = {f"{key}:0:{place}": "shared", f"{key}:0:{1 - place}": "ours", f"{key}:1:0": "behind"}
    for name, hash in trust.items():
        where.files[CODEX / "config.toml"] += f'\n[hooks.state."{name}"]\ntrusted_hash = "{hash}"\n'.encode()

    connect(client, where, SILENT) if leave == "connect" else disconnect(client, where)

    state = tomllib.loads(where.files[CODEX / "config.toml"].decode())["hooks"]["state"]
    assert {name: kept["trusted_hash"] for name, kept in state.items()} == {
        f"{key}:0:0": "shared",
        f"{key}:1:0": "behind",
    }
