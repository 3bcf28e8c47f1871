"""What clients' hooks answer, and what they leave."""

import json
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hook_calls import CLIENTS, Hooks, recorded
from real_program import Program


@pytest.fixture
def hooks(program: Program) -> Hooks:
    return Hooks(program)


@pytest.mark.parametrize("client", CLIENTS)
def test_recorded_payloads_are_answered_as_the_client_takes_it(hooks: Hooks, client: str):
    hooks.program.project("proj")
    answers = {}
    for payload in recorded(client, hooks.program.home):
        event = payload["hook_event_name"]
        done = hooks.call(client, event, payload)
        assert (done.returncode, done.stderr) == (0, b"")
        answers[event, payload.get("source", ""), bool(payload.get("agent_id"))] = done.stdout

    told = {call: json.loads(answer) for call, answer in answers.items() if answer}
    assert {call[1] for call in told} == {call[1] for call in answers if call[0] == "SessionStart"}
    assert {"startup", "resume"} <= {call[1] for call in told}
    assert len(answers) > len(told) + 2
    for (event, _, _), answer in told.items():
        assert event == "SessionStart"
        context = answer["hookSpecificOutput"].pop("additionalContext")
        assert answer == {"hookSpecificOutput": {"hookEventName": "SessionStart"}}
        assert context.startswith("<imprint-context>\n")
        assert 'uses workspace "default"' in context
    sources = {job["source"] for job in hooks.settled()}
    assert sources == {
        payload.get("agent_transcript_path", payload["transcript_path"])
        for payload in recorded(client, hooks.program.home)
        if payload["hook_event_name"] in ("Stop", "AfterAgent", "SubagentStop", "SessionEnd", "PreCompact")
    }


def test_a_session_is_told_its_workspace_and_the_latest_memories(hooks: Hooks):
    project = hooks.program.project("proj")
    hooks.program.run("workspace", "use", "acme", cwd=project, stdin="yes\n")
    hooks.program.run("remember", "We deploy on Mondays.", "--kind", "decision", "--workspace", "acme")
    hooks.program.run("remember", "The cat is called Ada.", "--workspace", "default")

    context = hooks.begin(cwd=str(project))

    assert 'workspace "acme" — named by .imprint/workspace.json' in context
    assert "decision: We deploy on Mondays." in context
    assert "Ada" not in context


def test_a_session_without_a_directory_is_told_nothing_of_workspaces(hooks: Hooks):
    hooks.program.run("remember", "We deploy on Mondays.")

    context = hooks.begin()

    assert "search" in context
    assert "workspace" not in context
    assert "Mondays" not in context


def test_a_variable_that_names_no_workspace_is_told_and_decides_nothing(hooks: Hooks):
    done = hooks.call(
        "codex",
        "SessionStart",
        {"session_id": "s", "cwd": str(hooks.program.home)},
        environ={"IMPRINT_WORKSPACE": "nowhere"},
    )

    assert "IMPRINT_WORKSPACE" in done.stdout.decode()
    assert [row["name"] for row in hooks.program.run("workspace", "list", "--json").json_lines] == ["default"]


def test_the_second_of_two_calls_is_not_answered_and_a_later_session_is(hooks: Hooks):
    told = [hooks.begin(source=source) for source in ("startup", "startup", "compact")]

    assert [bool(context) for context in told] == [True, False, True]


def switch(program: Program, project: Path) -> None:
    program.run("workspace", "switch", "other")


def add_root(program: Program, project: Path) -> None:
    program.run("roots", "add", str(project.parent / "proj"), "--workspace", "other")


def use(program: Program, project: Path) -> None:
    program.run("workspace", "use", "other", cwd=project)


def break_file(program: Program, project: Path) -> None:
    (project / ".imprint").mkdir()
    (project / ".imprint" / "workspace.json").write_text("{")


def set_unassigned(program: Program, project: Path) -> None:
    program.run("config", "set", "workspace.unassigned", "other")


def leave_git(program: Program, project: Path) -> None:
    (project / ".git" / "HEAD").unlink()


def make_another(program: Program, project: Path) -> None:
    program.run("workspace", "create", "third")


@pytest.mark.parametrize(
    "change", [switch, add_root, use, break_file, set_unassigned, leave_git, make_another], ids=lambda one: one.__name__
)
def test_what_changed_since_the_last_session_of_a_folder_is_told(hooks: Hooks, change: Callable[[Program, Path], None]):
    """What was told before is kept: here it has to be found out anew."""
    program, project = hooks.program, hooks.program.project("proj")
    program.run("workspace", "create", "other")
    before = [hooks.begin(session_id=name, cwd=str(project)) for name in ("a", "b")]

    change(program, project)

    told = hooks.begin(session_id="c", cwd=str(project))
    assert before[0] == before[1] != told
    assert program.run("workspace", "which", str(project), "--session", "--json").json["sentence"] in told


