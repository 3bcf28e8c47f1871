"""Conversations of real files become passages of a real store."""

import json
import os
import shutil
from pathlib import Path

import attrs
import pytest
from learning_home import Home, Silent, claude_line

from imprint.domain.injected_context import mark_context
from imprint.domain.purge import Exclusion
from imprint.domain.sources import SourceKey, WorkspaceName
from imprint.errors import ClientNotFoundError, TranscriptUnreadableError, UnknownPluginError
from imprint.services.indexing_reports import Outcome

ACME = WorkspaceName("acme")
KEY = "conversation:claude-code/one"


def outcomes(report) -> dict[str, int]:
    return {outcome.value: count for outcome, count in report.sources.items() if count}


def test_what_was_said_is_stored_with_who_said_it_when_and_where(home: Home):
    home.say("one", "How do we store tokens?", "In the keyring.", "Since when?")

    report = home.learn()

    assert outcomes(report) == {"added": 1}
    with home.open() as application, application._stores.open(WorkspaceName("default")) as store:
        stored = store.source_chunks(SourceKey(KEY))
        source = store.find_source(SourceKey(KEY)).source
    assert [(one.chunk.text, one.chunk.role, one.chunk.start_line, one.chunk.time) for one in stored] == [
        ("How do we store tokens?", "user", 1, "2026-03-01T10:00:00.000Z"),
        ("In the keyring.", "assistant", 2, "2026-03-01T10:00:01.000Z"),
        ("Since when?", "user", 3, "2026-03-01T10:00:02.000Z"),
    ]
    assert stored[1].chunk.context == "How do we store tokens?\nSince when?"
    assert (source.title, source.time) == ("How do we store tokens?", "2026-03-01T10:00:00.000Z")
    assert str(source.path) == str(home.claude("one"))


def test_learning_again_writes_nothing(home: Home):
    home.say("one", "first", "second")
    home.learn()

    report = home.learn()

    assert outcomes(report) == {"unchanged": 1}
    assert report.chunks == 0
    assert home.passages(KEY) == ["first", "second"]


def test_a_transcript_that_grew_costs_and_adds_its_growth(home: Home):
    path = home.say("one", "first " * 400, "second", "third " * 400)
    home.learn()
    content = path.read_bytes()
    path.write_bytes(content.replace(b"second", b"SECOND"))  # so that reading it again would not go unnoticed
    home.say("one", "fourth", begin=3)

    report = home.learn()

    assert outcomes(report) == {"changed": 1}
    passages = home.passages(KEY)
    assert passages[-1] == "fourth"
    assert "second" in passages
    assert "SECOND" not in passages


def test_a_line_that_is_being_written_is_learned_when_it_is_whole(home: Home):
    path = home.say("one", "first")
    line = claude_line("one", 1, "the answer", cwd=str(home.project("acme")))
    with path.open("a", encoding="utf-8") as file:
        file.write(line[:50])
    home.learn()
    assert home.passages(KEY) == ["first"]

    with path.open("a", encoding="utf-8") as file:
        file.write(line[50:] + "\n")
    home.learn()

    assert home.passages(KEY) == ["first", "the answer"]


@pytest.mark.parametrize("texts", [("other",), ("other", "than", "before", "and longer")])
def test_a_transcript_that_was_replaced_is_read_anew(home: Home, texts):
    path = home.say("one", "first", "second", "third")
    home.learn()
    path.unlink()
    home.say("one", *texts, begin=10)

    report = home.learn()

    assert outcomes(report) == {"changed": 1}
    assert home.passages(KEY) == list(texts)


def test_a_copy_of_a_turn_is_the_same_turn(home: Home):
    """Compaction writes the kept turns again; a resumed session begins with a copy of the one it goes on from."""
    home.say("one", "first", "second")
    path = home.claude("two")
    cwd = str(home.project("acme"))
    copies = [line.replace('"one"', '"two"') for line in home.claude("one").read_text().splitlines()]
    home.append(path, [*copies, *copies, claude_line("two", 2, "third", cwd=cwd)])

    home.learn()

    assert home.passages(KEY) == ["first", "second"]
    assert home.passages("conversation:claude-code/two") == ["third"]


