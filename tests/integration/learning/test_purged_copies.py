"""What was purged with a conversation comes back neither out of a fork of it nor out of what a subagent did for it."""

import json
from pathlib import Path

import attrs
import pytest
from learning_home import WORKSPACE, Home, claude_line
from test_purged_conversations import is_held, outcomes, purge

from imprint.domain.identifiers import index_text
from imprint.domain.indexing import IndexedText
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind
from imprint.domain.transcripts import TranscriptId
from imprint.protocols.transcripts import SaidTurn
from imprint.protocols.versions import Replacement

SECRET = "We decided to keep SQLite."
CODEX = "019e0000-0000-7000-8000-00000000000"
"""Begins the ids of sessions of Codex, which are UUIDs."""


def fork(home: Home, *texts: str) -> Path:
    """A session that begins with a copy of another, under ids that stay, and goes on by itself."""
    copied = home.claude("s1").read_text(encoding="utf-8").replace('"sessionId": "s1"', '"sessionId": "s2"')
    own = [claude_line("s2", 20 + place, text, cwd=str(home.project("acme"))) for place, text in enumerate(texts)]
    return home.append(home.claude("s2"), [*copied.splitlines(), *own])


def codex(
    home: Home, number: int, *texts: str, folder: str = "sessions/2026/03/01", cwd: str = "", **meta: object
) -> Path:
    """A session of Codex."""
    id, cwd = f"{CODEX}{number}", cwd or str(home.project("acme"))
    lines: list[dict[str, object]] = [{"type": "session_meta", "payload": {"id": id, "cwd": cwd, **meta}}]
    for place, text in enumerate(texts):
        role, kind = ("assistant", "output_text") if place % 2 else ("user", "input_text")
        message = {"type": "message", "id": f"{id}/{place}", "role": role, "content": [{"type": kind, "text": text}]}
        lines.append({"type": "response_item", "timestamp": f"2026-03-01T10:00:{place:02}.000Z", "payload": message})
    path = home.path / ".codex" / folder / f"rollout-2026-03-01T10-00-00-{id}.jsonl"
    return home.append(path, [json.dumps(line) for line in lines])


def agent(home: Home, name: str, *texts: str) -> Path:
    """A subagent of Claude Code's session ``s1``."""
    lines = [
        claude_line("s1", 40 + place, text, cwd=str(home.project("acme")), isSidechain=True)
        for place, text in enumerate(texts)
    ]
    return home.append(home.claude("s1").with_suffix("") / "subagents" / f"{name}.jsonl", lines)


def said(home: Home, path: Path) -> frozenset[int]:
    """Numbers of what a purge of a place takes."""
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        return store.enumerate_target(application.purge.exclusion_of(WORKSPACE, str(path), recursive=False)).turns


def indexed(text: str) -> tuple[Chunk, IndexedText]:
    chunk = Chunk(text=text)
    return chunk, index_text(chunk, Source(key=SourceKey("x"), kind=SourceKind.CONVERSATION))


def target(home: Home, path: Path, by: str) -> str:
    return str(path) if by == "path" else "conversation:claude-code/s1"


@pytest.mark.parametrize("by", ["path", "key"])
def test_a_fork_of_a_purged_conversation_brings_its_own_words_only(home: Home, by: str):
    path = home.say("s1", SECRET, "Good.")
    home.learn()
    purge(home, Path(target(home, path, by)))

    fork(home, "And the garden?", "Roses.")

    home.learn()
    assert home.passages("conversation:claude-code/s2") == ["And the garden?", "Roses."]
    assert is_held(home, "keep SQLite") == [False]


def test_a_fork_that_is_read_anew_does_not_bring_what_was_purged(home: Home):
    path = home.say("s1", SECRET, "Good.")
    copy = fork(home, "And the garden?", "Roses.")
    home.learn()
    purge(home, path)

    written = copy.read_text(encoding="utf-8").replace("Roses", "Tulips")
    copy.write_text(written, encoding="utf-8")

    home.learn()
    assert home.passages("conversation:claude-code/s2") == ["And the garden?", "Tulips."]
    assert is_held(home, "keep SQLite") == [False]


@pytest.mark.parametrize("is_first", [True, False], ids=["before", "after"])
def test_a_fork_keeps_none_of_the_words_around_its_own(home: Home, is_first: bool):
    """A passage has its neighbours' words beside it: those of another conversation are not its own to keep."""
    path = home.say("s1", "What do we use?", SECRET)
    if is_first:
        fork(home, "And the garden?")
    home.learn()
    purge(home, path)
    if not is_first:
        fork(home, "And the garden?")

    home.learn()
    assert home.passages("conversation:claude-code/s2") == ["And the garden?"]
    assert is_held(home, "keep SQLite") == [False]


