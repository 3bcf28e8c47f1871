"""Backups of a device in use, put back into a device in use."""

import json
import shutil
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Collection, Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path, PurePosixPath

import pytest
from desks import ACME, DEFAULT, LATE, SAMPLE, CountingEmbedder, Desk, dump, fact, open_desk, restore_unopened, version
from kills import at_failpoints, reached_by, run_killed

from imprint.adapters.device_locks import FileDeviceLock
from imprint.adapters.store_schema import STORE_SCHEMA
from imprint.domain.purge import Exclusion
from imprint.domain.roots import Root
from imprint.domain.sources import WorkspaceName
from imprint.errors import (
    ArchiveDamagedError,
    ArchiveTooNewError,
    DeviceLockHeldError,
    ImprintError,
    LockHeldError,
    MissingPathError,
    StoreDamagedError,
    TargetExistsError,
)
from imprint.protocols.text_indexes import ChunkFilter, TextQuery

OTHER = WorkspaceName("other")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return tmp_path / "device.backup"


@pytest.fixture
def full(filled: Desk) -> Desk:
    filled.write(version("/v/b.md", ["bananas are yellow"]), workspace=ACME)
    filled.embed(ACME)
    filled.registry.add_root(root("/v", ACME))
    return filled


def root(path: str, workspace: WorkspaceName) -> Root:
    return Root(workspace=workspace, path=PurePosixPath(path), how="add", added_at=LATE)


def exclude(
    desk: Desk,
    target: str,
    workspace: WorkspaceName = DEFAULT,
    *,
    recursive: bool = False,
    conversations: Iterable[str] = (),
    turns: Collection[int] = (),
) -> None:
    desk.registry.add_exclusion(
        Exclusion(
            workspace=workspace,
            target=target,
            recursive=recursive,
            added_at=LATE,
            conversations=frozenset(conversations),
        ),
        turns=turns,
    )


def search(desk: Desk, word: str, workspace: WorkspaceName = DEFAULT) -> list[str]:
    with desk.stores.open(workspace) as store:
        hits = store.match(TextQuery(terms=(word,)), 10, ChunkFilter())
        return [chunk.chunk.text for chunk in store.chunks([hit.id for hit in hits])]


def state(desk: Desk) -> object:
    return (
        {one.name: desk.dump(one.name) for one in desk.registry.workspaces()},
        desk.registry.roots(),
        {one.name: desk.registry.exclusions(one.name) for one in desk.registry.workspaces()},
    )


def test_everything_comes_back(full: Desk, backup: Path):
    before = state(full)
    manifest = full.backup(backup)
    full.write(version("/w/new.md", ["came later"]), version("/w/a.md", ["changed"], at=LATE))
    full.add_facts(fact("later"))
    full.registry.remove_root(ACME, PurePosixPath("/v"))
    full.registry.add_root(root("/u", DEFAULT))

    report = full.restore(backup)

    assert state(full) == before
    assert (report.restored, report.untouched, report.set_aside) == ((ACME, DEFAULT), (), ())
    assert report.embedding_failure == ""
    assert list(manifest.stores) == [ACME, DEFAULT]
    assert search(full, "apples") == ["apples are red"]
    assert search(full, "later") == []


def test_everything_comes_to_another_device(full: Desk, there: Desk, backup: Path):
    full.backup(backup)

    report = there.restore(backup)

    assert state(there) == state(full)
    assert report.restored == (ACME, DEFAULT)
    assert there.embedder.texts == 0


def test_restoring_again_is_a_success_that_changes_nothing(full: Desk, backup: Path):
    full.backup(backup)
    full.restore(backup)
    before = state(full)

    full.restore(backup)

    assert state(full) == before


def test_a_deleted_workspace_comes_back(full: Desk, backup: Path):
    before = state(full)
    full.backup(backup)
    full.registry.mark_deleted(ACME)

    full.restore(backup)

    assert state(full) == before


def test_a_workspace_that_the_backup_does_not_know_stays(full: Desk, backup: Path):
    full.backup(backup)
    full.registry.create_workspace(OTHER)
    full.write(version("text:x", ["only here"]), workspace=OTHER)
    full.registry.remove_root(ACME, PurePosixPath("/v"))
    full.registry.add_root(root("/v/deep", OTHER))

    report = full.restore(backup)

    assert set(full.dump(OTHER)["sources"]) == {"text:x"}
    assert report.untouched == (OTHER,)
    assert report.shared == (root("/v", ACME),)


