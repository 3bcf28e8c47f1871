"""Which conversations of VS Code are found, where they were held, and what their journals come to."""

import json
from pathlib import PurePosixPath, PureWindowsPath

import pytest

from imprint.plugins import Checkpoint, ClientHome, Installation, Turn
from imprint.plugins.clients import TranscriptReference
from imprint.testing.client_files import MemoryClientFiles, MemoryTranscript
from imprint_client_plugins.vscode_copilot.chat_journals import Journal
from imprint_client_plugins.vscode_copilot.transcripts import find_transcripts, read_transcript

HOME = ClientHome(path=PurePosixPath("/home/me"), system="linux")
USER = HOME.path / ".config" / "Code" / "User"
STORAGE = USER / "workspaceStorage" / "49aa0f21"
AGENTS = STORAGE / "GitHub.copilot-chat" / "transcripts"
CHATS = STORAGE / "chatSessions"
FOLDER = {STORAGE / "workspace.json": b'{"folder": "file:///home/me/src/my%20app"}'}


def find(contents, user=USER):
    where = MemoryClientFiles(files=contents)
    return list(find_transcripts(Installation(client="vscode-copilot", home=HOME, folder=user), where))


def held_in(contents, user=USER):
    return [(reference.cwd, *reference.directories) for reference in find(contents, user)]


def request(id, text, *parts, **fields):
    value = {"requestId": id, "message": {"text": text}, "timestamp": 1796077899862, "response": list(parts)}
    return {**value, "modelState": {"value": 1}, **fields}


def said(text):
    return {"value": text, "supportHtml": False}


def journal(*entries):
    return b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)


def read(data, name="chat.jsonl", since=""):
    return list(read_transcript(TranscriptReference(path=CHATS / name), MemoryTranscript(data), since))


def spoken(items):
    return [(item.role.value, item.text) for item in items if isinstance(item, Turn)]


OPENED = {"kind": 0, "v": {"version": 3, "sessionId": "chat", "requests": []}}


def test_a_conversation_that_is_kept_twice_is_found_once_where_its_agent_wrote_it():
    both = {AGENTS / "a.jsonl": b"", CHATS / "a.jsonl": b"", CHATS / "b.jsonl": b"", CHATS / "c.json": b"{}"}

    found = find({**FOLDER, **both})

    assert [reference.path for reference in found] == [AGENTS / "a.jsonl", CHATS / "b.jsonl", CHATS / "c.json"]


def test_a_chat_without_a_window_of_a_folder_records_none():
    path = USER / "globalStorage" / "emptyWindowChatSessions" / "a.jsonl"

    assert find({path: b""}) == [TranscriptReference(path=path)]


@pytest.mark.parametrize(
    ("noted", "folders"),
    [
        ({"folder": "file:///home/me/src/my%20app"}, [("/home/me/src/my app",)]),
        ({"folder": "file:///c%3A/Users/Me/app"}, [("C:\\Users\\Me\\app",)]),
        ({"folder": "file://server/share/app"}, [("\\\\server\\share\\app",)]),
        ({"folder": "file://localhost/home/me/app"}, [("/home/me/app",)]),
        ({"folder": "file:///home/me/app%00"}, []),
        ({"folder": "vscode-remote://ssh-remote%2Bhost/home/me/app"}, []),
        ({"folder": "vscode-remote://dev-container+7b22/workspaces/app"}, []),
        ({"folder": "untitled:x"}, []),
        ({"folder": 7}, []),
        ({}, []),
    ],
)
def test_the_folder_of_a_window_is_what_vscode_noted(noted, folders):
    contents = {STORAGE / "workspace.json": json.dumps(noted).encode(), AGENTS / "a.jsonl": b""}

    assert held_in(contents) == folders


