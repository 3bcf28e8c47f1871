"""Cursor's database, made by the schema that is documented of it, and in use while it is read."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from learning_home import Home

from imprint.domain.sources import WorkspaceName

ACME = WorkspaceName("acme")


class Cursor:
    """What Cursor keeps in a home."""

    def __init__(self, home: Home) -> None:
        self.folder = home.path / ".cursor"
        self.user = home.path / ".config" / "Cursor" / "User"
        self.database = self.user / "globalStorage" / "state.vscdb"
        self.database.parent.mkdir(parents=True)
        self.folder.mkdir()
        with closing(sqlite3.connect(self.database)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
            connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")

    def chat(self, id: str, *texts: str, updated: int = 1772359200000, **fields: object) -> None:
        """A chat, the user and the model in turn; a bubble without text stands for a call of a tool."""
        bubbles = [
            (f"{id}-{number}", {"type": 2 if number % 2 else 1, "text": text, "createdAt": "2026-03-01T10:00:00Z"})
            for number, text in enumerate(texts)
        ]
        headers = [{"bubbleId": bubble, "type": value["type"]} for bubble, value in bubbles]
        told = {"composerId": id, "name": f"About {id}", "lastUpdatedAt": updated, **fields}
        rows = [(f"bubbleId:{id}:{bubble}", json.dumps(value)) for bubble, value in bubbles]
        self.write([(f"composerData:{id}", json.dumps({"fullConversationHeadersOnly": headers, **told})), *rows])

    def write(self, rows: Sequence[tuple[str, str]]) -> None:
        with closing(sqlite3.connect(self.database)) as connection, connection:
            connection.executemany(
                "INSERT INTO cursorDiskKV VALUES (?, ?)", [(key, text.encode()) for key, text in rows]
            )

    def window(self, name: str, uri: str, *chats: str, notes: str = "folder") -> Path:
        storage = self.user / "workspaceStorage" / name
        storage.mkdir(parents=True)
        (storage / "workspace.json").write_text(json.dumps({notes: uri}))
        told = json.dumps({"allComposers": [{"composerId": chat} for chat in chats]})
        with closing(sqlite3.connect(storage / "state.vscdb")) as connection, connection:
            connection.execute("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
            connection.execute("INSERT INTO ItemTable VALUES ('composer.composerData', ?)", (told.encode(),))
        return storage

    def agent(self, slug: str, id: str, *texts: str) -> Path:
        path = self.folder / "projects" / slug / "agent-transcripts" / id / f"{id}.jsonl"
        path.parent.mkdir(parents=True)
        with path.open("w") as file:
            for number, text in enumerate(texts):
                content = [{"type": "text", "text": text}]
                role = "assistant" if number % 2 else "user"
                file.write(json.dumps({"role": role, "message": {"content": content}}) + "\n")
        return path


@pytest.fixture
def cursor(home: Home) -> Cursor:
    return Cursor(home)


def outcomes(report) -> dict[str, int]:
    return {outcome.value: number for outcome, number in report.sources.items() if number}


def slug(folder: Path) -> str:
    return str(folder).strip("/").replace("/", "-")


def test_a_chat_is_learned_in_the_workspace_of_the_folder_that_its_window_had_open(home: Home, cursor: Cursor):
    project = home.project("acme")
    with home.open() as application:
        application.workspaces.create(ACME)
        application.roots.add(project, explicit="acme")
    cursor.chat("one", "Why tabs?", "They are accessible.")
    cursor.window("abc", project.as_uri(), "one")

    elsewhere, there = home.learn(), home.learn(workspace=ACME)

    assert (outcomes(elsewhere), outcomes(there)) == ({"refused": 1}, {"added": 1})
    assert home.passages("conversation:cursor/one", ACME) == ["Why tabs?", "They are accessible."]


def test_a_chat_is_read_while_cursor_writes_another(home: Home, cursor: Cursor):
    cursor.chat("one", "Why tabs?")
    with closing(sqlite3.connect(cursor.database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO cursorDiskKV VALUES ('composerData:two', '{}')")
        report = home.learn()

    assert outcomes(report) == {"added": 1}


def test_a_chat_that_went_on_gets_what_is_new_and_one_that_did_not_is_not_read(home: Home, cursor: Cursor):
    cursor.chat("one", "Why tabs?")
    cursor.chat("two", "Why spaces?")
    home.learn()
    cursor.chat("one", "Why tabs?", "They are accessible.", updated=1772359300000)

    report = home.learn()

    assert outcomes(report) == {"changed": 1, "unchanged": 1}
    assert home.passages("conversation:cursor/one") == ["Why tabs?", "They are accessible."]


def test_chats_of_the_older_form_hold_their_bubbles_themselves(home: Home, cursor: Cursor):
    bubbles = [{"type": 1, "bubbleId": "b1", "text": "Why tabs?"}, {"type": 2, "bubbleId": "b2", "text": "Because."}]
    cursor.write([("composerData:old", json.dumps({"conversation": bubbles}))])

    home.learn()

    assert home.passages("conversation:cursor/old") == ["Why tabs?", "Because."]


def test_what_is_no_chat_is_passed_over(home: Home, cursor: Cursor):
    cursor.write(
        [
            ("composerData:empty", json.dumps({"fullConversationHeadersOnly": []})),
            ("composerData:torn", '{"fullConversationHeadersOnly": ['),
            ("composerData:list", "[1]"),
            ("composerData:odd", json.dumps({"fullConversationHeadersOnly": [1, {"bubbleId": 2}, {"bubbleId": "x"}]})),
            ("bubbleId:odd:x", "[]"),
        ]
    )
    cursor.chat("good", "Why tabs?", "")

    report = home.learn()

    assert report.failures == ()
    assert home.sources() == ["conversation:cursor/good"]


def test_a_conversation_that_is_in_both_places_is_stored_once(home: Home, cursor: Cursor):
    project = home.project("acme")
    cursor.chat("one", "Why tabs?", "They are accessible.")
    cursor.window("abc", project.as_uri(), "one")
    path = cursor.agent(slug(project), "one", "Why tabs?", "They are accessible.")

    by_hook = home.learn(clients=["cursor"], paths=[path])
    again = home.learn()

    assert (outcomes(by_hook), outcomes(again)) == ({"added": 1}, {"unchanged": 1})
    assert home.sources() == ["conversation:cursor/one"]
    assert home.passages("conversation:cursor/one") == ["Why tabs?", "They are accessible."]


def test_an_agents_file_is_held_where_the_one_folder_of_its_projects_name_is(home: Home, cursor: Cursor):
    project = home.project("acme")
    cursor.window("abc", project.as_uri())
    cursor.agent(slug(project), "one", "Why tabs?")
    cursor.agent("somewhere-else", "two", "Why spaces?")

    report = home.learn(dry_run=True)

    assert [one.source for one in report.conversations] == ["conversation:cursor/one"]
    assert str(project) in report.conversations[0].reason


def test_a_name_that_two_folders_share_tells_nothing(home: Home, cursor: Cursor):
    for number, name in enumerate(("my-app", "my_app")):
        cursor.window(str(number), home.project(name).as_uri())
    cursor.agent(slug(home.project("my-app")), "one", "Why tabs?")

    assert outcomes(home.learn()) == {}


def claim_acme(home: Home) -> Path:
    project = home.project("acme")
    with home.open() as application:
        application.workspaces.create(ACME)
        application.roots.add(project, explicit="acme")
    return project


def test_a_chat_of_a_window_of_several_folders_was_held_in_all_of_them(home: Home, cursor: Cursor):
    file = home.path / "all.code-workspace"
    file.write_text(json.dumps({"folders": [{"path": str(home.project("lib"))}, {"path": str(claim_acme(home))}]}))
    cursor.chat("one", "Why tabs?")
    cursor.window("abc", file.as_uri(), "one", notes="workspace")

    elsewhere, there = home.learn(), home.learn(workspace=ACME)

    assert (outcomes(elsewhere), outcomes(there)) == ({"refused": 1}, {"added": 1})


def test_a_chat_that_went_on_in_another_window_was_held_in_both(home: Home, cursor: Cursor):
    cursor.chat("one", "Why tabs?")
    cursor.window("a", claim_acme(home).as_uri(), "one")
    cursor.window("b", home.project("lib").as_uri(), "one")

    assert outcomes(home.learn()) == {"refused": 1}


@pytest.mark.parametrize("lost", ["workspace.json", "state.vscdb", "all.code-workspace", "a path"])
def test_a_chat_whose_folders_nothing_tells_any_more_is_left_alone(home: Home, cursor: Cursor, lost: str):
    project = claim_acme(home)
    cursor.agent(slug(project), "one", "Why tabs?")
    cursor.chat("one", "Why tabs?")
    if lost == "all.code-workspace":
        cursor.window("abc", (home.path / lost).as_uri(), "one", notes="workspace")
    else:
        storage = cursor.window("abc", project.as_uri() + ("/%00" if lost == "a path" else ""), "one")
        if lost != "a path":
            (storage / lost).write_bytes(b"broken")

    assert outcomes(home.learn()).keys() <= {"refused"}


@pytest.mark.parametrize("line", [("one",), ("one", "a"), ("one", "z"), ("one", "z", "a")])
def test_a_subagents_chat_was_held_where_that_of_its_session_was(home: Home, cursor: Cursor, line: tuple[str, ...]):
    """A window lists the session's alone; the database has their ids in any order."""
    cursor.chat("one", "Why tabs?")
    cursor.window("abc", claim_acme(home).as_uri(), "one")
    for parent, id in pairwise((*line, "part")):
        cursor.chat(id, "Look.", subagentInfo={"parentComposerId": parent})

    elsewhere, there = home.learn(), home.learn(workspace=ACME)

    assert (outcomes(elsewhere), outcomes(there)) == ({"refused": len(line) + 1}, {"added": len(line) + 1})


