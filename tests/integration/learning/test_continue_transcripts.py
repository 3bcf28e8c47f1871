"""Conversations of Continue: recorded, growing, and in the shapes that its extension writes."""

import json
from pathlib import Path, PurePosixPath

import pytest
from learning_home import Home

from imprint.adapters.client_files import RealClientFiles
from imprint.adapters.transcripts import RealTranscriptFiles
from imprint.domain.conversations import Checkpoint, ConversationFacts, TranscriptItem, Turn
from imprint.plugins.clients import ClientHome, TranscriptReference
from imprint.services.indexing_reports import Outcome
from imprint.testing.checks.clients import client_checks
from imprint_client_plugins import continue_dev

SAMPLE = Path(__file__).parents[2] / "samples" / "transcripts" / "continue" / "session.json"
ID = "4b432528-a12f-40ed-975f-25d6350db733"


def find(home: Home) -> list[TranscriptReference]:
    files = RealClientFiles()
    installation = continue_dev.find_installation(ClientHome(path=PurePosixPath(home.path), system="linux"), files)
    assert installation is not None
    return list(continue_dev.find_transcripts(installation, files))


def write(home: Home, document: object, id: str = ID) -> TranscriptReference:
    folder = home.path / ".continue" / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sessions.json").write_text("[]")
    (folder / f"{id}.json").write_text(document if isinstance(document, str) else json.dumps(document))
    return next(one for one in find(home) if one.path.stem == id)


def read(reference: TranscriptReference, since: str = "") -> list[TranscriptItem]:
    with RealTranscriptFiles().open(reference.path) as reader:
        return list(continue_dev.read_transcript(reference, reader, since))


def turns(items: list[TranscriptItem]) -> list[Turn]:
    return [item for item in items if isinstance(item, Turn)]


def said(role: str, content: object) -> dict[str, object]:
    return {"message": {"role": role, "content": content}, "contextItems": []}


def test_what_was_recorded_gives_what_was_said_and_nothing_else(home: Home):
    items = read(write(home, SAMPLE.read_text("utf-8")))

    assert [turn.text.partition(" [[")[0] for turn in turns(items)] == [
        "first prompt",
        "DONE-ONE",
        "second prompt",
        "DONE-TWO",
    ]
    facts = items[0]
    assert isinstance(facts, ConversationFacts)
    assert (facts.session_id, facts.cwd) == (ID, "/home/dev/proj")


def test_all_promises_of_a_client_are_kept_with_a_recorded_transcript():
    for check in client_checks(continue_dev, transcripts=[SAMPLE.read_bytes()]):
        if any(word in check.name for word in ("lines", "turns", "reading")):
            check()


def test_a_session_that_grows_gives_what_is_new_and_a_torn_file_nothing(home: Home):
    first = read(write(home, {"history": [said("user", "one")]}))
    reference = write(home, {"history": [said("user", "one"), said("assistant", "two")]})
    *_, checkpoint = first
    assert isinstance(checkpoint, Checkpoint)

    later = read(reference, checkpoint.position)
    torn = read(write(home, json.dumps({"history": [said("user", "one")]})[:-3]))

    assert [turn.text for turn in turns(later)] == ["two"]
    assert turns(torn) == []
    assert torn[-1] == Checkpoint("")


def test_a_rewritten_session_costs_what_is_new(home: Home):
    cwd = str(home.project("proj"))
    write(home, {"workspaceDirectory": cwd, "history": [said("user", "one")]})
    first = home.learn(clients=["continue"])
    write(home, {"workspaceDirectory": cwd, "history": [said("user", "one"), said("assistant", "two")]})
    second = home.learn(clients=["continue"])

    assert (first.sources, second.sources) == ({Outcome.ADDED: 1}, {Outcome.CHANGED: 1})
    assert home.passages(f"conversation:continue/{ID}") == ["one", "two"]


def test_turns_are_told_apart_in_one_session_and_between_two(home: Home):
    history = {"history": [said("user", "yes"), said("assistant", "ok"), said("user", "yes")]}

    ids = [turn.id for id in ("a", "b") for turn in turns(read(write(home, history, id)))]

    assert len(set(ids)) == 6


@pytest.mark.parametrize(
    ("place", "folder"),
    [
        ("/home/me/proj", "/home/me/proj"),
        ("file:///home/me/my%20proj", "/home/me/my proj"),
        ("file:///c%3A/Users/Me/proj", "c:/Users/Me/proj"),
        ("file://", ""),
        ("", ""),
        (None, ""),
        (7, ""),
    ],
)
def test_the_folder_is_read_as_a_path_or_a_uri(home: Home, place: object, folder: str):
    facts = read(write(home, {"workspaceDirectory": place, "history": []}))[0]

    assert isinstance(facts, ConversationFacts)
    assert facts.cwd == folder


@pytest.mark.parametrize(
    ("entry", "kept"),
    [
        (said("user", [{"type": "text", "text": "Look."}, {"type": "imageUrl", "imageUrl": {}}]), ["Look."]),
        (said("user", "half \ud83d of a smile\0"), ["half \ufffd of a smile\ufffd"]),
        (said("system", "be kind"), []),
        (said("tool", "output"), []),
        (said("thinking", "hm"), []),
        (said("assistant", ""), []),
        (said("user", 7), []),
        ({"message": "text"}, []),
        ("entry", []),
        (None, []),
    ],
)
def test_nobodys_words_are_left_out(home: Home, entry: object, kept: list[str]):
    assert [turn.text for turn in turns(read(write(home, {"history": [entry]})))] == kept


@pytest.mark.parametrize("document", ["", "null", "[]", '{"history": {}}', "[" * 5000])
def test_nothing_that_stands_in_a_session_is_an_error(home: Home, document: str):
    assert turns(read(write(home, document))) == []


def test_the_index_is_no_session_and_rules_are_documents(home: Home):
    write(home, {"history": []})
    for name in ("mine.md", "imprint.md"):
        (home.path / ".continue" / "rules").mkdir(exist_ok=True)
        (home.path / ".continue" / "rules" / name).write_text("Use tabs.")

    home.learn(clients=["continue"])

    assert [one.path.name for one in find(home)] == [f"{ID}.json"]
    assert [key for key in home.sources() if key.startswith("document:")] == ["document:continue/rules/mine.md"]
