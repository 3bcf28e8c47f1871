"""Cursor, by its documentation: its two files, its hooks, and what its agents write down."""

import json
from pathlib import PurePosixPath

import pytest

from imprint.plugins import (
    Checkpoint,
    ClientHome,
    ConnectionRecord,
    HookEvent,
    HookEventKind,
    OurPrograms,
    Role,
    TranscriptReference,
    Turn,
)
from imprint.testing.client_files import MemoryClientFiles, MemoryTranscript
from imprint_client_plugins import claude_code, codex, cursor

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
SERVERS, HOOKS = HOME.path / ".cursor" / "mcp.json", HOME.path / ".cursor" / "hooks.json"
PROGRAMS = OurPrograms(server=("/opt/my tools/imprint-mcp",), hook=("/opt/my tools/imprint-hook",), instructions="")
PAYLOAD = {
    "conversation_id": "c1",
    "generation_id": "g1",
    "hook_event_name": "stop",
    "cursor_version": "3.7.21",
    "workspace_roots": ["/home/me/acme"],
    "cwd": "/home/me/acme",
    "user_email": "me@example.com",
    "transcript_path": "/home/me/.cursor/projects/acme/agent-transcripts/c1/c1.jsonl",
}


def connect(where):
    found = cursor.find_installation(HOME, where)
    return found, ConnectionRecord(edits=where.carry_out(cursor.plan_connect(found, PROGRAMS, where)))


def files(**contents):
    return MemoryClientFiles(
        files={HOME.path / ".cursor" / name: data for name, data in contents.items()}, all_folders=True
    )


def test_the_server_and_flat_hooks_are_written_as_the_documentation_has_them():
    where = files()

    connect(where)

    assert json.loads(where.files[SERVERS]) == {
        "mcpServers": {"imprint": {"command": "/opt/my tools/imprint-mcp", "args": []}}
    }
    assert json.loads(where.files[HOOKS]) == {
        "hooks": {
            event: [{"command": f"'/opt/my tools/imprint-hook' cursor {event}", "timeout": 10}]
            for event in ("sessionStart", "stop", "preCompact", "sessionEnd")
        },
        "version": 1,
    }


def test_the_version_stays_while_others_have_hooks_in_the_file_that_was_made():
    where = files()
    found, record = connect(where)
    others = json.loads(where.files[HOOKS])
    others["hooks"]["stop"].append({"command": "./mine.sh"})
    where.files[HOOKS] = json.dumps(others).encode()

    where.carry_out(cursor.plan_disconnect(found, record, where))

    assert json.loads(where.files[HOOKS]) == {"hooks": {"stop": [{"command": "./mine.sh"}]}, "version": 1}
    assert SERVERS not in where.files


def test_a_command_of_an_earlier_place_is_written_anew_in_its_own():
    old = {"version": 1, "hooks": {"stop": [{"command": "./a"}, {"command": "/old/imprint-hook cursor stop"}]}}
    where = files(**{"hooks.json": json.dumps(old).encode()})

    connect(where)

    assert json.loads(where.files[HOOKS])["hooks"]["stop"] == [
        {"command": "./a"},
        {"command": "'/opt/my tools/imprint-hook' cursor stop", "timeout": 10},
    ]


def test_a_payload_tells_the_conversation_and_never_a_directory_or_the_user():
    event = cursor.parse_hook_payload("stop", PAYLOAD)

    assert event == HookEvent(HookEventKind.STOP, session_id="c1", transcript=PAYLOAD["transcript_path"], call_id="g1")


@pytest.mark.parametrize("plugin", [claude_code, codex])
@pytest.mark.parametrize("event", ["SessionStart", "Stop"])
def test_hooks_of_others_that_cursor_runs_besides_are_silent(plugin, event):
    borrowed = plugin.parse_hook_payload(event, {**PAYLOAD, "session_id": "c1"})
    own = plugin.parse_hook_payload(event, {"session_id": "c1", "cwd": "/home/me/acme"})

    assert borrowed == HookEvent(HookEventKind.OTHER)
    assert own.kind is not HookEventKind.OTHER


def test_context_is_given_where_a_session_starts_and_nowhere_else():
    assert json.loads(cursor.render_hook_response("sessionStart", "Search first.").stdout) == {
        "additional_context": "Search first."
    }
    assert cursor.render_hook_response("sessionStart", "").stdout == ""
    assert cursor.render_hook_response("stop", "Search first.").stdout == ""


def line(role, *blocks):
    return json.dumps({"role": role, "message": {"content": list(blocks)}}).encode() + b"\n"


def text(words):
    return {"type": "text", "text": words}


def test_agents_transcripts_hold_what_was_said_without_what_the_editor_wrote_around_it():
    data = b"".join(
        [
            line("user", text("<attached_files>\nsecret\n</attached_files>\n<user_query>\nWhy tabs?\n</user_query>")),
            line("assistant", text("Let me look."), {"type": "tool_use", "name": "read", "input": {}}),
            line("tool", text("a page")),
            line("user", text("<timestamp>Monday, 10:00</timestamp>\nAnd now?")),
            line("assistant", {"type": "tool_use", "name": "read", "input": {}}),
            b"torn",
        ]
    )
    reference = TranscriptReference(path=PurePosixPath("/home/me/c1.jsonl"), cwd="/home/me/acme")

    items = list(cursor.read_transcript(reference, MemoryTranscript(data), ""))

    turns = [item for item in items if isinstance(item, Turn)]
    assert [(turn.role, turn.text) for turn in turns] == [
        (Role.USER, "Why tabs?"),
        (Role.ASSISTANT, "Let me look."),
        (Role.USER, "And now?"),
    ]
    assert isinstance(items[-1], Checkpoint)
