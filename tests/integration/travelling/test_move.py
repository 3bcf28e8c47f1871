"""Moves between workspaces: all that hangs on a source goes along, and nothing is lost on the way."""

import shutil
from pathlib import Path, PurePosixPath

import pytest
from desks import ACME, DEFAULT, EARLY, LATE, SAMPLE, Desk, fact, open_desk, version
from kills import at_failpoints, reached_by, run_killed

from imprint.adapters.device_locks import FileDeviceLock
from imprint.domain.purge import Exclusion
from imprint.domain.roots import Root
from imprint.domain.sources import WorkspaceName
from imprint.errors import (
    DeviceLockHeldError,
    ExcludedSourceError,
    LockHeldError,
    NothingToMoveError,
    SameWorkspaceError,
    SourceConflictError,
    UnknownWorkspaceError,
)


def exclude(desk: Desk, target: str, workspace: WorkspaceName) -> None:
    desk.registry.add_exclusion(Exclusion(workspace=workspace, target=target, recursive=False, added_at=""))


def test_everything_goes_along(filled: Desk):
    before = filled.dump()

    report = filled.move(DEFAULT, ACME, project="acme")

    here, there = filled.dump(), filled.dump(ACME)
    moved = {"/w/a.md", "/w/large.md"}
    assert set(report.moved) == set(there["sources"]) == moved
    assert {**here["sources"], **there["sources"]} == before["sources"]
    assert there["facts"] == [fact("red", source="/w/a.md")]
    assert sorted(here["facts"] + there["facts"], key=repr) == before["facts"]
    assert (report.chunks, report.vectors, report.facts) == (452, 452, 1)


def test_nothing_is_embedded_anew(filled: Desk):
    texts = filled.embedder.texts

    filled.move(DEFAULT, ACME, project="acme")

    assert filled.embedder.texts == texts
    with filled.stores.open(ACME) as store:
        assert store.counts().pending == 0


@pytest.mark.parametrize(
    ("choice", "moved"),
    [
        ({"project": "acme"}, {"/w/a.md", "/w/large.md"}),
        ({"source": "/w/a.md"}, {"/w/a.md"}),
        ({"source": "/w/*"}, {"/w/a.md", "/w/large.md", "/w/empty.md"}),
        ({"source": "text:notes"}, {"text:notes"}),
        ({"kind": "memory"}, {"memory:1"}),
        ({"kind": "note"}, {"memory:1"}),
        ({"kind": "document"}, {"/w/a.md", "/w/large.md", "/w/empty.md", "text:notes"}),
    ],
)
def test_what_is_chosen_is_what_goes(filled: Desk, choice: dict[str, str], moved: set[str]):
    told = filled.move(DEFAULT, ACME, dry_run=True, **choice)
    assert set(filled.dump()["sources"]) == {one.source.key for one in SAMPLE}
    assert filled.dump(ACME)["sources"] == {}

    done = filled.move(DEFAULT, ACME, **choice)

    assert set(done.moved) == set(filled.dump(ACME)["sources"]) == moved
    assert (set(told.moved), told.chunks, told.facts) == (moved, done.chunks, done.facts)


def test_a_key_with_a_wildcard_in_it_is_taken_as_it_is(desk: Desk):
    desk.write(version("/w/[a].md", ["brackets"]), version("/w/a.md", ["plain"]))

    assert desk.move(DEFAULT, ACME, source="/w/[a].md").moved == ("/w/[a].md",)


def test_moving_again_is_a_success_that_moves_nothing(filled: Desk):
    filled.move(DEFAULT, ACME, project="acme")
    before = filled.dump(), filled.dump(ACME)

    report = filled.move(DEFAULT, ACME, project="acme")

    assert report.moved == ()
    assert (filled.dump(), filled.dump(ACME)) == before


def test_moving_there_and_back_changes_nothing(filled: Desk):
    before = filled.dump()

    filled.move(DEFAULT, ACME, source="*")
    filled.move(ACME, DEFAULT, source="*")

    assert filled.dump() == before
    assert filled.dump(ACME)["sources"] == {}