@pytest.mark.parametrize("odd", ["\ud800", "a\0b", "", 7, None])
def test_what_a_project_writes_into_a_file_of_folders_hides_no_other_window(odd):
    file, other = PurePosixPath("/home/me/evil/all.code-workspace"), USER / "workspaceStorage" / "other"
    contents = {
        STORAGE / "workspace.json": json.dumps({"workspace": file.as_uri()}).encode(),
        file: json.dumps({"folders": [{"path": odd}, {"uri": odd}, odd]}).encode(),
        AGENTS / "a.jsonl": b"",
        other / "workspace.json": b'{"folder": "file:///home/me/app"}',
        other / "chatSessions" / "b.jsonl": b"",
    }

    assert ("/home/me/app",) in held_in(contents)


def test_a_window_of_several_folders_was_held_in_all_of_them_and_where_their_file_lies():
    file = PurePosixPath("/home/me/work/all.code-workspace")
    noted = {STORAGE / "workspace.json": json.dumps({"workspace": file.as_uri()}).encode(), AGENTS / "a.jsonl": b""}
    listed = b'{"folders": [{"path": "app"}, {"path": "../lib"}, {"uri": "file:///srv/data"},], /* mine */ }'

    assert held_in({**noted, file: listed}) == [("/home/me/work/app", "/home/me/lib", "/srv/data", "/home/me/work")]
    assert held_in(noted) == []
    assert held_in({**noted, file: b'{"folders": [{"path": "app"}, {"uri": "vscode-remote://ssh-remote+h/x"}]}'}) == []


def test_code_server_which_notes_no_folder_is_known_by_what_its_answers_name():
    base = {"$mid": 1, "path": "/home/me/app/", "scheme": "vscode-remote", "authority": "127.0.0.1:8860"}
    told = journal(
        OPENED, {"kind": 2, "k": ["requests"], "v": [request("r", "Hi", {**said("Hello"), "baseUri": base})]}
    )
    silent = journal(OPENED, {"kind": 2, "k": ["requests"], "v": [request("r", "Hi", said("Hello"))]})

    assert held_in({CHATS / "a.jsonl": told, AGENTS / "a.jsonl": b"", AGENTS / "b.jsonl": b""}) == [
        ("/home/me/app",),
        ("/home/me/app",),
    ]
    assert find({CHATS / "a.jsonl": silent, AGENTS / "a.jsonl": b""}) == [
        TranscriptReference(path=AGENTS / "a.jsonl", needs_cwd=True)
    ]


def test_what_a_tool_printed_names_no_folder():
    output = {"kind": "toolInvocationSerialized", "baseUri": {"path": "/etc", "scheme": "file"}, "value": "x"}
    data = journal(OPENED, {"kind": 2, "k": ["requests"], "v": [request("r", "Hi", output)]})

    assert [(one.cwd, one.needs_cwd) for one in find({CHATS / "a.jsonl": data})] == [("", True)]


def test_the_changes_of_a_journal_are_made_in_their_order():
    data = journal(
        OPENED,
        {"kind": 2, "k": ["requests"], "v": [request("r1", "Why tabs?", modelState={"value": 0})]},
        {"kind": 1, "k": ["customTitle"], "v": "Tabs"},
        {"kind": 2, "k": ["requests", 0, "response"], "v": [said("Bec"), {"kind": "thinking", "value": "hm"}]},
        {"kind": 2, "k": ["requests", 0, "response"], "v": [said("Because.")], "i": 0},
        {"kind": 1, "k": ["requests", 0, "modelState"], "v": {"value": 1}},
        {"kind": 2, "k": ["requests"], "v": [request("r2", "Sure?", said("Yes."))]},
        {"kind": 3, "k": ["requests", 1, "followups"]},
    )

    items = read(data)

    assert spoken(items) == [("user", "Why tabs?"), ("assistant", "Because."), ("user", "Sure?"), ("assistant", "Yes.")]
    assert [item.title for item in items if not isinstance(item, Turn | Checkpoint)] == ["", "Tabs"]
    assert [item.time for item in items if isinstance(item, Turn)] == ["2026-11-30T22:31:39.862Z"] * 4


