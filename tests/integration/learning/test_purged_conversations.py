"""Purging a file that holds conversations forgets them, and what was drawn from them, whichever file they come from."""

import json
import shutil
from pathlib import Path

import pytest
from exported_accounts import chatgpt, claude, write_zip
from learning_home import WORKSPACE, Home, Silent

from imprint.domain.purge_reports import PurgeReport
from imprint.domain.sources import WorkspaceName
from imprint.services.learning_reports import LearnReport
from imprint.services.purge_elsewhere import find_elsewhere

KEY = "conversation:claude-code/s1"


def outcomes(report: LearnReport) -> dict[str, int]:
    return {outcome.value: count for outcome, count in report.sources.items() if count}


def purge(home: Home, target: Path, *, recursive: bool = False) -> PurgeReport:
    """As after a preview, which has to have shown all that goes."""
    with home.open() as application:
        seen = application.purge.preview(WORKSPACE, str(target), recursive=recursive)
        done = application.purge.apply(WORKSPACE, str(target), recursive=recursive, digest=seen.digest)
    assert done.sources == seen.sources
    assert not done.late
    return done


def move_away(home: Home, session: str) -> Path:
    """Another folder of the same client, as when the folder a session was held in is renamed."""
    place = home.path / ".claude" / "projects" / "-renamed" / f"{session}.jsonl"
    place.parent.mkdir()
    return Path(shutil.move(home.claude(session), place))


def is_held(home: Home, *texts: str) -> list[bool]:
    with home.open() as application, application._stores.open(WORKSPACE) as store:
        return [store.holds_text(text) for text in texts]


@pytest.mark.parametrize("whole_folder", [False, True], ids=["file", "folder"])
def test_what_was_drawn_from_a_conversation_goes_with_its_transcript(home: Home, whole_folder: bool):
    path = home.say("s1", "We decided to keep SQLite for the ledger.", "Good, I keep it.")
    home.say("s2", "From now on use tabs, never spaces.", "As you like.", cwd=str(home.project("other")))
    home.learn()
    before = set(home.sources())

    gone = purge(home, path.parent if whole_folder else path, recursive=whole_folder)

    assert len(gone.sources) > 1
    assert set(gone.sources) == before - set(home.sources())
    assert is_held(home, "keep SQLite", "use tabs") == [False, not whole_folder]
    with home.open() as application:
        assert application.purge_verifier.verify(WORKSPACE, gone.target).is_clean


@pytest.mark.parametrize("whole_folder", [False, True], ids=["file", "folder"])
def test_a_client_that_moves_a_purged_transcript_does_not_bring_it_back(home: Home, whole_folder: bool):
    path = home.say("s1", "We decided to keep SQLite.", "Good.")
    home.learn()
    purge(home, path.parent if whole_folder else path, recursive=whole_folder)

    move_away(home, "s1")

    assert [outcomes(home.learn()) for _ in range(2)] == [{"excluded": 1}] * 2
    assert is_held(home, "keep SQLite") == [False]