def test_what_is_in_neither_is_an_error(filled: Desk):
    for choice in ({"project": "nope"}, {"source": "/nope"}, {"kind": "web"}):
        with pytest.raises(NothingToMoveError):
            filled.move(DEFAULT, ACME, **choice)


def test_names_are_checked_first(filled: Desk):
    with pytest.raises(UnknownWorkspaceError):
        filled.move(DEFAULT, WorkspaceName("amce"), project="acme")
    with pytest.raises(UnknownWorkspaceError):
        filled.move(WorkspaceName("amce"), DEFAULT, project="acme")
    with pytest.raises(SameWorkspaceError):
        filled.move(DEFAULT, DEFAULT, project="acme")


def test_what_the_target_keeps_out_stays_where_it_is(filled: Desk):
    exclude(filled, "/w/a.md", ACME)

    report = filled.move(DEFAULT, ACME, project="acme")

    assert (report.moved, report.excluded) == (("/w/large.md",), ("/w/a.md",))
    assert "/w/a.md" in filled.dump()["sources"]
    with pytest.raises(ExcludedSourceError):
        filled.move(DEFAULT, ACME, source="/w/a.md")


def test_a_purge_that_comes_in_between_keeps_it_out(filled: Desk):
    def purge(name: str, times: int) -> None:
        if name == "lock.named" and times == 2:  # both locks are held, nothing was copied
            exclude(filled, "/w/a.md", ACME)

    with at_failpoints(purge):
        report = filled.move(DEFAULT, ACME, source="/w/*")

    assert report.excluded == ("/w/a.md",)
    assert "/w/a.md" in filled.dump()["sources"]
    assert "/w/a.md" not in filled.dump(ACME)["sources"]


@pytest.mark.parametrize("key", ["text:notes", "memory:1"])
@pytest.mark.parametrize(("here", "there"), [(EARLY, LATE), (LATE, EARLY)])
def test_what_was_written_by_hand_is_never_overwritten(desk: Desk, key: str, here: str, there: str):
    desk.write(version(key, ["mine"], at=here), version("text:other", ["free"]))
    desk.write(version(key, ["yours"], at=there), workspace=ACME)

    with pytest.raises(SourceConflictError):
        desk.move(DEFAULT, ACME, source=key)
    report = desk.move(DEFAULT, ACME, source="*")

    assert (report.moved, report.conflicting) == (("text:other",), (key,))
    assert desk.dump()["sources"][key].chunks[0].text == "mine"
    assert desk.dump(ACME)["sources"][key].chunks[0].text == "yours"


def test_of_a_file_that_both_have_indexed_the_newer_version_remains(desk: Desk):
    desk.write(version("/w/a", ["old"], at=EARLY), version("/w/b", ["new"], at=LATE))
    desk.write(version("/w/a", ["new"], at=LATE), version("/w/b", ["old"], at=EARLY), workspace=ACME)

    report = desk.move(DEFAULT, ACME, source="/w/*")

    assert set(report.moved) == {"/w/a", "/w/b"}
    assert {one.chunks[0].text for one in desk.dump(ACME)["sources"].values()} == {"new"}
    assert desk.dump()["sources"] == {}


def test_roots_that_would_bring_it_back_are_named(filled: Desk):
    root = PurePosixPath("/w")
    filled.registry.add_root(Root(workspace=DEFAULT, path=root, how="add", added_at=""))

    assert filled.move(DEFAULT, ACME, dry_run=True, source="/w/*").roots == (root,)
    assert filled.move(DEFAULT, ACME, source="/w/*").roots == (root,)
    assert filled.move(DEFAULT, ACME, kind="memory").roots == ()


def test_a_move_waits_for_other_long_work_and_for_other_moves(filled: Desk):
    before = filled.dump()

    for workspace in (DEFAULT, ACME):
        with filled.locks.hold(workspace, "ingest"), pytest.raises(LockHeldError):
            filled.move(DEFAULT, ACME, project="acme")
    with FileDeviceLock(filled.folder).hold(wait_seconds=0), pytest.raises(DeviceLockHeldError):
        filled.move(DEFAULT, ACME, project="acme")

    assert filled.dump() == before


