"""Which transcripts and notes of Gemini CLI are found and where they were held, and whose words are in them."""

import json
from hashlib import sha256
from pathlib import Path, PurePosixPath

import pytest

from imprint.domain.conversations import ConversationFacts, Role, Turn
from imprint.plugins import ClientDocument, ClientHome, Installation, TranscriptReference
from imprint.testing.client_files import MemoryClientFiles, MemoryTranscript
from imprint_client_plugins import gemini_cli

SAMPLES = Path(__file__).parents[2] / "samples" / "transcripts" / "gemini-cli"
HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
FOLDER = HOME.path / ".gemini"
INSTALLATION = Installation(client="gemini-cli", home=HOME, folder=FOLDER)
SESSION = FOLDER / "tmp" / "acme" / "chats" / "session-2026-11-30T21-50-30589299.jsonl"
HOOKED = "<hook_context>&lt;imprint-context&gt; Noted lately: we use tabs. &lt;/imprint-context&gt;</hook_context>"


def find(contents):
    files = MemoryClientFiles(files={FOLDER / name: data for name, data in contents.items()})
    return {
        str(found.path.relative_to(FOLDER)): found.cwd for found in gemini_cli.find_transcripts(INSTALLATION, files)
    }


def items(*records, path=SESSION):
    data = "".join(f"{json.dumps(record)}\n" for record in records).encode()
    return list(gemini_cli.read_transcript(TranscriptReference(path=path), MemoryTranscript(data), ""))


def said(*records, path=SESSION):
    return [(item.role, item.text) for item in items(*records, path=path) if isinstance(item, Turn)]


def user(text, **fields):
    return {"id": "u", "type": "user", "content": [{"text": text}]} | fields


def test_a_session_was_held_where_the_clients_own_files_say():
    hashed = sha256(b"/home/me/old").hexdigest()

    assert find(
        {
            "projects.json": b'{"projects": {"/home/me/src/acme": "acme", "/home/me/b": "bee", "/home/me/old": "old"}}',
            "tmp/acme/.project_root": b"/home/me/src/acme\n",
            "tmp/acme/chats/session-1.jsonl": b"",
            "tmp/bee/chats/session-2.jsonl": b"",
            f"tmp/{hashed}/chats/session-3.json": b"{}",
            "tmp/gone/chats/session-4.jsonl": b"",
            "tmp/bin/tool": b"",
        }
    ) == {
        "tmp/acme/chats/session-1.jsonl": "/home/me/src/acme",
        "tmp/bee/chats/session-2.jsonl": "/home/me/b",
        f"tmp/{hashed}/chats/session-3.json": "/home/me/old",
        "tmp/gone/chats/session-4.jsonl": "",
    }


def test_the_mark_beside_the_sessions_counts_more_than_the_list():
    """Two folders with one name: the client keeps the mark, and mends the list by it."""
    assert find(
        {
            "projects.json": b'{"projects": {"/home/me/other": "acme"}}',
            "tmp/acme/.project_root": b"/home/me/acme",
            "tmp/acme/chats/session-1.jsonl": b"",
        }
    ) == {"tmp/acme/chats/session-1.jsonl": "/home/me/acme"}


@pytest.mark.parametrize("damaged", [b"", b"[]", b"{", b'{"projects": []}', b'{"projects": {"/a": 3}}', b"[" * 9000])
def test_a_damaged_list_of_projects_says_nothing(damaged: bytes):
    assert find({"projects.json": damaged, "tmp/acme/chats/session-1.jsonl": b""}) == {
        "tmp/acme/chats/session-1.jsonl": ""
    }


def test_subagents_are_found_and_neither_what_was_set_aside_nor_an_old_file_that_was_taken_over():
    assert set(
        find(
            {
                "tmp/acme/chats/session-1.jsonl": b"",
                "tmp/acme/chats/session-1.json": b"",
                "tmp/acme/chats/session-2.json": b"",
                "tmp/acme/chats/session-3.jsonl.unreadable-17": b"",
                "tmp/acme/chats/30589299-aaaa/agent.jsonl": b"",
                "tmp/acme/logs.json": b"",
            }
        )
    ) == {
        "tmp/acme/chats/session-1.jsonl",
        "tmp/acme/chats/session-2.json",
        "tmp/acme/chats/30589299-aaaa/agent.jsonl",
    }