def test_a_turn_that_comes_again_with_another_text_has_the_later_one(home: Home):
    cwd = str(home.project("acme"))
    lines = [claude_line("one", number, f"text {number}", cwd=cwd) for number in range(300)]
    path = home.append(home.claude("one"), lines)
    home.learn()
    home.append(path, [claude_line("one", 0, "mended", cwd=cwd)])

    report = home.learn()

    assert outcomes(report) == {"changed": 1}
    assert home.passages(KEY) == [*(f"text {number}" for number in range(1, 300)), "mended"]
    assert outcomes(home.learn()) == {"unchanged": 1}


def test_a_turn_that_changes_within_one_long_reading_has_the_last_text(home: Home):
    cwd = str(home.project("acme"))
    lines = [claude_line("one", number, f"text {number}", cwd=cwd) for number in range(300)]
    home.append(home.claude("one"), [*lines, claude_line("one", 4, "mended", cwd=cwd)])

    home.learn()

    passages = home.passages(KEY)
    assert len(passages) == 300
    assert passages[-1] == "mended"
    assert "text 4" not in passages


def test_an_archived_transcript_is_known_by_its_content(home: Home):
    session = "rollout-2026-01-01T00-00-00-thread.jsonl"
    live = home.path / ".codex" / "sessions" / "2026" / "01" / "01" / session
    cwd = str(home.project("acme"))
    home.append(
        live,
        [
            json.dumps({"type": "session_meta", "payload": {"id": "thread", "cwd": cwd}}),
            *(
                json.dumps(
                    {
                        "type": "response_item",
                        "payload": {
                            "type": "message",
                            "role": "user",
                            "id": f"m{number}",
                            "content": [{"type": "input_text", "text": f"question {number}"}],
                        },
                    }
                )
                for number in range(3)
            ),
        ],
    )
    home.learn()
    archived = home.path / ".codex" / "archived_sessions" / session
    archived.parent.mkdir()
    live.rename(archived)

    report = home.learn()

    assert outcomes(report) == {"unchanged": 1}
    assert home.passages("conversation:codex/thread") == [f"question {number}" for number in range(3)]
    with home.open() as application, application._stores.open(WorkspaceName("default")) as store:
        assert str(store.find_source(SourceKey("conversation:codex/thread")).source.path) == str(archived)


def test_an_empty_transcript_is_not_taken_for_the_next_of_its_name(home: Home):
    """Some clients give every session's file the same name, and make it before anything is said."""
    sessions = home.path / ".copilot" / "session-state"
    home.append(sessions / "one" / "events.jsonl", [])
    home.learn()
    shutil.rmtree(sessions / "one")
    started = {"type": "session.start", "id": "1", "data": {"sessionId": "two", "context": {"cwd": str(home.path)}}}
    asked = {"type": "user.message", "id": "2", "data": {"content": "hello"}}
    home.append(sessions / "two" / "events.jsonl", [json.dumps(started), json.dumps(asked)])

    assert outcomes(home.learn()) == {"added": 1}
    assert home.sources() == ["conversation:copilot-cli/two"]


def test_two_files_of_one_session_are_two_sources(home: Home):
    home.say("one", "first")
    other = home.path / ".claude" / "projects" / "-other" / "one.jsonl"
    home.append(other, [claude_line("one", 9, "elsewhere", cwd=str(home.project("acme")))])

    home.learn()

    assert sorted(home.sources()) == [KEY, f"{KEY}/2"]
    assert outcomes(home.learn()) == {"unchanged": 2}