def test_a_workspace_that_was_empty_is_empty_again(desk: Desk, backup: Path):
    desk.write(version("/w/a.md", ["apples"]))
    desk.backup(backup)
    desk.write(version("/v/b.md", ["bananas"]), workspace=ACME)

    desk.restore(backup)

    assert desk.dump(ACME)["sources"] == {}


def test_what_was_purged_since_does_not_come_back(full: Desk, backup: Path):
    full.backup(backup)
    exclude(full, "/w/a.md")
    with full.stores.open(DEFAULT) as store:
        store.purge(full.registry.exclusions(DEFAULT)[0])

    full.restore(backup)

    assert set(full.dump()["sources"]) == {"/w/large.md", "/w/empty.md", "text:notes"}
    assert search(full, "apples") == search(full, "mondays") == []  # also what was drawn from it
    assert fact("red", source="/w/a.md") not in full.dump()["facts"]
    for file in full.folder.path.rglob("*"):
        assert file.is_dir() or b"apples are red" not in file.read_bytes(), file


def test_exclusions_of_the_backup_and_of_today_are_united(full: Desk, there: Desk, backup: Path):
    exclude(full, "/secret", recursive=True)
    exclude(full, "/gone", OTHER)
    exclude(full, "/log.jsonl", conversations={"conversation:x/1"}, turns=[1, 2])
    full.backup(backup)
    exclude(there, "/secret")
    exclude(there, "/log.jsonl", conversations={"conversation:x/2"}, turns=[2, 3])
    exclude(there, "/w/a.md")

    there.restore(backup)

    found = {one.target: one.recursive for one in there.registry.exclusions(DEFAULT)}
    assert found == {"/log.jsonl": False, "/secret": True, "/w/a.md": False}
    assert there.registry.exclusions(DEFAULT)[0].conversations == {"conversation:x/1", "conversation:x/2"}
    assert there.registry.excluded_turns(DEFAULT, range(5)) == {1, 2, 3}
    assert [one.target for one in there.registry.exclusions(OTHER)] == ["/gone"]
    assert "/w/a.md" not in there.dump()["sources"]


def test_a_purge_that_comes_while_a_restore_runs_is_heeded(full: Desk, backup: Path):
    full.backup(backup)

    def purge(name: str, times: int) -> None:
        if name == "restore.replaced" and times == 2:
            with open_desk(full.folder.path) as other:
                exclude(other, "/w/a.md")

    with at_failpoints(purge):
        full.restore(backup)

    assert "/w/a.md" not in full.dump()["sources"]


def test_no_number_is_used_again_and_what_was_derived_is_dropped(full: Desk, backup: Path):
    full.backup(backup)
    full.write(version("/w/new.md", ["came later"]))
    with full.stores.open(DEFAULT) as store:
        (late,) = store.source_chunks("/w/new.md")
        epoch = store.feed(full.embedder.identity).epoch

    full.restore(backup)

    full.write(version("/w/newer.md", ["came last"]))
    with full.stores.open(DEFAULT) as store:
        (last,) = store.source_chunks("/w/newer.md")
        assert store.chunks([late.id]) == []
        assert last.id > late.id
        assert store.feed(full.embedder.identity).epoch != epoch
        assert store.unfinished_purges() == ()


def test_vectors_of_another_model_are_made_anew(full: Desk, make_desk, backup: Path):
    full.backup(backup)
    there = make_desk("there", embedder=CountingEmbedder(name="other"))

    there.restore(backup)

    assert set(there.dump()["vectors"]) == {there.embedder.identity}
    assert there.dump()["sources"] == full.dump()["sources"]


def test_nothing_is_overwritten_and_no_copy_is_left(full: Desk, backup: Path):
    backup.write_text("precious")

    with pytest.raises(TargetExistsError):
        full.backup(backup)

    assert backup.read_text() == "precious"
    full.backup(backup.with_suffix(".other"))
    full.restore(backup.with_suffix(".other"))
    assert not full.folder.copies.exists()
    assert sorted(path.name for path in backup.parent.iterdir()) == ["device.backup", "device.other", "here"]