def test_what_changes_between_its_copy_and_its_removal_is_not_lost(filled: Desk):
    """Somebody writes it anew each time: the last version is still somewhere."""
    written = []

    def change(name: str, times: int) -> None:
        if name == "move.copied" and times <= 2:
            with open_desk(filled.folder.path) as other:
                at = f"2026-03-01T00:00:00.00{times}Z"
                other.write(version("/w/a.md", [f"change {times}"], at=at, project="acme"))
                written.append(f"change {times}")

    with at_failpoints(change):
        report = filled.move(DEFAULT, ACME, source="/w/a.md")

    assert written == ["change 1", "change 2"]
    assert report.moved == ("/w/a.md",)
    assert filled.dump(ACME)["sources"]["/w/a.md"].chunks[0].text == "change 2"
    assert "/w/a.md" not in filled.dump()["sources"]


def test_what_changes_again_and_again_stays_and_is_told(filled: Desk):
    def change(name: str, times: int) -> None:
        if name == "move.copied":
            with open_desk(filled.folder.path) as other:
                other.write(version("/w/a.md", [f"change {times}"], at=f"2026-03-01T00:00:00.00{times}Z"))

    with at_failpoints(change):
        report = filled.move(DEFAULT, ACME, source="/w/a.md")

    assert (report.moved, report.late) == ((), ("/w/a.md",))
    assert filled.dump()["sources"]["/w/a.md"].chunks[0].text == "change 3"


def test_a_fact_added_between_copy_and_removal_goes_along(filled: Desk):
    def add(name: str, times: int) -> None:
        if (name, times) == ("move.copied", 1):
            with open_desk(filled.folder.path) as other:
                other.add_facts(fact("crisp", source="/w/a.md"))

    with at_failpoints(add):
        filled.move(DEFAULT, ACME, source="/w/a.md")

    assert {one.fact.object for one in filled.dump(ACME)["facts"]} == {"red", "crisp"}
    assert not any(one.fact.source for one in filled.dump()["facts"])


def fill(path: Path) -> None:
    with open_desk(path) as desk:
        desk.registry.create_workspace(ACME)
        desk.write(
            *SAMPLE, *(version(f"/w/{number}.md", [f"file {number}"] * 90, project="acme") for number in range(4))
        )
        desk.add_facts(fact("red", source="/w/a.md"), fact("green"))
        desk.embed()


def move(path: Path) -> None:
    with open_desk(path) as desk:
        desk.move(DEFAULT, ACME, project="acme")


@pytest.mark.long
def test_a_kill_at_any_point_loses_nothing_and_a_second_move_finishes(tmp_path: Path):
    fill(tmp_path / "whole")
    shutil.copytree(tmp_path / "whole", tmp_path / "tried")
    with open_desk(tmp_path / "whole") as desk:
        before = desk.dump()
    points = reached_by(lambda: move(tmp_path / "tried"))
    assert {"move.copied", "move.removed", "staging.flipped", "database.commit", "sweep.advanced"} <= {
        name for name, _ in points
    }

    for name, nth in points:
        place = tmp_path / f"{name}-{nth}"
        shutil.copytree(tmp_path / "whole", place)
        assert run_killed(lambda place=place: move(place), name, nth), (name, nth)
        with open_desk(place) as desk:
            here, there = desk.dump(), desk.dump(ACME)
            assert {**here["sources"], **there["sources"]} == before["sources"], (name, nth)
            assert {*here["facts"], *there["facts"]} == set(before["facts"]), (name, nth)

            desk.move(DEFAULT, ACME, project="acme")

            here, there = desk.dump(), desk.dump(ACME)
            assert {*here["sources"]} & {*there["sources"]} == set()
            assert {**here["sources"], **there["sources"]} == before["sources"]
            assert sorted(here["facts"] + there["facts"], key=repr) == before["facts"]
            assert {one.source.project for one in there["sources"].values()} == {"acme"}
            with desk.stores.open(ACME) as store:
                assert store.counts().pending == 0