def test_a_purged_transcript_that_grows_elsewhere_stays_out(home: Home):
    path = home.say("s1", "We decided to keep SQLite.", "Good.")
    home.learn()
    purge(home, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.unlink()

    grown = home.path / ".claude" / "projects" / "-copy" / "s1.jsonl"
    home.append(grown, [*lines, lines[0].replace("SQLite", "the ledger").replace('"uuid": "', '"uuid": "0')])

    assert outcomes(home.learn()) == {"excluded": 1}
    assert is_held(home, "keep SQLite", "keep the ledger") == [False, False]


@pytest.mark.parametrize("other", ["export", "conversation", "conversations"])
def test_what_is_restored_tells_what_else_keeps_its_conversations_out(home: Home, tmp_path: Path, other: str):
    old, new = (
        write_zip(
            tmp_path / name, [claude("a", "We decided to sell the house.", "Yes.", updated=f"{day}T10:00:00.000Z")]
        )
        for name, day in (("old.zip", "2026-03-01"), ("new.zip", "2026-04-01"))
    )
    home.learn(exports=[old])
    purge(home, old)
    with home.open() as application:
        target = {"export": str(new), "conversation": "conversation:claude/a", "conversations": "conversation:claude"}[
            other
        ]
        home.learn(exports=[new])
        application.purge.apply(WORKSPACE, target, recursive=other == "conversations")

        done = application.exclusions.restore(WORKSPACE, str(old))
        kept_out = home.learn(exports=[old])
        last = application.exclusions.restore(WORKSPACE, target)

    assert (done.changed, done.kept_out_by) == (True, (target,))
    assert outcomes(kept_out) == {"excluded": 1}
    assert (last.changed, last.kept_out_by) == (True, ())
    assert outcomes(home.learn(exports=[old])) == {"added": 1}


@pytest.mark.parametrize("make", [chatgpt, claude])
def test_a_newer_export_brings_only_what_the_purged_one_did_not_hold(home: Home, tmp_path: Path, make):
    old = write_zip(tmp_path / "old.zip", [make("a", "We decided to sell the house.", "Yes.")])
    home.learn(exports=[old])
    purge(home, old)

    later = {"updated": "2026-04-01T10:00:00.000000Z" if make is claude else 1775037600.0}
    new = write_zip(
        tmp_path / "new.zip",
        [
            make("a", "We decided to sell the house.", "Yes.", "And the garden?", "That too.", **later),
            make("b", "We decided to buy a boat.", "Aye."),
        ],
    )

    assert outcomes(home.learn(exports=[new])) == {"excluded": 1, "added": 1}
    assert is_held(home, "sell the house", "the garden", "buy a boat") == [False, False, True]


def test_a_purge_that_is_repeated_still_knows_the_conversations(home: Home):
    """As after a crash: nothing of them is stored any more."""
    path = home.say("s1", "We decided to keep SQLite.", "Good.")
    home.learn()
    purge(home, path)

    purge(home, path)
    move_away(home, "s1")

    assert outcomes(home.learn()) == {"excluded": 1}


def test_other_ways_in_are_closed_to_the_conversations_of_a_purged_file(home: Home):
    path = home.say("s1", "We decided to keep SQLite.", "Good.")
    home.learn()
    with home.open() as application:
        bundle = home.path / "all.imprint"
        application.transfers.export.run(WORKSPACE, bundle, Silent())
    purge(home, path)

    with home.open() as application:
        application.transfers.importing.run(WORKSPACE, bundle, Silent())

    assert is_held(home, "keep SQLite") == [False]


def test_a_file_that_is_let_in_again_brings_its_conversations(home: Home):
    path = home.say("s1", "We decided to keep SQLite.", "Good.")
    home.learn()
    purge(home, path)

    with home.open() as application:
        asked = application.exclusions.restore(WORKSPACE, KEY)
        assert (asked.changed, asked.kept_out_by) == (False, (str(path),))
        done = application.exclusions.restore(WORKSPACE, str(path))
        assert (done.changed, done.kept_out_by) == (True, ())

    assert outcomes(home.learn()) == {"added": 1}
    assert home.passages(KEY)


@pytest.mark.parametrize("is_real", [True, False], ids=["place", "link"])
@pytest.mark.parametrize("kind", ["folder", "file"])
@pytest.mark.parametrize("linked", [".claude", ".claude/projects/-slug"])
def test_what_a_client_reaches_by_a_link_is_purged_by_either_name(home: Home, linked: str, kind: str, is_real: bool):
    """As where somebody keeps the folders of programs in a repository of their own."""
    path = home.say("s1", "We decided to keep SQLite.", "Good.")
    notes = home.append(path.parent / "memory" / "MEMORY.md", ["The ledger is blue."])
    rules = home.append(home.path / ".claude" / "CLAUDE.md", ["Always be brief."])
    moved = home.path / "dots" / Path(linked).name
    moved.parent.mkdir()
    link = home.path / linked
    link.symlink_to(shutil.move(link, moved))
    home.learn()
    assert is_held(home, "keep SQLite", "ledger is blue", "be brief") == [True] * 3

    chosen = path if kind == "file" else path.parent
    purge(home, chosen.resolve() if is_real else chosen, recursive=kind == "folder")
    for file in (path, notes, rules):
        file.touch()
    home.learn()

    assert is_held(home, "keep SQLite", "ledger is blue", "be brief") == [False, kind == "file", True]


@pytest.mark.parametrize("make", [chatgpt, claude])
def test_an_export_is_purged_by_each_file_that_its_conversations_came_in(home: Home, tmp_path: Path, make):
    first, second, third = (tmp_path / f"{number}.zip" for number in range(3))
    said = make("a", "We decided to sell the house.", "Yes.")
    for path, more in ((first, []), (second, [make("b", "We decided to buy a boat.", "Aye.")]), (third, [])):
        home.learn(exports=[write_zip(path, [said, *more])])

    gone = purge(home, first)

    assert "conversation:chatgpt/a" in gone.sources or "conversation:claude/a" in gone.sources
    assert is_held(home, "sell the house", "buy a boat") == [False, True]


def test_a_transcript_is_purged_by_the_path_it_had_before(home: Home):
    path = home.say("s1", "We decided to keep SQLite.", "Good.")
    home.learn()
    moved = move_away(home, "s1")
    assert outcomes(home.learn()) == {"unchanged": 1}

    purge(home, path)

    assert is_held(home, "keep SQLite") == [False]
    assert outcomes(home.learn()) == {"excluded": 1}
    assert moved.exists()


@pytest.mark.parametrize("indent", [None, 1], ids=["lines", "document"])
def test_verification_looks_for_what_was_said_in_a_transcript(home: Home, indent: int | None):
    """Its lines are JSON, and none of them is ever stored as it is."""
    path = home.say("s1", 'We "decided" to keep SQLite.', "Good.")
    purge(home, path)
    if indent:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        path.write_text(json.dumps(lines, indent=indent), encoding="utf-8")
    stray = home.path / "data" / "stray"
    stray.write_text('We "decided" to keep SQLite.')

    with home.open() as application:
        found = application.purge_verifier.verify(WORKSPACE, str(path))

    (check,) = (one for one in found.checks if one.name == "text")
    assert (check.passed, str(stray) in check.detail) == (False, True)


@pytest.mark.parametrize("whole_folder", [False, True], ids=["file", "folder"])
def test_another_workspace_that_holds_it_is_told_with_the_purge_that_takes_it(home: Home, whole_folder: bool):
    path = home.say("s1", "We decided to keep SQLite.", "Good.")
    home.learn()
    with home.open() as application:
        application.workspaces.create("acme")
        target = str(path.parent if whole_folder else path)

        (held,) = find_elsewhere(application.purge, WorkspaceName("acme"), target)

        assert (held.workspace, held.sources, held.is_recursive) == (WORKSPACE, 2, whole_folder)
        application.purge.apply(held.workspace, held.target, recursive=held.is_recursive)
    assert home.sources() == []
