"""Exports, imports and wipes that are killed at any moment that the program names."""

import shutil
from pathlib import Path

import pytest
from desks import ACME, DEFAULT, SAMPLE, SAMPLE_FACTS, open_desk, version
from kills import reached_by, run_killed

from imprint.adapters.device_locks import FileDeviceLock
from imprint.bootstrap import open_application
from imprint.domain.purge_reports import PendingWork
from imprint.errors import LockHeldError


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A data folder to be copied for each kill."""
    place = tmp_path / "whole"
    with open_desk(place) as desk:
        desk.registry.create_workspace(ACME)
        desk.write(*SAMPLE)
        desk.add_facts(*SAMPLE_FACTS)
        desk.embed()
        desk.export(tmp_path / "whole.imprint")
        desk.write(version("/w/a.md", ["another version of apples"]), version("/v/b.md", ["bananas"]), workspace=ACME)
    return place


def test_an_import_that_is_killed_is_finished_by_another(whole: Path, tmp_path: Path):
    def import_(path: Path) -> None:
        with open_desk(path) as desk:
            desk.import_(tmp_path / "whole.imprint", ACME)

    shutil.copytree(whole, tmp_path / "tried")
    points = reached_by(lambda: import_(tmp_path / "tried"))
    with open_desk(tmp_path / "tried") as desk:
        expected = desk.dump(ACME)
    assert {"import.merged", "import.facts-merged", "staging.flipped"} <= dict(points).keys()

    for name, nth in points:
        place = tmp_path / f"{name}-{nth}"
        shutil.copytree(whole, place)
        assert run_killed(lambda place=place: import_(place), name, nth), (name, nth)
        with open_desk(place) as desk:
            for key, found in desk.dump(ACME)["sources"].items():
                texts = {chunk.text for chunk in found.chunks}
                assert found == expected["sources"][key] or texts == {"another version of apples"}, "whole, old or new"
            desk.import_(tmp_path / "whole.imprint", ACME)
            assert desk.dump(ACME) == expected


def test_an_export_that_is_killed_leaves_nothing_under_its_name(whole: Path, tmp_path: Path):
    def export(target: Path) -> None:
        with open_desk(whole) as desk:
            desk.export(target)

    for name, nth in reached_by(lambda: export(tmp_path / "tried.imprint")):
        target = tmp_path / f"{name}-{nth}.imprint"
        assert run_killed(lambda target=target: export(target), name, nth), (name, nth)
        if target.exists():
            assert target.read_bytes()[-22:].startswith(b"PK"), "it was complete, and only the tidying was cut short"
        else:
            export(target)


def test_a_wipe_that_is_killed_took_all_or_nothing_and_is_finished_by_whoever_comes(whole: Path, tmp_path: Path):
    def wipe(path: Path) -> None:
        with open_desk(path) as desk:
            desk.wipe()

    with open_desk(whole) as desk:
        before = desk.dump()
    shutil.copytree(whole, tmp_path / "tried")
    points = reached_by(lambda: wipe(tmp_path / "tried"))
    assert {"store.wiped", "wipe.emptied", "database.rewritten"} <= dict(points).keys()

    for name, nth in points:
        place = tmp_path / f"{name}-{nth}"
        shutil.copytree(whole, place)
        assert run_killed(lambda place=place: wipe(place), name, nth), (name, nth)
        with open_desk(place) as desk:
            if desk.dump()["sources"]:
                assert desk.dump() == before
                desk.wipe()
            assert desk.dump() == {"sources": {}, "facts": [], "vectors": {}}
            with desk.stores.open(DEFAULT) as store:  # opening it finishes what was left to be done
                assert store.unfinished_purges() == ()
            assert len(desk.dump(ACME)["sources"]) == 2
        store_folder = place / "workspaces" / "default"
        for file in store_folder.rglob("*"):
            assert file.is_dir() or b"apples" not in file.read_bytes(), (name, nth, file)


def test_a_wipe_waits_for_other_long_work_and_says_what_is_pending(whole: Path):
    with open_desk(whole) as desk:
        before = desk.dump()
        with desk.locks.hold(DEFAULT, "ingest"), pytest.raises(LockHeldError):
            desk.wipe()
        assert desk.dump() == before

        with open_desk(whole) as reader, reader.stores.open(DEFAULT) as store, store.snapshot():
            report = desk.wipe()
            assert PendingWork.WAL in report.unfinished
        assert report.held.chunks == 455
        with desk.stores.open(DEFAULT) as store:
            assert store.unfinished_purges() == ()


def test_an_empty_workspace_is_wiped_without_a_store_being_made(whole: Path):
    with open_desk(whole) as desk:
        desk.registry.create_workspace("fresh")

        assert desk.wipe("fresh").held.chunks == 0
        assert not desk.stores.exists("fresh")


def test_what_a_killed_backup_left_goes_with_a_wipe(whole: Path, tmp_path: Path):
    def back_up() -> None:
        with open_desk(whole) as desk:
            desk.backup(tmp_path / "x.backup")

    assert run_killed(back_up, "backup.store-copied", 2)
    with open_desk(whole) as desk:
        assert any(b"apples are red" in file.read_bytes() for file in desk.folder.copies.iterdir())
        with FileDeviceLock(desk.folder).hold(wait_seconds=0):
            desk.wipe()
            assert desk.folder.copies.exists(), "they may be somebody's who is at work"
        desk.wipe()

        assert not desk.folder.copies.exists()


def test_what_a_killed_backup_left_goes_with_a_purge(whole: Path, tmp_path: Path):
    def back_up() -> None:
        with open_desk(whole) as desk:
            desk.backup(tmp_path / "x.backup")

    assert run_killed(back_up, "backup.store-copied", 2)
    with open_application(environ={}, data_dir=whole, config=tmp_path / "config.toml") as application:
        report = application.purge.apply(DEFAULT, "/w/a.md")

        assert report.sources == ("/w/a.md", "memory:1")
        assert not application.data_folder.copies.exists()
    assert not any(b"apples are red" in file.read_bytes() for file in whole.rglob("*") if file.is_file())