def test_rules_and_private_notes_are_documents_and_what_waits_to_be_looked_through_is_not():
    memory = FOLDER / "tmp" / "acme" / "memory"
    files = MemoryClientFiles(
        files=dict.fromkeys((memory / "MEMORY.md", memory / ".inbox" / "x.patch", memory / "skills" / "a.md"), b"x")
    )

    assert list(gemini_cli.find_documents(INSTALLATION, files)) == [
        ClientDocument(path=FOLDER / "GEMINI.md"),
        ClientDocument(path=memory / "MEMORY.md", transcripts=FOLDER / "tmp" / "acme" / "chats"),
    ]


def test_what_hooks_put_before_a_prompt_is_not_the_users():
    assert said(user(f"{HOOKED}\n\n{HOOKED}\n\nUse spaces.")) == [(Role.USER, "Use spaces.")]
    assert said(user("Use spaces.", content=[{"text": "Use spaces."}, {"text": HOOKED}])) == [
        (Role.USER, "Use spaces.")
    ]
    assert said(user(HOOKED)) == []
    assert said(user(HOOKED.removesuffix("</hook_context>"))) == []


@pytest.mark.parametrize(
    "text",
    [
        "<session_context>\nThis is the Gemini CLI.",
        "Please continue.",
        "System: Please continue.",
        "/compress",
        "/memory show",
    ],
)
def test_what_the_client_writes_in_the_users_place_is_not_the_users(text: str):
    assert said(user(text)) == []


def test_neither_tools_nor_thoughts_nor_notices_are_anybodys_words():
    result = {"functionResponse": {"name": "read", "response": {"output": "We use tabs."}}}
    call = {"functionCall": {"name": "read", "args": {"path": "We use tabs."}}}

    assert said(user("", content=[result]), {"id": "i", "type": "info", "content": "We use tabs."}) == []
    assert said(
        {"id": "a", "type": "gemini", "content": [{"text": "Hm.", "thought": True}, call, {"text": "Done."}]}
    ) == [(Role.ASSISTANT, "Done.")]
    assert said({"id": "a", "type": "gemini", "content": "", "thoughts": [{"subject": "We use tabs."}]}) == []


def test_a_path_that_is_typed_is_no_command():
    assert said(user("/home/me/notes is where they are")) == [(Role.USER, "/home/me/notes is where they are")]


def test_what_a_prompt_refers_to_is_left_out_and_what_was_typed_stays():
    pasted = [{"text": "Look at @a.md"}, {"text": "\n--- Content from referenced files ---"}, {"text": "We use tabs."}]

    assert said(user("", content=pasted)) == [(Role.USER, "Look at @a.md")]
    assert said(user("all of it", displayContent=[{"text": "as typed"}])) == [(Role.USER, "as typed")]


def test_a_message_that_comes_again_is_told_under_its_id_with_its_later_text():
    records = [
        {"id": "a", "type": "gemini", "content": "Tabs"},
        {"$set": {"lastUpdated": "2026-11-30T21:50:08.411Z"}},
        {"id": "a", "type": "gemini", "content": "Tabs it is.", "toolCalls": []},
    ]

    turns = [item for item in items(*records) if isinstance(item, Turn)]

    assert [(turn.id, turn.text, turn.line) for turn in turns] == [("a", "Tabs", 1), ("a", "Tabs it is.", 3)]


def test_a_patch_of_the_messages_is_what_the_model_is_shown_and_nobodys_words():
    """Compression puts its summary into the user's place, and copies the last turns under new ids."""
    summary = user("<state_snapshot>The user wants tabs.</state_snapshot>", id="x")
    thanks = {"id": "y", "type": "gemini", "content": [{"text": "Got it. Thanks for the additional context!"}]}
    compressed = {"$set": {"messages": [summary, thanks, user("Use tabs.", id="z")]}}

    assert said(user("Use tabs."), compressed, user("And now?", id="v")) == [
        (Role.USER, "Use tabs."),
        (Role.USER, "And now?"),
    ]


