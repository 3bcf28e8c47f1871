"""Whoever learns a session learns what its subagents said: by a path or by a key, out of files or of a database."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from learning_home import Home, claude_line

Sessions = Callable[[Home], Path]


def claude_code(home: Home) -> Path:
    """Files that go by the session's id."""
    for name in ("one", "two"):
        path = home.say(name, f"{name} begins")
        agent = path.with_suffix("") / "subagents" / f"agent-{name}.jsonl"
        home.append(agent, [claude_line(name, 3, "found it", cwd=str(home.project("acme")), isSidechain=True)])
    return home.claude("one")


def qwen_code(home: Home) -> Path:
    """Files of subagents in a folder beside that of sessions."""
    folder = home.path / ".qwen" / "projects" / "-slug"
    for name in ("one", "two"):
        for place, session in ((f"chats/{name}", name), (f"subagents/{name}/agent-{name}", f"agent-{name}")):
            message = {"role": "user", "parts": [{"text": "look"}]}
            line = {"sessionId": session, "uuid": session, "type": "user", "message": message}
            home.append(folder / f"{place}.jsonl", [json.dumps({**line, "cwd": str(home.project("acme"))})])
    return folder / "chats" / "one.jsonl"


def cline(home: Home) -> Path:
    """Files that have another name than the session."""
    folder = home.path / ".cline" / "data" / "sessions"
    for name in ("one", "two"):
        (folder / name).mkdir(parents=True)
        (folder / name / f"{name}.json").write_text(json.dumps({"cwd": str(home.project("acme"))}))
        for id in (name, f"agent-{name}"):
            message = {"id": id, "role": "user", "content": [{"type": "text", "text": "look"}]}
            (folder / name / f"{id}.messages.json").write_text(json.dumps({"messages": [message]}))
    return folder / "one" / "one.messages.json"


def cursor_files(home: Home) -> Path:
    """Files of agents that the editor's database knows nothing of."""
    project = home.project("acme")
    storage = home.path / ".config" / "Cursor" / "User" / "workspaceStorage" / "abc"
    storage.mkdir(parents=True)
    (storage / "workspace.json").write_text(json.dumps({"folder": project.as_uri()}))
    folder = home.path / ".cursor" / "projects" / str(project).strip("/").replace("/", "-") / "agent-transcripts"
    line = json.dumps({"role": "user", "message": {"content": [{"type": "text", "text": "look"}]}})
    for name in ("one", "two"):
        for path in (folder / name / f"{name}.jsonl", folder / name / "subagents" / f"agent-{name}.jsonl"):
            home.append(path, [line])
    return folder / "one" / "one.jsonl"


def cursor(home: Home) -> Path:
    """A database; its hook tells of a file besides. A subagent's own subagent is a part of it as well."""
    (home.path / ".cursor").mkdir()
    database = home.path / ".config" / "Cursor" / "User" / "globalStorage" / "state.vscdb"
    database.parent.mkdir(parents=True)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
        for name in ("one", "two"):
            agent = f"agent-{name}"
            for id, parent in ((name, ""), (agent, name), (f"a-{agent}", agent)):
                chat: dict[str, object] = {"conversation": [{"type": 1, "bubbleId": "b", "text": "look"}]}
                if parent:
                    chat["subagentInfo"] = {"parentComposerId": parent}
                row = (f"composerData:{id}", json.dumps(chat).encode())
                connection.execute("INSERT INTO cursorDiskKV VALUES (?, ?)", row)
    return home.path / ".cursor" / "projects" / "acme" / "agent-transcripts" / "one" / "one.jsonl"


def opencode(home: Home) -> Path:
    """A database alone."""
    path = home.path / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE session (id, parent_id, directory, title, time_created, time_updated)")
        connection.execute("CREATE TABLE message (id, session_id, time_created, time_updated, data)")
        connection.execute("CREATE TABLE part (id, message_id, session_id, data)")
        for name in ("one", "two"):
            for id, parent in ((name, None), (f"agent-{name}", name)):
                session = (id, parent, str(home.project("acme")), "", 1, 1)
                connection.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", session)
                connection.execute("INSERT INTO message VALUES (?, ?, 1, 1, ?)", (id, id, '{"role": "user"}'))
                part = json.dumps({"type": "text", "text": "look"})
                connection.execute("INSERT INTO part VALUES (?, ?, ?, ?)", (id, id, id, part))
    return path.parent / "one"


NAMES = {
    claude_code: ("one", "one/agent-one"),
    cline: ("agent-one", "one"),
    cursor: ("a-agent-one", "agent-one", "one"),
    cursor_files: ("agent-one", "one"),
    opencode: ("agent-one", "one"),
    qwen_code: ("one", "one/agent-one"),
}


@pytest.mark.parametrize("sessions", NAMES, ids=lambda sessions: sessions.__name__)
@pytest.mark.parametrize("named_by", ["path", "key"])
def test_a_session_is_learned_with_its_parts_and_without_those_of_others(home: Home, sessions: Sessions, named_by: str):
    path = sessions(home)
    client = sessions.__name__.removesuffix("_files").replace("_", "-")
    named = {"paths": [path]} if named_by == "path" else {"conversations": [f"conversation:{client}/one"]}

    report = home.learn(clients=[client], **named)

    assert report.failures == ()
    found = [key.removeprefix(f"conversation:{client}/") for key in home.sources() if "conversation:" in key]
    assert sorted(found) == sorted(NAMES[sessions])


@pytest.mark.parametrize("sessions", NAMES, ids=lambda sessions: sessions.__name__)
def test_in_a_part_the_model_speaks_in_the_users_place(home: Home, sessions: Sessions):
    sessions(home)
    client = sessions.__name__.removesuffix("_files").replace("_", "-")

    home.learn(clients=[client])

    with home.open() as application, application._stores.open("default") as store:
        roles = {
            stored.source.key.rpartition("/")[2]: {one.chunk.role for one in store.source_chunks(stored.source.key)}
            for stored in store.sources()
            if stored.source.key.startswith("conversation:")
        }
    assert roles.pop("one") == roles.pop("two") == {"user"}
    assert roles
    assert "user" not in set().union(*roles.values())