def test_a_conversation_goes_only_where_all_its_directories_belong(home: Home):
    acme, other = home.project("acme"), home.project("other")
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(acme, explicit="acme")
    home.say("one", "about acme", cwd=str(acme))
    home.say("two", "begun elsewhere", cwd=str(other))
    home.say("two", "ended in acme", cwd=str(acme / "gone"), begin=1)

    default, owner = home.learn(), home.learn(workspace="acme")

    assert outcomes(default) == {"refused": 2}
    assert outcomes(owner) == {"added": 2}
    assert home.sources() == []
    assert home.passages("conversation:claude-code/two", ACME) == ["begun elsewhere", "ended in acme"]


def test_a_subagent_is_held_where_its_session_is(home: Home):
    acme, other = home.project("acme"), home.project("other")
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(acme, explicit="acme")
    path = home.say("one", "about acme", cwd=str(acme))
    agent = path.with_suffix("") / "subagents" / "agent-a.jsonl"
    home.append(agent, [claude_line("one", 1, "found it", cwd=str(other), isSidechain=True)])

    report = home.learn()

    assert outcomes(report) == {"refused": 2}


def test_a_conversation_that_moves_into_anothers_folder_is_not_learned_further(home: Home):
    acme = home.project("acme")
    home.say("one", "before", cwd=str(home.project("other")))
    home.learn()
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(acme, explicit="acme")
    home.say("one", "after", cwd=str(acme), begin=1)

    report = home.learn()

    assert outcomes(report) == {"refused": 1}
    assert home.passages(KEY) == ["before"]
    assert outcomes(home.learn()) == {"refused": 1}


def test_what_was_refused_is_learned_once_it_may_be(home: Home):
    acme = home.project("acme")
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(acme, explicit="acme")
    home.say("one", "about acme", cwd=str(acme))
    home.learn()
    with home.open() as application:
        application.roots.remove(acme, explicit="acme")

    report = home.learn()

    assert outcomes(report) == {"added": 1}
    assert home.passages(KEY) == ["about acme"]


@pytest.mark.parametrize("recursive", [False, True])
def test_what_was_purged_stays_out_until_it_is_restored(home: Home, recursive: bool):
    path = home.say("one", "secret plan", "indeed")
    home.say("two", "another")
    home.learn()
    target = str(path.parent) if recursive else KEY
    with home.open() as application:
        preview = application.purge.preview(WorkspaceName("default"), target, recursive=recursive)
        application.purge.apply(WorkspaceName("default"), target, recursive=recursive, digest=preview.digest)
    home.say("one", "more", begin=2)

    report = home.learn()

    assert report.sources[Outcome.EXCLUDED] == (2 if recursive else 1)
    assert home.passages(KEY) == []
    with home.open() as application:
        application.exclusions.restore(WorkspaceName("default"), target)
    home.learn()
    assert home.passages(KEY) == ["secret plan", "indeed", "more"]


def test_what_was_purged_of_a_session_does_not_come_back_out_of_another_file(home: Home):
    path = home.say("one", "secret plan", "indeed")
    home.learn()
    with home.open() as application:
        application.purge.apply(WorkspaceName("default"), KEY)
    copy = path.parents[1] / "-other" / path.name
    copy.parent.mkdir()
    copy.write_bytes(path.read_bytes())

    reports = [home.learn() for _ in range(2)]

    assert [outcomes(report) for report in reports] == [{"excluded": 2}] * 2
    assert home.sources() == []
    with home.open() as application:
        application.exclusions.restore(WorkspaceName("default"), KEY)
    home.learn()
    assert home.passages(KEY) == ["secret plan", "indeed"]


def test_a_purge_of_one_file_of_a_session_leaves_the_other(home: Home):
    home.say("one", "first")
    other = home.path / ".claude" / "projects" / "-other" / "one.jsonl"
    home.append(other, [claude_line("one", 9, "elsewhere", cwd=str(home.project("acme")))])
    home.learn()
    with home.open() as application:
        application.purge.apply(WorkspaceName("default"), KEY)

    assert outcomes(home.learn()) == {"excluded": 1, "unchanged": 1}
    assert home.sources() == [f"{KEY}/2"]