def test_moves_backups_and_restores_wait_for_each_other(full: Desk, backup: Path):
    full.backup(backup)

    with FileDeviceLock(full.folder).hold(wait_seconds=0):
        with pytest.raises(DeviceLockHeldError):
            full.backup(backup.with_suffix(".other"))
        with pytest.raises(DeviceLockHeldError):
            full.restore(backup)


def test_a_restore_waits_for_long_work_and_changes_nothing_before(full: Desk, backup: Path):
    full.backup(backup)
    full.write(version("/w/new.md", ["came later"]))
    before = state(full)

    with full.locks.hold(DEFAULT, "ingest"), pytest.raises(LockHeldError):
        full.restore(backup)

    assert state(full) == before


def members_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(path: Path, data_of: dict[str, bytes], **changes: object) -> None:
    manifest = json.loads(data_of["manifest.json"]) | changes
    for one in manifest["members"]:
        if one["name"] in data_of:
            data = data_of[one["name"]]
            one |= {"bytes": len(data), "sha256": sha256(data).hexdigest()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in data_of.items():
            archive.writestr(name, json.dumps(manifest) if name == "manifest.json" else data)


def edit(data: bytes, place: Path, *statements: str) -> bytes:
    """A database with something done to it."""
    place.write_bytes(data)
    with closing(sqlite3.connect(place, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    return place.read_bytes()


def refused(desk: Desk, path: Path, error: type[ImprintError] = ArchiveDamagedError) -> None:
    before = state(desk)
    with pytest.raises(error) as raised:
        desk.restore(path)
    assert raised.value.hint
    assert state(desk) == before
    assert not desk.folder.copies.exists()


def test_one_that_is_cut_off_or_changed_anywhere_is_refused(full: Desk, backup: Path):
    full.backup(backup)
    full.write(version("/w/new.md", ["came later"]))
    data, broken = backup.read_bytes(), backup.with_suffix(".broken")
    for part in range(20):
        broken.write_bytes(data[: len(data) * part // 20])
        refused(full, broken)
    for part in range(20):
        place = len(data) * part // 20 + 100
        broken.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        refused(full, broken)


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TRIGGER t AFTER DELETE ON sources BEGIN DELETE FROM facts; END"],
        ["CREATE TABLE more (x)"],
        ["DROP TABLE facts"],
        ["UPDATE meta SET value = 'acme' WHERE key = 'workspace'"],
        ["DELETE FROM meta WHERE key = 'workspace'"],
        ["PRAGMA application_id = 7"],
        [f"PRAGMA user_version = {STORE_SCHEMA.version + 1}"],
        ["INSERT INTO full_text (full_text) VALUES ('delete-all')"],
        ["PRAGMA page_size = 8192", "VACUUM"],
    ],
)
def test_a_store_that_we_would_not_write_is_refused(full: Desk, backup: Path, tmp_path: Path, statements: list[str]):
    full.backup(backup)
    members = members_of(backup)
    name = "stores/default.sqlite3"
    rewrite(backup, members | {name: edit(members[name], tmp_path / "edited", *statements)})

    refused(full, backup)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE workspaces SET name = '../up' WHERE name = 'acme'",
        "UPDATE roots SET path = '../up'",
        "DELETE FROM workspaces WHERE name = 'default'",
        "CREATE TABLE more (x)",
    ],
)
def test_a_registry_that_we_would_not_write_is_refused(full: Desk, backup: Path, tmp_path: Path, statement: str):
    full.backup(backup)
    members = members_of(backup)
    name = "registry.sqlite3"
    rewrite(backup, members | {name: edit(members[name], tmp_path / "edited", "PRAGMA foreign_keys = OFF", statement)})

    refused(full, backup)


@pytest.mark.parametrize(
    "name", ["stores/../../up.sqlite3", "/tmp/up.sqlite3", "stores/Up.sqlite3", "stores/con.sqlite3"]
)
def test_a_member_that_is_no_store_of_a_workspace_is_refused(full: Desk, backup: Path, name: str):
    full.backup(backup)
    members = members_of(backup)
    manifest = json.loads(members["manifest.json"])
    manifest["members"].insert(0, {"name": name, "bytes": 0, "sha256": ""})
    rewrite(backup, {name: members["stores/acme.sqlite3"], **members}, members=manifest["members"])

    refused(full, backup)


@pytest.mark.parametrize("field", ["format", "registry_schema", "store_schema"])
def test_a_newer_backup_is_refused(full: Desk, backup: Path, field: str):
    full.backup(backup)
    rewrite(backup, members_of(backup), **{field: 999})

    refused(full, backup, ArchiveTooNewError)


def test_a_bundle_is_no_backup_and_a_backup_no_bundle(full: Desk, backup: Path):
    full.export(backup)
    refused(full, backup)
    full.backup(backup.with_suffix(".backup2"))

    with pytest.raises(ArchiveDamagedError) as raised:
        full.import_(backup.with_suffix(".backup2"))

    assert raised.value.reason == "it is a backup, which 'imprint restore' takes"


def test_what_is_not_there_is_told(full: Desk, backup: Path):
    with pytest.raises(MissingPathError):
        full.restore(backup)


def test_a_damaged_store_is_not_backed_up(full: Desk, backup: Path):
    path = full.folder.store_file(DEFAULT)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(path.read_bytes())
    data[8192:20480] = b"\xff" * 12288
    path.write_bytes(data)

    with pytest.raises(StoreDamagedError) as raised:
        full.backup(backup)

    assert raised.value.path == str(path)
    assert not backup.exists()


def test_a_store_that_cannot_be_opened_is_set_aside_and_restored(full: Desk, make_desk, backup: Path, tmp_path: Path):
    before = full.dump()
    full.backup(backup)
    shutil.copytree(full.folder.path, tmp_path / "wrecked")
    wreck(tmp_path / "wrecked" / "workspaces" / "default" / "store.sqlite3")
    desk = make_desk("wrecked")

    report = desk.restore(backup)

    assert desk.dump() == before
    (aside,) = report.set_aside
    assert Path(aside).read_bytes().startswith(b"rubbish")
    assert Path(aside).parent == desk.folder.set_aside


def test_a_registry_that_cannot_be_opened_is_set_aside_and_restored(full: Desk, backup: Path, tmp_path: Path):
    before = state(full)
    full.backup(backup)
    shutil.copytree(full.folder.path, tmp_path / "wrecked")
    wreck(tmp_path / "wrecked" / "registry.sqlite3")

    report = restore_unopened(tmp_path / "wrecked", backup)

    assert len(report.set_aside) == 1
    with open_desk(tmp_path / "wrecked") as desk:
        assert state(desk) == before


def wreck(path: Path) -> None:
    path.write_bytes(b"rubbish" * 3000)
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def test_what_was_there_comes_back_if_the_new_content_is_not_sound(full: Desk, backup: Path):
    """As when a disk fails: after the stroke, before it is found sound."""
    full.backup(backup)
    full.write(version("/w/new.md", ["came later"]))
    before = full.dump()

    def fail(name: str, times: int) -> None:
        if name == "restore.replaced" and times == 2:
            raise OSError("the disk fails")

    with at_failpoints(fail), pytest.raises(OSError, match="the disk fails"):
        full.restore(backup)

    assert full.dump() == before


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from desks import open_desk, version
with open_desk(Path(sys.argv[1])) as desk, desk.stores.open("default") as store:
    print("ready", flush=True)
    for round in range(1, 100_000):
        at = f"2026-02-01T00:00:00.{round:06}Z"
        store.merge_sources([version(f"/w/{name}", [f"round {round} of {name}"] * 3, at=at) for name in "abc"])
        if round == 3:
            print("writing", flush=True)
"""


def start_writer(desk: Desk) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-c", WRITER, str(desk.folder.path), str(Path(__file__).parent)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def rounds_of(desk: Desk) -> set[str]:
    texts = [chunk.text for one in desk.dump()["sources"].values() for chunk in one.chunks]
    assert len(texts) in (0, 9)
    return {text.split()[1] for text in texts}


def test_a_backup_is_of_one_moment_while_another_process_writes(desk: Desk, make_desk, backup: Path):
    with start_writer(desk) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        for number in range(6):
            desk.backup(backup.with_suffix(f".{number}"))
        assert writer.poll() is None, "it wrote all the while"
        writer.kill()
    seen = set()
    for number in range(6):
        there = make_desk(f"there-{number}")
        there.restore(backup.with_suffix(f".{number}"))
        assert len(rounds_of(there)) <= 1, "three sources are written together, so they are backed up together"
        seen |= rounds_of(there)
    assert len(seen) > 1


def test_a_restore_into_a_store_that_others_write_is_one_stroke(desk: Desk, backup: Path):
    """Whoever writes goes on writing afterwards, and whoever reads never sees half of anything."""
    desk.write(*(version(f"/w/{name}", [f"round 0 of {name}"] * 3) for name in "abc"))
    desk.backup(backup)
    stop = threading.Event()
    faults: list[object] = []

    def read() -> None:
        with open_desk(desk.folder.path) as mine, mine.stores.open(DEFAULT) as store:
            while not stop.is_set():
                sources = dump(store)["sources"].values()
                if len({one.chunks[0].text.split()[1] for one in sources}) != 1 or len(sources) != 3:
                    faults.append(sources)

    reader = threading.Thread(target=read)
    with start_writer(desk) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        assert writer.stdout.readline() == b"writing\n"
        reader.start()
        for _ in range(5):
            desk.restore(backup)
        assert writer.poll() is None, "it wrote all the while"
        writer.kill()
    stop.set()
    reader.join()
    assert faults == []
    assert len(rounds_of(desk)) == 1


def prepare(path: Path, backup: Path) -> None:
    with open_desk(path) as desk:
        desk.registry.create_workspace(ACME)
        desk.write(*SAMPLE)
        desk.embed()
        desk.write(version("/v/b.md", ["bananas are yellow"]), workspace=ACME)
        desk.backup(backup)
        desk.write(version("/w/new.md", ["came later"]), version("/w/a.md", ["changed"], at=LATE))
        desk.write(version("/v/new.md", ["came later"]), workspace=ACME)
        exclude(desk, "/w/large.md")


@pytest.mark.long
def test_a_kill_at_any_point_of_a_restore_leaves_whole_stores_and_a_second_one_finishes(tmp_path: Path, backup: Path):
    prepare(tmp_path / "whole", backup)
    shutil.copytree(tmp_path / "whole", tmp_path / "tried")
    with open_desk(tmp_path / "whole") as desk:
        old = {name: desk.dump(name) for name in (ACME, DEFAULT)}

    def restore(path: Path) -> None:
        with open_desk(path) as desk:
            desk.restore(backup)

    points = reached_by(lambda: restore(tmp_path / "tried"))
    with open_desk(tmp_path / "tried") as desk:
        new = {name: desk.dump(name) for name in (ACME, DEFAULT)}
    assert {"restore.adopted", "database.replaced", "restore.replaced", "restore.store-restored"} <= dict(points).keys()

    for name, nth in points:
        place = tmp_path / f"{name}-{nth}"
        shutil.copytree(tmp_path / "whole", place)
        assert run_killed(lambda place=place: restore(place), name, nth), (name, nth)
        with open_desk(place) as desk:
            for workspace in (ACME, DEFAULT):
                found = desk.dump(workspace)
                assert found["sources"] in (old[workspace]["sources"], new[workspace]["sources"]), (name, nth)
            desk.restore(backup)
            assert {name: desk.dump(name) for name in (ACME, DEFAULT)} == new
            assert not desk.folder.copies.exists()


@pytest.mark.long
def test_a_kill_at_any_point_of_a_backup_leaves_nothing_under_its_name(tmp_path: Path):
    prepare(tmp_path / "whole", tmp_path / "first.backup")

    def back_up(target: Path) -> None:
        with open_desk(tmp_path / "whole") as desk:
            desk.backup(target)

    points = reached_by(lambda: back_up(tmp_path / "tried.backup"))
    assert {"backup.store-added", "new-file.written", "new-file.published"} <= dict(points).keys()
    for name, nth in points:
        target = tmp_path / f"{name}-{nth}.backup"
        assert run_killed(lambda target=target: back_up(target), name, nth), (name, nth)
        if target.exists():  # it was complete, and only the tidying was cut short
            with open_desk(tmp_path / "whole") as desk, desk.backups.open(target, desk.progress):
                pass
        else:
            back_up(target)
    with open_desk(tmp_path / "whole") as desk:
        desk.backup(tmp_path / "last.backup")
        assert not desk.folder.copies.exists()
