"""Which transcripts and notes of qwen-code are found, and whose words are in them."""

import json
from pathlib import PurePosixPath

import attrs
import pytest

from imprint.domain.conversations import ConversationFacts, Role, Turn
from imprint.plugins import ClientHome, Installation, TranscriptReference
from imprint.testing.client_files import MemoryClientFiles, MemoryTranscript
from imprint_client_plugins import qwen_code

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
FOLDER = HOME.path / ".qwen"
INSTALLATION = Installation(client="qwen-code", home=HOME, folder=FOLDER)
CHATS = FOLDER / "projects" / "-home-me-acme" / "chats"
SESSION = CHATS / "s.jsonl"


def items(*records, path=SESSION):
    data = "".join(f"{json.dumps(record)}\n" for record in records).encode()
    return list(qwen_code.read_transcript(TranscriptReference(path=path), MemoryTranscript(data), ""))


def said(*records, path=SESSION):
    return [(item.role, item.text) for item in items(*records, path=path) if isinstance(item, Turn)]


def line(text, type="user", **fields):
    return {
        "uuid": "u",
        "parentUuid": None,
        "sessionId": "s",
        "type": type,
        "cwd": "/home/me/acme",
        "message": {"role": "user", "parts": [{"text": text}]},
    } | fields


def test_sessions_archived_ones_and_subagents_are_found_also_where_a_variable_moved_them():
    names = ("chats/a.jsonl", "chats/archive/b.jsonl", "subagents/a/agent-1.jsonl", "chats/a.pr.json", "meta.json")
    files = MemoryClientFiles(files={CHATS.parent / name: b"" for name in names})
    moved = MemoryClientFiles(files={PurePosixPath("/run/me/projects/-p/chats/c.jsonl"): b""})
    elsewhere = attrs.evolve(INSTALLATION, home=attrs.evolve(HOME, environ={"QWEN_RUNTIME_DIR": "/run/me"}))

    found = {
        str(one.path.relative_to(CHATS.parent)): one.part_of for one in qwen_code.find_transcripts(INSTALLATION, files)
    }

    assert found == {"chats/a.jsonl": "", "chats/archive/b.jsonl": "", "subagents/a/agent-1.jsonl": "a"}
    assert [one.path.name for one in qwen_code.find_transcripts(elsewhere, moved)] == ["c.jsonl"]


def test_rules_and_what_it_noted_by_itself_are_documents_those_of_a_project_by_its_sessions():
    project = CHATS.parent / "memory"
    paths = (
        FOLDER / "rules" / "a.md",
        FOLDER / "memories" / "user" / "me.md",
        project / "MEMORY.md",
        project / "pinned" / "design.md",
        project / "meta.json",
    )
    files = MemoryClientFiles(files=dict.fromkeys(paths, b"x"))

    found = {
        str(one.path.relative_to(FOLDER)): one.transcripts for one in qwen_code.find_documents(INSTALLATION, files)
    }

    assert found == {
        "QWEN.md": None,
        "AGENTS.md": None,
        "rules/a.md": None,
        "memories/user/me.md": None,
        "projects/-home-me-acme/memory/MEMORY.md": CHATS,
        "projects/-home-me-acme/memory/pinned/design.md": CHATS,
    }


@pytest.mark.parametrize(
    "fields",
    [
        {"subtype": "notification", "provenance": "system"},
        {"subtype": "cron", "provenance": "system"},
        {"subtype": "goal_runtime", "provenance": "goal_runtime"},
        {"provenance": "system"},
        {"type": "tool_result", "provenance": "tool_result"},
        {"type": "system", "subtype": "chat_compression"},
        {"type": "assistant", "subtype": "realtime_message"},
    ],
)
def test_what_no_person_and_no_model_said_is_left_out(fields: dict[str, object]):
    assert said(line("We use tabs.", **fields)) == []


def test_a_user_says_what_was_typed_also_in_the_middle_of_a_turn():
    hooked = [
        {"text": "Why?"},
        {"text": "<qwen:user-prompt-submit-context>\nWe use tabs.\n</qwen:user-prompt-submit-context>"},
    ]
    midway = line("wrapped", subtype="mid_turn_user_message", systemPayload={"displayText": "And spaces?"})

    assert said(line("", message={"parts": hooked})) == [(Role.USER, "Why?")]
    assert said(line("pasted", systemPayload={"displayText": "Why?", "hookContext": "We use tabs."})) == [
        (Role.USER, "Why?")
    ]
    assert said(midway) == [(Role.USER, "And spaces?")]


def test_neither_thoughts_nor_calls_of_tools_are_the_models_words():
    parts = [{"text": "Hm.", "thought": True}, {"functionCall": {"name": "read"}}, {"text": "Done."}]

    assert said(line("", type="assistant", message={"role": "model", "parts": parts})) == [(Role.ASSISTANT, "Done.")]


def test_lines_tell_the_directory_the_title_and_where_a_session_came_from():
    told = items(
        line("Hello", cwd="/home/me/acme"),
        line("", type="system", subtype="custom_title", systemPayload={"customTitle": "Tabs or spaces"}),
        line("", type="system", subtype="parent_session", systemPayload={"parentSessionId": "before"}),
        line("There", cwd="/home/me/other", uuid="v", sessionId="copied"),
    )

    assert [item for item in told if isinstance(item, ConversationFacts)] == [
        ConversationFacts(session_id="s", cwd="/home/me/acme"),
        ConversationFacts(session_id="s", cwd="/home/me/acme", title="Tabs or spaces"),
        ConversationFacts(session_id="s", cwd="/home/me/acme", parent_id="before"),
        ConversationFacts(session_id="s", cwd="/home/me/other", parent_id="copied"),
    ]
    assert [item.cwd for item in told if isinstance(item, Turn)] == ["/home/me/acme", "/home/me/other"]


def test_a_subagents_user_is_the_model():
    path = CHATS.parent / "subagents" / "s" / "agent-1.jsonl"

    head, turn, _ = items(line("Look.", isSidechain=True), path=path)

    assert (head.session_id, head.parent_id, head.is_subagent) == ("s/agent-1", "s", True)
    assert turn.is_sidechain