def test_what_was_told_in_a_folder_is_kept_until_something_changes(hooks: Hooks):
    project = hooks.program.project("proj")
    told = [hooks.begin(session_id=name, cwd=str(project)) for name in ("a", "b", "c")]
    with closing(sqlite3.connect(hooks.program.data / "jobs.sqlite3", isolation_level=None)) as connection:
        connection.execute("UPDATE statements SET statement = 'as it was kept'")

    kept = hooks.begin(session_id="d", cwd=str(project))

    assert told[0] == told[1] == told[2]
    assert "as it was kept" in kept


def test_a_linked_worktree_is_recorded(hooks: Hooks):
    main = hooks.program.project("main")
    record = main / ".git" / "worktrees" / "w"
    record.mkdir(parents=True)
    linked = hooks.program.home / "linked"
    linked.mkdir()
    (linked / ".git").write_text(f"gitdir: {record}\n")
    (record / "gitdir").write_text(f"{linked / '.git'}\n")
    (record / "commondir").write_text("../..\n")
    (record / "HEAD").write_text("ref: refs/heads/w\n")

    context = hooks.begin(cwd=str(linked))
    (linked / ".git").unlink()
    linked.rmdir()

    assert "linked git worktree" in context
    which = hooks.program.run("workspace", "which", str(linked), "--json", "--session").json
    assert which["project"] == str(main)


def test_prompts_are_answered_only_where_a_setting_says_so(hooks: Hooks):
    hooks.program.run("remember", "The staging database is called heron.")
    asked = {"session_id": "s", "cwd": str(hooks.program.home), "prompt": "what is the staging database called?"}

    silent = hooks.call("codex", "UserPromptSubmit", asked | {"turn_id": "1"})
    hooks.program.run("config", "set", "hooks.prompt_passages", "2")
    told = hooks.call("codex", "UserPromptSubmit", asked | {"turn_id": "2"})

    assert silent.stdout == b""
    answer = json.loads(told.stdout)["hookSpecificOutput"]
    assert answer["hookEventName"] == "UserPromptSubmit"
    assert "heron" in answer["additionalContext"]


def test_a_prompt_is_told_the_same_words_once(hooks: Hooks):
    """A decision is stored beside the turn that it was drawn from."""
    project = hooks.program.project("proj")
    hooks.stop("s1", project, hooks.say("s1", project, "We decided to call the staging database heron."))
    hooks.settled()
    hooks.program.run("config", "set", "hooks.prompt_passages", "3")

    asked = {"session_id": "s", "cwd": str(project), "prompt": "what is the staging database called?", "turn_id": "1"}
    told = hooks.call("codex", "UserPromptSubmit", asked).stdout.decode()

    assert told.count("call the staging database heron") == 1


def test_what_was_told_with_a_prompt_is_not_asked_about_again(hooks: Hooks):
    """Some clients hand on with a prompt what hooks said before, and a user may quote it."""
    hooks.program.run(
        "remember",
        "The staging database is called heron, listens on port 5433 of egret and is emptied by cron at midnight.",
    )
    hooks.program.run("config", "set", "hooks.prompt_passages", "2")
    asked = {"session_id": "s", "cwd": str(hooks.program.home), "prompt": "What is the staging database called?"}
    told = hooks.call("codex", "UserPromptSubmit", asked | {"turn_id": "1"}).stdout
    context = json.loads(told)["hookSpecificOutput"]["additionalContext"]

    quoted = [context, f"Now paint the fence.\n{context}", "  \n"]
    again = [
        hooks.call("codex", "UserPromptSubmit", asked | {"turn_id": str(number), "prompt": prompt})
        for number, prompt in enumerate(quoted, start=2)
    ]

    assert [(done.returncode, done.stdout) for done in again] == [(0, b"")] * 3


def test_a_prompt_does_not_wait_for_whoever_keeps_the_queue_locked(hooks: Hooks):
    """The user waits for the answer; the client would give the hook ten seconds."""
    hooks.program.run("remember", "The staging database is called heron.")
    hooks.program.run("config", "set", "hooks.prompt_passages", "2")
    asked = {"session_id": "s", "cwd": str(hooks.program.home), "prompt": "what is the staging database called?"}
    hooks.call("codex", "UserPromptSubmit", asked | {"turn_id": "1"})

    with closing(sqlite3.connect(hooks.program.data / "jobs.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()
        done = hooks.call("codex", "UserPromptSubmit", asked | {"turn_id": "2"})
        waited = time.monotonic() - begun

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert waited < 4


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"nonsense",
        b"\xff\xfe",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"session_id": 7}',
        b'{"session_id": "s", "cwd": ["a"], "transcript_path": "t"}',
        b'{"session_id": "s", "cwd": "\\ud800", "transcript_path": "\\udfff"}',
        b'{"session_id": "s", "cwd": "a\\u0000b", "transcript_path": "a\\u0000b"}',
        b'{"session_id": "' + b"s" * 100_000 + b'", "cwd": "' + b"/x" * 50_000 + b'", "transcript_path": "relative"}',
        b" " * 20_000_000,
    ],
    ids=lambda payload: repr(payload[:40]),
)
@pytest.mark.parametrize("event", ["Stop", "SessionStart", "NoSuchEvent", ""])
def test_a_payload_of_any_shape_is_no_reason_to_fail(hooks: Hooks, event: str, payload: bytes):
    done = hooks.call("claude-code", event, payload)

    assert (done.returncode, done.stderr) == (0, b"")
    if event != "SessionStart":
        assert done.stdout == b""
    if done.stdout:
        json.loads(done.stdout)
    hooks.settled()