def test_a_prompt_whose_answer_is_not_over_is_not_told_yet():
    """VS Code puts the prompt anew when it first has to set up its agent."""
    begun = [OPENED, {"kind": 2, "k": ["requests"], "v": [request("r1", "Hi", modelState={"value": 0})]}]
    replaced = {"kind": 2, "k": ["requests"], "v": [request("r2", "Hi", said("Hello"))], "i": 0}

    assert spoken(read(journal(*begun))) == []
    assert spoken(read(journal(*begun, replaced))) == [("user", "Hi"), ("assistant", "Hello")]
    assert spoken(read(journal(*begun, {"kind": 2, "k": ["requests"], "v": [request("r2", "So?")]}))) == [
        ("user", "Hi"),
        ("user", "So?"),
    ]


def test_an_answer_that_changes_after_it_was_over_comes_again_under_its_id():
    data = journal(
        OPENED,
        {"kind": 2, "k": ["requests"], "v": [request("r1", "Hi", said("Hel"), responseId="a1")]},
        {"kind": 1, "k": ["requests", 0, "response"], "v": [said("Hello")]},
    )

    answers = [(item.id, item.text) for item in read(data) if isinstance(item, Turn) and item.role == "assistant"]

    assert answers == [("a1", "Hel"), ("a1", "Hello")]


def test_what_nobody_said_is_left_out():
    parts = [
        said("One "),
        {"kind": "inlineReference", "name": "file.py"},
        {"kind": "toolInvocationSerialized", "resultDetails": {"output": "secret"}},
        {"kind": "markdownContent", "content": {"value": "two"}},
        {"kind": "textEditGroup", "edits": []},
    ]
    hidden = request("r2", "An agent's", hiddenFromTranscript=True)
    data = journal(OPENED, {"kind": 2, "k": ["requests"], "v": [request("r1", "Hi", *parts), hidden]})

    assert spoken(read(data)) == [("user", "Hi"), ("assistant", "One file.py\n\ntwo")]


def test_a_whole_document_of_an_older_version_is_read():
    old = {"version": 3, "requests": [request("r1", "Hi", said("Hello"))]}
    del old["requests"][0]["modelState"]
    old["requests"][0]["result"] = {"timings": {}}

    assert spoken(read(json.dumps(old).encode(), "chat.json")) == [("user", "Hi"), ("assistant", "Hello")]
    assert spoken(read(b"{", "chat.json")) == []


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": 1, "k": ["requests", 5, "response"], "v": []},
        {"kind": 1, "k": ["requests", -1, "response"], "v": []},
        {"kind": 1, "k": ["requests", True, "response", 0], "v": []},
        {"kind": 2, "k": ["requests"], "v": "text"},
        {"kind": 2, "k": ["requests"], "v": [1, None], "i": 99},
        {"kind": 2, "k": ["requests", 0, "response"], "v": [said("more")], "i": "0"},
        {"kind": 3, "k": ["requests", 0, "response", 0]},
        {"kind": 1, "k": []},
        {"kind": 1, "k": "requests", "v": 1},
        {"kind": 0, "v": []},
    ],
)
def test_a_change_that_fits_nothing_changes_nothing_that_was_said(entry):
    held = Journal()
    held.apply({"kind": 0, "v": {"requests": [request("r1", "Hi", said("Hello"))]}}, 1)

    held.apply(entry, 2)

    assert held.requests[0].prompt == "Hi"
    assert held.requests[0].answer.startswith("Hello")


def test_windows_paths_have_their_own_flavour():
    user = PureWindowsPath("C:\\Users\\Me\\AppData\\Roaming\\Code\\User")
    storage = user / "workspaceStorage" / "1"
    noted = json.dumps({"folder": "file:///d%3A/src/app"}).encode()

    assert held_in({storage / "workspace.json": noted, storage / "chatSessions" / "a.jsonl": b""}, user) == [
        ("D:\\src\\app",)
    ]
