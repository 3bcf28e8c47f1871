"""Clients that can do less than others: what they can, from the first session to the last trace."""

import json
import re
from pathlib import Path

import pytest
from client_cline import Cline
from client_continue import Continue
from client_opencode import Opencode
from real_clients import Client, Installed
from scripted_model import Call, Say

DECIDED = "We decided to paint the door teal because the neighbours asked for it."
ANSWERED = "Then the door will be teal."
OURS = ("<imprint-context>", "MCP server `imprint`", "imprint-mcp")
CONFIGURED = (".config/opencode", ".cline/hooks", ".cline/rules", ".cline/data/settings", ".continue")
HOOKED: tuple[Client, ...] = (Opencode(), Cline())
ALL: tuple[Client, ...] = (*HOOKED, Continue())


def search(query: str) -> Call:
    return Call("search", {"query": query})


def named(clients: tuple[Client, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("client", clients, ids=lambda client: client.name)


@pytest.fixture
def project(connected: Installed) -> Path:
    """A repository that has a workspace of its own."""
    folder = connected.device.repository("acme")
    connected.device.imprint("workspace", "use", "acme", cwd=folder)
    return folder


def files_in(home: Path) -> dict[str, bytes]:
    """What clients are configured by."""
    found = (path for place in CONFIGURED for path in (home / place).rglob("*") if path.is_file())
    kept = (path for path in found if not {"node_modules", "sessions", "logs", "index"}.intersection(path.parts))
    return {str(path.relative_to(home)): path.read_bytes() for path in kept}


@named(HOOKED)
def test_what_one_session_said_is_told_and_found_in_the_next(connected: Installed, project: Path):
    device = connected.device

    first = connected.converse(project, search("door"), Say(ANSWERED), prompt=DECIDED, allowed=None)
    jobs = device.settle()
    second = connected.converse(project, search("which colour has the door"), prompt="Paint it.", allowed=None)
    device.settle()

    assert any('This session uses workspace "acme"' in text for text in first.texts)
    assert "Nothing relevant" in first.results[0]
    assert {(job["kind"], job["workspace"], job["state"]) for job in jobs} == {("learn", "acme", "done")}
    assert any(f"decision: {DECIDED[:-1]}" in text for text in second.texts)
    assert DECIDED in second.results[0]
    assert ANSWERED in second.results[0]
    learned = list(device.learned("acme").values())
    assert sorted((DECIDED in text, "Paint it." in text) for text in learned) == [(False, True), (True, False)]
    assert not any("imprint-context" in text for text in learned)


@named(HOOKED)
def test_a_subagents_words_are_its_own_and_not_the_users(connected: Installed, project: Path):
    device, client = connected.device, connected.client
    task, reported = "Look for the paint shop.", "We decided on the paint shop in Elm Street."

    steps = (*client.delegate(task), Say(ANSWERED))
    given = connected.converse(
        project, *steps, prompt=DECIDED, allowed=None, others={task: [search("shop"), client.report(reported)]}
    )
    jobs = device.settle()

    assert reported in given.results[-1]
    assert {(job["workspace"], job["state"]) for job in jobs} == {("acme", "done")}
    learned = [re.sub(r", [0-9TZ:.-]+:$", ":", text, flags=re.MULTILINE) for text in device.learned("acme").values()]
    assert sorted(learned) == [
        f"assistant:\n{task}\n\nsubagent:\n{reported}\n",
        f"user:\n{DECIDED}\n\nassistant:\n{ANSWERED}\n",
    ]
    decisions = [one for one in device.list_json("sources", "--workspace", "acme") if one["kind"] == "decision"]
    shown = [device.imprint("show", str(one["source"]), "--workspace", "acme") for one in decisions]
    assert [text for text in shown if "said by the user" in text] == [text for text in shown if DECIDED in text] != []


@named((Continue(),))
def test_what_a_client_without_hooks_said_is_found_once_it_is_learned(connected: Installed, project: Path):
    device = connected.device

    first = connected.converse(project, search("door"), Say(ANSWERED), prompt=DECIDED, allowed=None)
    device.imprint("learn", "--client", "continue", "--workspace", "acme")
    second = connected.converse(project, search("which colour has the door"), prompt="Paint it.", allowed=None)

    assert "Nothing relevant" in first.results[0]
    assert DECIDED in second.results[0]
    assert device.list_json("jobs", "list") == []


@named(ALL)
def test_the_model_reads_the_instructions_and_its_calls_know_the_project(connected: Installed, project: Path):
    told = connected.converse(project, Call("device_context"), allowed=None)

    assert sum(text.count("The MCP server `imprint` is the user's local memory") for text in told.texts) == 1
    assert f"Project: {project}." in told.results[0]


@named(ALL)
def test_disconnecting_leaves_what_was_there_and_the_next_session_shows_nothing_of_ours(
    prepared: Installed, tmp_path: Path
):
    device, client = prepared.device, prepared.client
    before = files_in(device.home)
    device.imprint("clients", "connect", client.name)
    assert files_in(device.home) != before
    device.imprint("clients", "disconnect", client.name)
    assert files_in(device.home) == before

    device.imprint("clients", "connect", client.name)
    prepared.converse(device.repository("acme"), search("door"), prompt=DECIDED, allowed=None)
    device.settle()
    jobs = device.list_json("jobs", "list")
    device.imprint("clients", "disconnect", client.name)
    after = prepared.converse(device.home / "acme", allowed=None)

    assert not any(mark in text for text in after.texts for mark in OURS)
    assert "search" not in after.tools
    assert [name for name, data in files_in(device.home).items() if b"imprint" in data] == []
    assert device.settle() == jobs


@named((Cline(),))
def test_context_is_told_once_a_task_and_a_strangers_hook_runs_beside_ours(prepared: Installed):
    device = prepared.device
    hooks = device.home / ".cline" / "hooks"
    hooks.mkdir()
    for name in ("PreToolUse", "TaskComplete.sh"):
        (hooks / name).write_text(f'#!/bin/sh\necho "$0" >> "{device.home}/ran"\necho "{{}}"\n')
    device.imprint("clients", "connect", "cline")
    theirs = {path.name: path.read_bytes() for path in hooks.iterdir()}

    told = prepared.converse(device.repository("acme"), search("door"), search("paint"), prompt=DECIDED, allowed=None)
    device.settle()
    device.imprint("clients", "disconnect", "cline")

    assert sum(text.count("<imprint-context>") for text in told.texts) == 1
    ran = [Path(line).name for line in (device.home / "ran").read_text().splitlines()]
    assert ran == ["PreToolUse", "PreToolUse", "TaskComplete.sh"]
    left = {path.name: path.read_bytes() for path in hooks.iterdir()}
    assert left == {name: theirs[name] for name in ("PreToolUse", "TaskComplete.sh")}


@named((Opencode(),))
def test_a_session_that_goes_on_is_one_conversation_and_is_told_anew(connected: Installed, project: Path):
    device = connected.device
    connected.converse(project, Say(ANSWERED), prompt=DECIDED, allowed=None)
    device.settle()

    resumed = connected.converse(project, Say("It is painted."), prompt="Paint it.", allowed=None, resumes=True)
    device.settle()

    assert any("decision:" in text and DECIDED in text for text in resumed.told)
    (learned,) = device.learned("acme").values()
    assert all(learned.count(said) == 1 for said in (DECIDED, ANSWERED, "Paint it.", "It is painted."))
    assert json.dumps(resumed.texts).count("<imprint-context>") == 1