def test_the_head_and_its_patches_tell_the_session_its_title_and_every_folder_it_was_given():
    told = items(
        {"sessionId": "s", "projectHash": "h", "kind": "main"},
        {"$set": {"summary": "Tabs or spaces"}},
        {"$set": {"directories": ["/home/me/a", "/home/me/b", 3]}},
        {"sessionId": "s", "projectHash": "h", "kind": "main"},
    )

    assert [item for item in told if isinstance(item, ConversationFacts)] == [
        ConversationFacts(session_id="s"),
        ConversationFacts(title="Tabs or spaces"),
        ConversationFacts(cwd="/home/me/a"),
        ConversationFacts(cwd="/home/me/b"),
    ]


def test_a_subagents_user_is_the_model():
    path = SESSION.parent / "30589299-aaaa" / "agent.jsonl"

    head, turn, _ = items({"sessionId": "agent", "projectHash": "h", "kind": "subagent"}, user("Look."), path=path)

    assert head == ConversationFacts(session_id="agent", parent_id="30589299-aaaa", is_subagent=True)
    assert turn.is_sidechain


def test_a_subagents_transcript_is_part_of_that_of_its_session():
    names = ("session-2026-11-30T21-50-30589299.jsonl", "session-2026-11-30T21-50-1111aaaa.jsonl")
    inner = ("30589299-aaaa/agent.jsonl", "99999999-aaaa/agent.jsonl")
    files = MemoryClientFiles(files={SESSION.parent / name: b"" for name in (*names, *inner)})

    found = {
        str(one.path.relative_to(SESSION.parent)): one.part_of
        for one in gemini_cli.find_transcripts(INSTALLATION, files)
    }

    assert found == {names[0]: "", names[1]: "", inner[0]: SESSION.stem, inner[1]: ""}


def test_a_subagent_is_told_its_task_after_instructions_and_answers_by_a_tool():
    path = SESSION.parent / "30589299-aaaa" / "agent.jsonl"
    loaded = [{"text": "\n<loaded_context>\nSearch first.\n</loaded_context>"}, {"text": "Look."}]
    calls = [
        {"name": "read_file", "status": "success", "args": {"path": "a.py"}},
        {"name": "complete_task", "status": "error", "args": {"result": "Not accepted."}},
        {"name": "complete_task", "status": "success", "args": {"result": {"response": "Found.", "places": ["a.py"]}}},
        {"name": "complete_task", "status": "success", "args": {"result": "Plainly."}},
        {"name": "complete_task", "status": "success", "args": None},
        "no call",
    ]
    answer = {"id": "a", "type": "gemini", "content": "", "toolCalls": calls}

    assert said(user("", content=loaded), answer, path=path) == [
        (Role.USER, "Look."),
        (Role.ASSISTANT, "Found.\n\nPlainly."),
    ]
    assert said(answer) == []


def test_an_old_session_is_one_object():
    record = {"sessionId": "s", "projectHash": "h", "messages": [user("Tabs?"), {"id": "a", "type": "gemini"}]}
    path = SESSION.with_suffix(".json")
    for data, expected in ((json.dumps(record).encode(), ["Tabs?"]), (b'{"sessionId": ', []), (b"[]", [])):
        read = list(gemini_cli.read_transcript(TranscriptReference(path=path), MemoryTranscript(data), ""))

        assert [item.text for item in read if isinstance(item, Turn)] == expected
        assert read[-1].position


def test_the_recorded_session_says_who_it_is():
    recorded = SAMPLES / SESSION.name

    read = list(
        gemini_cli.read_transcript(TranscriptReference(path=SESSION), MemoryTranscript(recorded.read_bytes()), "")
    )

    assert [item for item in read if isinstance(item, ConversationFacts)] == [
        ConversationFacts(session_id="30589299-6aaf-466d-b269-8c1c73e5d75e")
    ]
