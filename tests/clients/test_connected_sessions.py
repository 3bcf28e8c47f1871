"""Sessions of connected clients: what hooks tell the model, what is learned in the background, what the next one gets.

The model's record of what it was shown is the evidence, not what a client says of itself.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from client_copilot_cli import CopilotCli
from real_clients import Installed
from scripted_model import Call, Say

DECIDED = "We decided to paint the door teal because the neighbours asked for it."
ANSWERED = "Then the door will be teal."
ASKS = "has no workspace yet. Ask the user once"
OURS = ("<imprint-context>", "MCP server `imprint`", "mcp__imprint")
SUMMARY = "A summary that the client wanted, of doors and of paint."


def search(query: str) -> Call:
    return Call("search", {"query": query})


def use(name: str) -> Call:
    return Call("use_workspace", {"name": name})


def speakers(conversation: str) -> list[tuple[str, str]]:
    """Who said what, in its order."""
    turns = [turn.split(":\n", 1) for turn in conversation.strip().split("\n\n")]
    return [(head.partition(",")[0], text) for head, text in turns]


def transcripts(jobs: list[dict[str, Any]]) -> set[str]:
    """Those that jobs name. Where its session ends, Copilot CLI tells its hook of none: that job names the session."""
    return {job["source"] for job in jobs if not job["source"].startswith("conversation:")}


@pytest.fixture
def project(connected: Installed) -> Path:
    """A repository that has a workspace of its own."""
    folder = connected.device.repository("acme")
    connected.device.imprint("workspace", "use", "acme", cwd=folder)
    return folder


def test_what_one_session_said_reaches_the_model_of_the_next(connected: Installed, project: Path):
    device = connected.device

    first = connected.converse(project, search("door"), Say(ANSWERED), prompt=DECIDED, allowed=None)
    jobs = device.settle()
    second = connected.converse(project, search("which colour has the door"), prompt="Paint it.", allowed=None)

    assert len(first.told) == 1
    assert 'This session uses workspace "acme"' in first.told[0]
    assert DECIDED not in first.told[0].partition("</imprint-context>")[0]
    assert "Nothing relevant" in first.results[0]
    assert {(job["kind"], job["workspace"], job["state"]) for job in jobs} == {("learn", "acme", "done")}
    assert len(transcripts(jobs)) == 1
    assert f"decision: {DECIDED}" in second.told[0]
    assert DECIDED in second.results[0]
    assert ANSWERED in second.results[0]
    device.settle()
    assert [speakers(text) for text in device.learned("acme").values()] == [
        [("user", DECIDED), ("assistant", ANSWERED)],
        [("user", "Paint it."), ("assistant", Say().text)],
    ]


def test_a_project_without_a_workspace_is_asked_about_and_what_was_said_goes_where_the_user_chose(connected: Installed):
    device = connected.device
    folder = device.repository("acme")

    steps = (search("door"), search("paint"), use("acme"), search("door"), Say(ANSWERED))
    asked = connected.converse(folder, *steps, prompt=DECIDED, agrees=["use_workspace"])
    device.settle()
    later = connected.converse(folder, search("which colour has the door"), prompt="Paint it.", allowed=None)
    device.settle()

    assert ASKS in asked.told[0]
    assert [result.count(ASKS) for result in asked.results] == [1, 0, 0, 0]
    assert 'This session uses workspace "acme"' in asked.results[2]
    assert json.loads((folder / ".imprint" / "workspace.json").read_text()) == {"workspace": "acme"}
    assert ASKS not in "".join((*later.told, *later.results))
    assert DECIDED in later.results[0]
    assert [speakers(text)[0] for text in device.learned("acme").values()] == [("user", DECIDED), ("user", "Paint it.")]
    assert device.learned("default") == {}


def test_a_resumed_session_is_one_conversation_and_nothing_in_it_is_learned_twice(connected: Installed, project: Path):
    device = connected.device
    connected.converse(project, search("door"), Say(ANSWERED), prompt=DECIDED, allowed=None)
    device.settle()

    resumed = connected.converse(
        project, search("door"), Say("It is painted."), prompt="Paint it.", allowed=None, resumes=True
    )
    device.settle()

    assert f"decision: {DECIDED}" in resumed.told[-1]
    assert [speakers(text) for text in device.learned("acme").values()] == [
        [("user", DECIDED), ("assistant", ANSWERED), ("user", "Paint it."), ("assistant", "It is painted.")]
    ]


def test_a_summary_that_a_compaction_made_is_nobodys_words(connected: Installed, project: Path):
    device, client = connected.device, connected.client
    if client.full is None:
        pytest.skip("cannot be brought to it without a terminal")
    full = Say(ANSWERED, tokens=client.full)
    connected.converse(project, search("door"), full, prompt=DECIDED, allowed=None)
    device.settle()

    going_on = connected.converse(
        project,
        search("door"),
        Say("It is painted."),
        prompt="Paint it.",
        allowed=None,
        resumes=True,
        others={client.summary_request: [Say(f"<summary>{SUMMARY}</summary>")]},
    )
    summaries = [request for request in connected.model.requests if request.prompt == client.summary_request]
    device.settle()
    found = device.imprint("search", SUMMARY, "--workspace", "acme")

    assert len(summaries) == 1
    assert any(SUMMARY in text for text in connected.model.requests[-1].texts), "the session went on from the summary"
    assert f"decision: {DECIDED}" in going_on.told[-1]
    assert [speakers(text) for text in device.learned("acme").values()] == [
        [("user", DECIDED), ("assistant", ANSWERED), ("user", "Paint it."), ("assistant", "It is painted.")]
    ]
    assert SUMMARY not in found


def test_a_subagents_words_are_its_own_and_not_the_users(connected: Installed, project: Path):
    device, client = connected.device, connected.client
    task, reported = "Look for the paint shop.", "We decided on the paint shop in Elm Street."

    delegation = client.delegate(task)
    given = connected.converse(
        project,
        *delegation,
        Say(ANSWERED),
        prompt=DECIDED,
        allowed=None,
        agrees=[step.tool for step in delegation if isinstance(step, Call)],
        others={task: [search("shop"), client.report(reported)]},
    )
    jobs = device.settle()
    learned = [speakers(text) for text in device.learned("acme").values()]

    assert reported in given.results[-1]
    assert {(job["workspace"], job["state"]) for job in jobs} == {("acme", "done")}
    main, part = [("user", DECIDED), ("assistant", ANSWERED)], [("assistant", task), ("subagent", reported)]
    # In a transcript of its own, or between the words of the session that it is part of.
    assert sorted(learned) == sorted([main, part]) or learned == [[main[0], *part, main[1]]]
    decisions = [one for one in device.list_json("sources", "--workspace", "acme") if one["kind"] == "decision"]
    shown = [device.imprint("show", str(one["source"]), "--workspace", "acme") for one in decisions]
    assert [text for text in shown if "said by the user" in text] == [text for text in shown if DECIDED in text]


def test_a_session_in_a_linked_worktree_is_learned_for_its_main_tree(connected: Installed, project: Path):
    device = connected.device
    linked = device.home / "linked"
    device.git("worktree", "add", "-q", str(linked), cwd=project)

    there = connected.converse(linked, search("door"), Say(ANSWERED), prompt=DECIDED, allowed=None)
    device.settle()
    here = connected.converse(project, search("which colour has the door"), prompt="Paint it.", allowed=None)

    assert 'workspace "acme"' in there.told[0]
    assert ASKS not in "".join((*there.told, *there.results))
    assert DECIDED in here.results[0]
    assert 'project "acme"' in here.results[0]
    conversations = device.list_json("sources", "--kind", "conversation", "--workspace", "acme")
    assert [one["project"] for one in conversations] == ["acme"]


def test_disconnecting_after_a_learned_session_leaves_no_trace_and_no_process(connected: Installed, project: Path):
    device, client = connected.device, connected.client
    connected.converse(project, search("door"), Say(ANSWERED), prompt=DECIDED, allowed=None)
    before = device.settle()
    kept = device.learned("acme")

    device.imprint("clients", "disconnect", client.name)
    after = connected.converse(project, allowed=None)

    assert after.tools == ()
    assert not any(mark in text for text in after.texts for mark in OURS)
    assert device.processes() == []
    assert device.list_json("jobs", "list") == before
    assert device.learned("acme") == kept


@pytest.mark.parametrize("client", [CopilotCli()], ids=["copilot-cli"])
def test_hooks_of_vscode_in_the_same_folder_tell_and_queue_nothing(connected: Installed, project: Path):
    """Copilot CLI calls them too, beside its own and where they stand alone."""
    device, client = connected.device, connected.client
    (device.home / ".config" / "Code" / "User").mkdir(parents=True)
    device.imprint("clients", "connect", "vscode-copilot")

    beside = connected.converse(project, search("door"), Say(ANSWERED), prompt=DECIDED, allowed=None)
    jobs = device.settle()
    device.imprint("clients", "disconnect", client.name)
    alone = connected.converse(project, Say("It is painted."), prompt="Paint it.", allowed=None)

    assert len(beside.told) == 1
    assert "pass workspace" not in beside.told[0]
    assert {job["state"] for job in jobs} == {"done"}
    assert sorted(job["source"].partition("/")[0] for job in jobs) == ["", "conversation:copilot-cli"]
    assert alone.told == ()
    assert device.settle() == jobs
    assert [speakers(text) for text in device.learned("acme").values()] == [
        [("user", DECIDED), ("assistant", ANSWERED)]
    ]