@pytest.mark.parametrize("client", ["nobody", "", "hook-payloads", "../codex", "a.b"])
def test_an_unknown_client_is_told_nothing(hooks: Hooks, client: str):
    done = hooks.call(client, "SessionStart", {"session_id": "s"})

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_failure_is_found_by_the_doctor_and_holds_no_text(hooks: Hooks):
    hooks.call("claude-code", "Stop", {"session_id": ["my secret words"]})

    found = hooks.program.run("doctor", "--json").json_lines

    finding = next(one for one in found if one["part"] == "hooks")
    assert finding["state"] == "problem"
    assert "claude-code Stop InvalidHookPayloadError" in finding["message"]
    assert "secret" not in (hooks.program.data / "logs" / "hooks.log").read_text()


@pytest.mark.skipif(os.name != "posix", reason="permissions")
def test_a_data_folder_that_cannot_be_used_is_no_reason_to_fail(hooks: Hooks):
    hooks.program.data.write_text("a file in its place")

    done = hooks.call("claude-code", "SessionStart", {"session_id": "s", "cwd": str(hooks.program.home)})

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("blocked", ["codex", "clients/codex"])
@pytest.mark.parametrize("in_file", [False, True], ids=["by a variable", "by the configuration"])
def test_a_blocked_client_is_told_nothing_and_others_are(hooks: Hooks, blocked: str, in_file: bool):
    if in_file:
        hooks.program.run("config", "set", "plugins.blocked", blocked)
    environ = {} if in_file else {"IMPRINT_PLUGINS_BLOCK": blocked}
    asked = {"session_id": "s", "cwd": str(hooks.program.home)}

    told = {client: hooks.call(client, "SessionStart", asked, environ=environ) for client in ("claude-code", "codex")}

    assert {client: bool(done.stdout) for client, done in told.items()} == {"claude-code": True, "codex": False}
    assert {done.returncode for done in told.values()} == {0}


def test_cursor_is_told_nothing_of_workspaces_whatever_folders_its_window_has(hooks: Hooks):
    project = hooks.program.project("proj")
    hooks.program.run("workspace", "use", "acme", cwd=project, stdin="yes\n")
    hooks.program.run("remember", "We deploy on Mondays.", "--workspace", "acme")
    told = {
        "conversation_id": "c1",
        "cursor_version": "3.7.21",
        "workspace_roots": [str(project)],
        "cwd": str(project),
        "user_email": "me@example.com",
    }

    own = hooks.call("cursor", "sessionStart", told)
    borrowed = hooks.call("claude-code", "SessionStart", {**told, "session_id": "c1"})

    context = json.loads(own.stdout)["additional_context"]
    assert "search" in context
    assert not {"workspace", "acme", "Mondays"}.intersection(context.replace('"', " ").split())
    assert (borrowed.returncode, borrowed.stdout, borrowed.stderr) == (0, b"", b"")


def test_what_an_agent_of_cursor_said_is_learned_when_it_stops(hooks: Hooks):
    project = hooks.program.project("proj")
    folder = hooks.program.home / ".cursor" / "projects" / str(project).strip("/").replace("/", "-")
    transcript = folder / "agent-transcripts" / "c1" / "c1.jsonl"
    transcript.parent.mkdir(parents=True)
    said = {"role": "user", "message": {"content": [{"type": "text", "text": "The heron nests in March."}]}}
    transcript.write_text(json.dumps(said) + "\n")
    window = hooks.program.home / "config" / "Cursor" / "User" / "workspaceStorage" / "abc"
    window.mkdir(parents=True)
    (window / "workspace.json").write_text(json.dumps({"folder": project.as_uri()}))
    payload = {"conversation_id": "c1", "transcript_path": str(transcript), "user_email": "me@example.com"}

    done = hooks.call("cursor", "stop", payload)
    hooks.settled()

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    found = hooks.program.run("search", "heron", "--json").json["results"]
    assert [one["source"] for one in found] == ["conversation:cursor/c1"]
    stored = b"".join(path.read_bytes() for path in hooks.program.data.rglob("*") if path.is_file())
    assert b"me@example.com" not in stored