def test_the_file_of_a_subagent_was_held_where_its_sessions_chat_was(home: Home, cursor: Cursor):
    lib, acme = home.project("lib"), claim_acme(home)
    cursor.chat("one", "Why tabs?")
    cursor.window("a", acme.as_uri(), "one")
    cursor.window("b", lib.as_uri())
    inner = cursor.agent(slug(lib), "one").parent / "subagents" / "part.jsonl"
    home.append(inner, ['{"role": "user", "message": {"content": "Look."}}'])

    elsewhere, there = home.learn(), home.learn(workspace=ACME)

    assert (outcomes(elsewhere), outcomes(there)) == ({"refused": 2}, {"added": 2})


def test_chats_that_are_parts_of_each_other_hide_no_other(home: Home, cursor: Cursor):
    cursor.chat("one", "Why tabs?", subagentInfo={"parentComposerId": "two"})
    cursor.chat("two", "Why spaces?", subagentInfo={"parentComposerId": "one"})
    cursor.chat("odd", "Why not?", subagentInfo="one")

    assert outcomes(home.learn(conversations=["conversation:cursor/one"])) == {"added": 2}
    assert outcomes(home.learn()) == {"added": 1, "unchanged": 2}


def test_a_folder_on_another_machine_is_no_place_here(home: Home, cursor: Cursor):
    cursor.chat("one", "Why tabs?")
    cursor.window("abc", "vscode-remote://ssh-remote%2Bserver/home/me/acme", "one")

    report = home.learn(dry_run=True)

    assert "vscode-remote" in report.conversations[0].reason


def test_a_database_that_is_none_hides_no_other_client(home: Home, cursor: Cursor):
    cursor.database.write_bytes(b"no database")
    home.say("session", "a question")

    assert outcomes(home.learn()) == {"added": 1}