def test_a_purged_transcript_leaves_no_word_in_the_data_folder(home: Home):
    home.say("one", "the zanzibar affair", "was settled")
    home.learn()
    with home.open() as application:
        application.purge.apply(WorkspaceName("default"), KEY, recursive=False, digest="")
    home.learn()

    leftovers = [
        path for path in (home.path / "data").rglob("*") if path.is_file() and b"zanzibar" in path.read_bytes()
    ]

    assert leftovers == []


def test_a_wiped_workspace_learns_from_the_start(home: Home):
    home.say("one", "first")
    home.learn()
    with home.open() as application, application._stores.open(WorkspaceName("default")) as store:
        store.wipe()

    home.learn()

    assert home.passages(KEY) == ["first"]


def test_our_own_context_is_not_learned_again(home: Home):
    home.say("one", f"{mark_context('You decided on tabs.')}\nWhat now?", mark_context("only ours"))

    home.learn()

    assert home.passages(KEY) == ["What now?"]


def test_conversations_that_ended_before_a_moment_are_left_alone(home: Home):
    os.utime(home.say("one", "old"), (1_700_000_000, 1_700_000_000))
    home.say("two", "new")

    report = home.learn(since="2024-01-01T00:00:00.000Z")

    assert (outcomes(report), report.older) == ({"added": 1}, 1)
    assert home.sources() == ["conversation:claude-code/two"]


@pytest.mark.skipif(os.name == "nt", reason="files there have no such times")
@pytest.mark.parametrize("nanoseconds", [2**63 + 10**9, -(2**62)])
def test_a_transcript_of_a_time_that_no_database_holds_is_learned_once(home: Home, nanoseconds: int):
    os.utime(home.say("one", "from another age"), ns=(0, nanoseconds))

    assert (outcomes(home.learn()), outcomes(home.learn())) == ({"added": 1}, {"unchanged": 1})


def test_a_dry_run_says_who_may_have_a_conversation_and_writes_nothing(home: Home):
    acme = home.project("acme")
    with home.open() as application:
        application.workspaces.create("acme")
        application.roots.add(acme, explicit="acme")
    home.say("one", "about acme", cwd=str(acme))
    home.say("two", "about nothing", cwd=str(home.project("free")))

    report = home.learn(dry_run=True)

    assert [(one.source, one.outcome, one.workspaces) for one in report.conversations] == [
        (KEY, Outcome.REFUSED, (ACME,)),
        ("conversation:claude-code/two", Outcome.ADDED, (ACME, WorkspaceName("default"))),
    ]
    assert report.conversations[0].reason == f'{acme} is claimed by "acme", which has a root above it'
    assert not (home.path / "data" / "workspaces" / "default").exists()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root reads everything")
def test_a_transcript_that_cannot_be_read_is_listed_and_the_others_go_on(home: Home):
    home.say("one", "closed").chmod(0)
    home.say("two", "open")

    report = home.learn()

    assert outcomes(report) == {"failed": 1, "added": 1}
    assert isinstance(report.failures[0].error, TranscriptUnreadableError)


def test_a_folder_in_a_transcripts_place_is_passed_over(home: Home):
    home.claude("one").mkdir(parents=True)
    home.say("two", "open")

    report = home.learn()

    assert outcomes(report) == {"added": 1}


def test_clients_that_are_named_have_to_be_there(home: Home):
    (home.path / ".codex").rmdir()

    with pytest.raises(ClientNotFoundError):
        home.learn(clients=["codex"])
    with pytest.raises(UnknownPluginError):
        home.learn(clients=["cursed"])


def test_only_the_transcript_that_is_named_is_learned_with_its_subagents(home: Home):
    path = home.say("one", "first")
    home.append(
        path.with_suffix("") / "subagents" / "agent-a.jsonl",
        [claude_line("one", 3, "found it", cwd=str(home.project("acme")), isSidechain=True)],
    )
    home.say("two", "other")

    home.learn(paths=[path])

    assert home.sources() == [KEY, f"{KEY}/agent-a"]


