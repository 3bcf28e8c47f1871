"""Clients that keep conversations otherwise: in documents that they rewrite, in databases, the folder elsewhere."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path, PurePosixPath
from types import ModuleType

import attrs
import pytest
from learning_home import WORKSPACE, Home, Silent

from imprint.domain.sources import SourceKey
from imprint.errors import PluginCallError, TranscriptUnreadableError
from imprint.plugins import Checkpoint, ClientInfo, HookEvent, HookEventKind, HookOutput, Installation, Role, Turn
from imprint.plugins.clients import TranscriptReference
from imprint.plugins.handles import PluginHandle, hold_to_specs
from imprint.plugins.markers import hookimpl
from imprint.plugins.references import PluginReference
from imprint.services.indexing_reports import Outcome


class Plugins:
    """A registry that holds one client."""

    def __init__(self, handle: PluginHandle) -> None:
        self._known = {"clients": [handle]}

    def handles(self, group: str) -> list[PluginHandle]:
        return self._known[group]


def make_client(find, read) -> PluginHandle:
    """A plugin whose transcripts are found and read like this."""
    module = ModuleType("some_client")
    hooks = {
        "describe_client": lambda: ClientInfo(name="some", title="Some", summary=""),
        "find_installation": lambda home: Installation(client="some", home=home, folder=home.path / ".some"),
        "detect_cwd": lambda: None,
        "plan_connect": lambda: (),
        "plan_disconnect": lambda: (),
        "describe_duties": lambda: (),
        "find_documents": lambda: iter(()),
        "find_transcripts": find,
        "read_transcript": read,
        "parse_hook_payload": lambda: HookEvent(HookEventKind.OTHER),
        "render_hook_response": lambda: HookOutput(),
    }
    for name, function in hooks.items():
        setattr(module, name, hookimpl(function))
    reference = PluginReference(group="imprint.clients", name="some", module="some_client", distribution="some")
    return hold_to_specs(module, reference)


def learn(home: Home, client: PluginHandle, **options: object):
    with home.open() as application:
        learning = attrs.evolve(application.learning, plugins=Plugins(client))
        return learning.learn(application.workspaces.selected(), Silent(), **options)


def outcomes(report) -> dict[str, int]:
    return {outcome.value: count for outcome, count in report.sources.items() if count}


def some(home: Home, name: str) -> Path:
    (home.path / ".some").mkdir(exist_ok=True)
    return home.path / ".some" / name


def said(id: str, text: str) -> Turn:
    return Turn(id=id, role=Role.USER, text=text)


def test_a_document_that_is_rewritten_costs_what_is_new_and_takes_what_was_mended(home: Home):
    path = some(home, "talk.json")

    def find() -> Iterator[TranscriptReference]:
        return iter([TranscriptReference(path=PurePosixPath(path), cwd=str(home.project("acme")), title="A talk")])

    def read(reader) -> Iterator[Turn | Checkpoint]:
        for message in json.loads(reader.document()):
            yield said(*message)
        yield Checkpoint("read")

    client = make_client(find, read)
    path.write_text(json.dumps([["1", "one"], ["2", "two"]]))
    first = learn(home, client)
    path.write_text(json.dumps([["1", "one"], ["2", "two"], ["3", "three"]]))
    second = learn(home, client)
    path.write_text(json.dumps([["1", "one"], ["2", "TWO"], ["3", "three"]]))
    third = learn(home, client)

    assert [outcomes(report) for report in (first, second, third)] == [{"added": 1}, {"changed": 1}, {"changed": 1}]
    assert home.passages("conversation:some/talk") == ["one", "TWO", "three"]
    assert outcomes(learn(home, client)) == {"unchanged": 1}
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        assert store.find_source(SourceKey("conversation:some/talk")).source.title == "A talk"


def test_a_database_holds_several_conversations_and_says_itself_which_has_changed(home: Home):
    path = some(home, "talks.db")
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE said (talk TEXT, id TEXT, text TEXT)")
        database.executemany("INSERT INTO said VALUES (?, ?, ?)", [("a", "1", "apples"), ("b", "2", "pears")])
        database.commit()
    states = {"a": "1", "b": "1"}
    asked: list[str] = []

    def find() -> Iterator[TranscriptReference]:
        for talk, state in states.items():
            yield TranscriptReference(path=PurePosixPath(path), conversation=talk, fingerprint=state)

    def read(transcript, reader, since) -> Iterator[Turn | Checkpoint]:
        asked.append(transcript.conversation)
        rows = reader.rows(
            "SELECT rowid, id, text FROM said WHERE talk = ? AND rowid > ?", [transcript.conversation, int(since or 0)]
        )
        last = since or "0"
        for rowid, id, text in rows:
            last = str(rowid)
            yield said(id, text)
        yield Checkpoint(last)

    client = make_client(find, read)
    learn(home, client)
    with closing(sqlite3.connect(path)) as database:
        database.execute("INSERT INTO said VALUES ('b', '3', 'plums')")
        database.commit()
    states["b"] = "2"
    asked.clear()

    report = learn(home, client)

    assert (outcomes(report), asked) == ({"unchanged": 1, "changed": 1}, ["b"])
    assert home.passages("conversation:some/a") == ["apples"]
    assert home.passages("conversation:some/b") == ["pears", "plums"]


def test_the_directory_that_a_client_keeps_elsewhere_counts_as_any_other(home: Home):
    path = some(home, "talk.json")
    path.write_text("[]")
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(home.project("acme"), explicit="acme")

    def read() -> Iterator[Turn | Checkpoint]:
        yield said("1", "about acme")
        yield Checkpoint("read")

    def find() -> Iterator[TranscriptReference]:
        return iter([TranscriptReference(path=PurePosixPath(path), cwd=str(home.project("acme")))])

    assert outcomes(learn(home, make_client(find, read))) == {"refused": 1}


@pytest.mark.parametrize("what", ["raises", "gives nonsense", "finds nonsense", "says that it cannot be read"])
def test_a_plugin_that_breaks_a_promise_is_told_and_what_was_stored_stays(home: Home, what: str):
    good, bad = some(home, "good.json"), some(home, "bad.json")
    good.write_text("[]")
    bad.write_text("[]")

    def find() -> Iterator[object]:
        yield TranscriptReference(path=PurePosixPath(good))
        yield TranscriptReference(path=PurePosixPath(bad)) if what != "finds nonsense" else "bad.json"

    def read(transcript) -> Iterator[object]:
        yield said(f"1 of {transcript.path}", "hello")
        if transcript.path.name == "bad.json":
            if what == "raises":
                raise KeyError("uuid")
            if what == "gives nonsense":
                yield "a turn"
            raise TranscriptUnreadableError(str(transcript.path), "it is broken")
        yield Checkpoint("read")

    report = learn(home, make_client(find, read))

    assert report.sources[Outcome.FAILED] == 1
    expected = TranscriptUnreadableError if what == "says that it cannot be read" else PluginCallError
    assert isinstance(report.failures[0].error, expected)
    assert home.sources() == (["conversation:some/good"] if what != "finds nonsense" else [])


def test_a_conversation_that_its_client_keeps_in_another_file_now_stays_one(home: Home):
    """As VS Code does, whose agent deletes its old transcripts, while the chat itself is kept elsewhere."""
    folder = home.path / ".some"
    first, second = folder / "a" / "s.jsonl", folder / "b" / "s.jsonl"

    def find(installation, files) -> Iterator[TranscriptReference]:
        del installation
        for path in (first, second):
            if files.read(PurePosixPath(path)) is not None:
                yield TranscriptReference(path=PurePosixPath(path))

    def read(transcript, reader, since) -> Iterator[object]:
        del since
        for line in reader.lines():
            yield Turn(id=f"{transcript.path.parent.name}{line.number}", role=Role.USER, text=line.data.decode())
        yield Checkpoint("")

    client = make_client(find, read)
    home.append(first, ["We chose PostgreSQL."])
    assert learn(home, client).sources == {Outcome.ADDED: 1}

    first.unlink()
    home.append(second, ["We chose PostgreSQL.", "And no ORM."])
    assert learn(home, client, paths=[second]).sources == {Outcome.CHANGED: 1}

    assert home.passages("conversation:some/s") == ["We chose PostgreSQL.", "And no ORM."]
    assert home.passages("conversation:some/s/2") == []


def test_two_files_of_one_session_are_two_conversations_also_where_one_alone_is_asked_for(home: Home):
    folder = home.path / ".some"
    paths = [folder / name / "s.jsonl" for name in ("a", "b")]

    def find() -> Iterator[TranscriptReference]:
        yield from (TranscriptReference(path=PurePosixPath(path)) for path in paths)

    def read(transcript, reader) -> Iterator[object]:
        for line in reader.lines():
            yield Turn(id=f"{transcript.path.parent.name}{line.number}", role=Role.USER, text=line.data.decode())
        yield Checkpoint("")

    client = make_client(find, read)
    home.append(paths[0], ["We chose PostgreSQL."])
    learn(home, client)
    home.append(paths[1], ["We chose SQLite."])
    learn(home, client, paths=[paths[1]])

    assert home.passages("conversation:some/s") == ["We chose PostgreSQL."]
    assert home.passages("conversation:some/s/2") == ["We chose SQLite."]


def test_every_folder_that_a_client_tells_beside_the_transcript_counts(home: Home):
    folder = home.path / ".some"
    here, there = home.project("acme"), home.project("other")
    with home.open() as application:
        application.workspaces.create("client")
        application.roots.add(there, explicit="client")

    def find() -> Iterator[TranscriptReference]:
        yield TranscriptReference(path=PurePosixPath(folder / "s.jsonl"), cwd=str(here), directories=(str(there),))

    def read(reader) -> Iterator[object]:
        for line in reader.lines():
            yield Turn(id=str(line.number), role=Role.USER, text=line.data.decode())
        yield Checkpoint("")

    home.append(folder / "s.jsonl", ["We chose PostgreSQL."])

    assert learn(home, make_client(find, read)).sources == {Outcome.REFUSED: 1}