def test_a_fork_of_codex_brings_its_own_words_only(home: Home):
    path = codex(home, 1, SECRET, "Good.")
    home.learn()
    purge(home, path)

    copied = path.read_text(encoding="utf-8").splitlines()
    home.append(codex(home, 2, forked_from_id=f"{CODEX}1"), copied)
    codex(home, 2, "And the garden?")

    home.learn()
    assert home.passages(f"conversation:codex/{CODEX}2") == ["And the garden?"]


def test_what_is_let_in_again_comes_out_of_a_fork_too(home: Home):
    path = home.say("s1", SECRET, "Good.")
    home.learn()
    purge(home, path)
    path.unlink()
    with home.open() as application:
        application.exclusions.restore(WORKSPACE, str(path))

    path = home.say("s1", SECRET, "Good.")
    fork(home, "And the garden?")
    path.unlink()

    home.learn()
    assert home.passages("conversation:claude-code/s2") == [SECRET, "Good.", "And the garden?"]


def test_a_writer_that_had_read_a_copy_before_the_purge_does_not_store_it(home: Home):
    path = home.say("s1", SECRET)
    home.learn()
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        (record,) = store.transcripts("claude-code").values()
        known = store.known_turns(record.source, said(home, path))
        (late,) = (SaidTurn(number, turn.digest, [indexed(SECRET)]) for number, turn in known.items())
        own = SaidTurn(late.number + 1, 0, [indexed("And the garden?")])
        purge(home, path)

        source = Source(key=SourceKey("conversation:claude-code/s2"), kind=SourceKind.CONVERSATION)
        id = TranscriptId("claude-code", str(home.claude("s2")))
        outcome = store.append_turns(source, [late, own], attrs.evolve(record, id=id, source=source.key))

    assert outcome is Replacement.ADDED
    assert home.passages(source.key) == ["And the garden?"]


@pytest.mark.parametrize("by", ["path", "key"])
def test_what_subagents_did_for_a_conversation_goes_with_it_and_stays_out(home: Home, by: str):
    path = home.say("s1", "Look it up, please.", "I ask an agent.")
    agent(home, "agent-a", "Find what we decided.", SECRET)
    home.say("s2", "From now on use tabs.", "As you like.")
    home.learn()

    gone = purge(home, Path(target(home, path, by)))
    agent(home, "agent-a", "And then?", "Then they " + SECRET)
    agent(home, "agent-b", "Look once more.", SECRET)

    assert "conversation:claude-code/s1/agent-a" in gone.sources
    assert outcomes(home.learn()) == {"excluded": 3, "unchanged": 1}
    assert is_held(home, "keep SQLite", "use tabs") == [False, True]
    with home.open() as application:
        assert application.purge_verifier.verify(WORKSPACE, gone.target).is_clean


def test_a_subagents_subagent_goes_with_the_conversation_too(home: Home):
    path = codex(home, 1, "Look it up, please.")
    codex(home, 2, "Ask somebody.", parent_thread_id=f"{CODEX}1", source={"subagent": {}})
    home.learn()
    codex(home, 3, "What was decided?", SECRET, parent_thread_id=f"{CODEX}2", source={"subagent": {}})
    home.learn()

    purge(home, path)

    assert home.sources() == []
    codex(home, 4, "Once more?", SECRET, parent_thread_id=f"{CODEX}3", source={"subagent": {}})
    assert outcomes(home.learn()) == {"excluded": 4}


def test_a_subagents_part_of_what_was_kept_out_before_it_was_learned_stays_out(home: Home):
    path = home.say("s1", "Look it up, please.")
    purge(home, path)

    agent(home, "agent-a", "Find it.", SECRET)

    assert outcomes(home.learn()) == {"excluded": 2}


def test_a_purged_fork_leaves_the_conversation_it_was_taken_from(home: Home):
    home.say("s1", "Where do we keep it?", "In a ledger.")
    home.learn()
    copy = fork(home, "And the garden?")
    home.learn()

    purge(home, copy)

    assert home.passages("conversation:claude-code/s1") == ["Where do we keep it?", "In a ledger."]


@pytest.mark.parametrize("is_alone", [True, False], ids=["alone", "all"])
def test_a_part_that_comes_before_its_session_goes_where_that_goes(home: Home, is_alone: bool):
    """Of Codex archived sessions come last; whose part one is decides where it may go."""
    acme, elsewhere = home.project("acme"), home.path / "elsewhere"
    elsewhere.mkdir()
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(acme, explicit="acme")
    codex(home, 1, "Look it up, please.", folder="archived_sessions")
    middle = {"parent_thread_id": f"{CODEX}1", "source": {"subagent": {}}}
    codex(home, 3, "Ask somebody.", folder="archived_sessions", cwd=str(elsewhere), **middle)
    part = {"parent_thread_id": f"{CODEX}3", "source": {"subagent": {}}}
    path = codex(home, 2, "What was decided?", SECRET, cwd=str(elsewhere), **part)

    report = home.learn(paths=[path] if is_alone else [])

    assert outcomes(report) == {"refused": 1 if is_alone else 3}
    assert home.sources() == []