def test_a_subagents_part_is_nobodys_word_but_the_models(home: Home):
    cwd = str(home.project("acme"))
    agent = home.claude("one").with_suffix("") / "subagents" / "agent-a.jsonl"
    home.append(
        agent,
        [claude_line("one", number, text, cwd=cwd, isSidechain=True) for number, text in enumerate(("look", "found"))],
    )

    home.learn()

    with home.open() as application, application._stores.open(WorkspaceName("default")) as store:
        stored = store.source_chunks(SourceKey(f"{KEY}/agent-a"))
    assert [(one.chunk.text, one.chunk.role) for one in stored] == [("look", "assistant"), ("found", "subagent")]


def test_a_long_turn_is_cut_by_its_structure(home: Home):
    text = "\n\n".join(f"# Part {number}\n\n" + f"word{number} " * 120 for number in range(6))
    home.say("one", "tell me", text)

    home.learn()

    with home.open() as application, application._stores.open(WorkspaceName("default")) as store:
        stored = store.source_chunks(SourceKey(KEY))[1:]
    assert [one.chunk.text.splitlines()[0] for one in stored] == [f"# Part {number}" for number in range(6)]
    assert {(one.chunk.start_line, one.chunk.role) for one in stored} == {(2, "assistant")}
    assert stored[0].chunk.context == "tell me"


def test_more_than_can_be_kept_in_memory_is_read_twice(home: Home):
    home.say("one", *(f"text {number} " + "x" * 100_000 for number in range(100)))

    report = home.learn()

    assert outcomes(report) == {"added": 1}
    assert len({text.split(" xx")[0] for text in home.passages(KEY) if text.startswith("text")}) == 100
    assert outcomes(home.learn()) == {"unchanged": 1}


def test_secrets_are_taken_out_before_anything_is_stored(home: Home):
    home.say("one", "my key is hunter2, ok?", "hunter2 it is")
    with home.open() as application:
        learning = application.learning
        preparation = attrs.evolve(
            learning.preparation, redact=lambda text: (text.replace("hunter2", "[secret]"), text.count("hunter2"))
        )
        report = attrs.evolve(learning, preparation=preparation).learn(application.workspaces.selected(), Silent())

    assert report.redactions == 2
    assert home.passages(KEY) == ["my key is [secret], ok?", "[secret] it is"]
    files = [path for path in (home.path / "data").rglob("*") if path.is_file()]
    assert [path for path in files if b"hunter2" in path.read_bytes()] == []


def test_a_conversation_that_arrived_otherwise_is_replaced_by_what_is_learned(home: Home, tmp_path: Path):
    """A bundle brings the passages without what tells their turns apart."""
    home.say("one", "first", "second")
    home.learn()
    bundle = tmp_path / "bundle"
    with home.open() as application:
        application.transfers.export.run(WorkspaceName("default"), bundle, Silent())
        with application._stores.open(WorkspaceName("default")) as store:
            store.wipe()
        application.transfers.importing.run(WorkspaceName("default"), bundle, Silent())

    home.learn()

    assert home.passages(KEY) == ["first", "second"]


def test_an_exclusion_that_comes_meanwhile_is_obeyed(home: Home):
    home.say("one", "first")
    with home.open() as application:
        learning = application.learning
        application._registry.add_exclusion(
            Exclusion(workspace=WorkspaceName("default"), target=KEY, recursive=False, added_at="")
        )
        report = learning.learn(application.workspaces.selected(), Silent())

    assert outcomes(report) == {"excluded": 1}


def test_sessions_of_claude_desktops_local_agent_are_conversations_of_their_own(home: Home):
    sessions = home.path / ".config" / "Claude" / "local-agent-mode-sessions" / "app" / "org" / "local_1"
    lines = [claude_line("one", 0, "Sort my notes.", cwd=str(home.project("acme")))]
    home.append(sessions / ".claude" / "projects" / "-sessions-one" / "one.jsonl", lines)
    home.say("one", "Another question")

    report = home.learn()

    assert outcomes(report) == {"added": 2}
    assert home.passages("conversation:claude-desktop/one") == ["Sort my notes."]
