"""Hooks of Copilot CLI and VS Code, which both call what stands in one folder: what was recorded, given to both."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hook_calls import SAMPLES, Hooks
from real_program import Program

TRANSCRIPTS = Path(__file__).parents[1] / "samples" / "transcripts"
CLIENTS = ("copilot-cli", "vscode-copilot")
OTHER = dict(zip(CLIENTS, reversed(CLIENTS), strict=True))


@pytest.fixture
def hooks(program: Program) -> Hooks:
    program.project("proj")
    return Hooks(program)


def recorded(client: str, home: Path) -> list[tuple[str, dict[str, Any]]]:
    """The calls that a client was seen to make, as if in this home: the event's name, and what was sent."""
    lines = (SAMPLES / f"{client}.jsonl").read_text("utf-8").replace("{home}", str(home)).splitlines()
    return [(call["event"], call["payload"]) for call in map(json.loads, lines)]


def context_of(answer: dict[str, Any]) -> str:
    return answer.get("additionalContext") or answer["hookSpecificOutput"]["additionalContext"]


def put_vscode_samples(home: Path) -> Path:
    """The chats of code-server that were recorded, as if VS Code had kept them for the project."""
    user = home / "config" / "Code" / "User"
    shutil.copytree(
        TRANSCRIPTS / "vscode-copilot" / "workspaceStorage" / "49aa0f21", user / "workspaceStorage" / "49aa0f21"
    )
    noted = {"folder": (home / "proj").as_uri()}
    (user / "workspaceStorage" / "49aa0f21" / "workspace.json").write_text(json.dumps(noted))
    return user


@pytest.mark.parametrize("client", CLIENTS)
def test_each_call_is_answered_by_the_hook_of_its_own_client_alone(hooks: Hooks, client: str):
    """As it is where both are connected: the other's hook first, so that nothing is silent for being second."""
    calls = recorded(client, hooks.program.home)
    told = []
    for event, payload in calls:
        other, own = (hooks.call(name, event, payload) for name in (OTHER[client], client))
        assert (other.returncode, other.stdout, other.stderr) == (0, b"", b"")
        assert (own.returncode, own.stderr) == (0, b"")
        told += [(event, json.loads(own.stdout))] if own.stdout else []

    assert [event for event, _ in told] == ["sessionStart", "sessionStart"]
    assert all("<imprint-context>" in context_of(answer) for _, answer in told)
    paths = {
        payload.get("transcriptPath") or payload.get("transcript_path")
        for event, payload in calls
        if event == "agentStop"
    }
    ended = {
        f"conversation:{client}/{payload['sessionId']}"
        for event, payload in calls
        if event in ("preCompact", "sessionEnd") and "transcriptPath" not in payload and "sessionId" in payload
    }
    assert {job["source"] for job in hooks.settled()} == paths | ended


@pytest.mark.parametrize("client", CLIENTS)
def test_what_is_called_twice_for_one_event_is_told_once(hooks: Hooks, client: str):
    """As by a project's own hooks beside the user's; the next session of a moment later is told again."""
    event, payload = recorded(client, hooks.program.home)[0]
    later = {**payload, "timestamp": 1}

    told = [bool(hooks.call(client, event, sent).stdout) for sent in (payload, payload, later)]

    assert told == [True, False, True]


def test_only_vscode_is_told_to_name_the_workspace(hooks: Hooks):
    """Its server of the user's works in the user's home, whatever the window has open."""
    hooks.program.run("workspace", "use", "acme", cwd=hooks.program.home / "proj", stdin="yes\n")
    contexts = {}
    for client in CLIENTS:
        event, payload = recorded(client, hooks.program.home)[0]
        contexts[client] = context_of(json.loads(hooks.call(client, event, payload).stdout))

    assert all('uses workspace "acme"' in context for context in contexts.values())
    assert 'pass workspace "acme" with every call' in contexts["vscode-copilot"]
    assert "pass workspace" not in contexts["copilot-cli"]


def test_a_session_of_copilot_cli_is_learned_when_it_has_answered(hooks: Hooks):
    home = hooks.program.home
    folder = home / ".copilot" / "session-state"
    shutil.copytree(TRANSCRIPTS / "copilot-cli", folder)
    for path in folder.glob("*/events.jsonl"):
        path.write_text(path.read_text("utf-8").replace("/home/dev/work/copilot", str(home)), "utf-8")

    for event, payload in recorded("copilot-cli", home):
        hooks.call("copilot-cli", event, payload)

    assert {job["state"] for job in hooks.settled()} == {"done"}
    found = hooks.program.run("search", "first prompt", "--kind", "conversation", "--json").json
    assert {hit["source"] for hit in found["results"]} == {
        "conversation:copilot-cli/9f90b8c8-47ec-4cd1-9a37-f70ec1401826"
    }


def test_a_chat_of_vscode_is_learned_once_though_it_is_kept_twice(hooks: Hooks):
    home = hooks.program.home
    put_vscode_samples(home)

    for event, payload in recorded("vscode-copilot", home):
        hooks.call("vscode-copilot", event, payload)
    assert {job["state"] for job in hooks.settled()} == {"done"}
    again = hooks.program.run("learn", "--json").json

    assert {outcome: count for outcome, count in again["sources"].items() if count} == {"unchanged": 2}
    listed = hooks.program.run("sources", "--kind", "conversation", "--json").json_lines
    assert len(listed) == 2


def test_a_chat_whose_agent_deleted_its_transcript_stays_the_same_conversation(hooks: Hooks):
    """It keeps the last twenty; VS Code itself has the chat still."""
    home = hooks.program.home
    user = put_vscode_samples(home)
    hooks.program.run("learn")
    before = {source["source"] for source in hooks.program.run("sources", "--json").json_lines}

    for path in user.glob("workspaceStorage/*/GitHub.copilot-chat/transcripts/*.jsonl"):
        path.unlink()
    hooks.program.run("learn")

    assert {source["source"] for source in hooks.program.run("sources", "--json").json_lines} == before
    found = hooks.program.run("search", "VSC-ONE hello vscode", "--kind", "conversation", "--json").json
    assert len({hit["source"] for hit in found["results"]}) <= 2
