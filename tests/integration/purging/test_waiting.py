"""What others hold while a purge runs: the purge says what it could not finish, and whoever comes next does it."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from imprint.domain.purge_reports import PendingWork
from imprint.domain.sources import WorkspaceName
from imprint.errors import StoreBusyError

DEFAULT = WorkspaceName("default")
ALL = (PendingWork.INDEX, PendingWork.WAL, PendingWork.SCRUB)
DONE = ["purges", "purges-emptied", "purges-indexed", "purges-scrubbed"]

SECRET = "The Wqzxfjord7741 opens the vault of Kjhqbrine8852.\n"
NEEDLES = (b"qzxfjord7741", b"jhqbrine8852")


@pytest.fixture(autouse=True)
def _indexed(device):
    device.write({"a.md": SECRET, "b.md": "Boats.\n"})
    device.ingest()


def pending(device) -> tuple[PendingWork, ...]:
    """What is pending once somebody has opened the store, which does what it can."""
    with device.open() as application:
        return application.overview.of(DEFAULT).unfinished


def recorded(device) -> list[str]:
    """What the file says was done for its one purge; to read that finishes nothing."""
    with closing(sqlite3.connect(device.store_file())) as connection:
        rows = connection.execute("SELECT key, value FROM meta WHERE key LIKE 'purges%' ORDER BY key").fetchall()
    assert {value for _, value in rows} == {"1"}
    return [key for key, _ in rows]


def test_a_reader_with_a_snapshot_keeps_the_journal_and_the_purge_says_so(device, another_connection):
    with another_connection(device.store_file(), "BEGIN", "SELECT count(*) FROM sources"):
        report = device.purge(device.tree / "a.md")
        still = pending(device)
        residue = device.find_residue(*NEEDLES)
    done = pending(device)

    assert report.pending == still == (PendingWork.WAL,)
    assert {name for names in residue.values() for name in names} <= {"store.sqlite3", "store.sqlite3-wal"}
    assert done == ()
    assert device.find_residue(*NEEDLES) == {}


def test_a_reader_without_a_snapshot_keeps_nothing(device, another_connection):
    with another_connection(device.store_file(), "SELECT count(*) FROM sources"):
        assert device.purge(device.tree / "a.md").pending == ()
        assert device.find_residue(*NEEDLES) == {}


def test_long_work_of_another_process_leaves_everything_but_the_deletion_pending(device, another_lock):
    with another_lock(device.store_file()):
        report = device.purge(device.tree / "a.md")
        still = pending(device)
        keys = device.keys()

    assert report.pending == still == ALL
    assert keys == {"b.md"}
    assert pending(device) == ()
    assert device.find_residue(*NEEDLES) == {}


@pytest.mark.parametrize("come", ["ingest", "refresh"])
def test_who_comes_to_do_long_work_does_it(device, another_lock, come):
    with another_lock(device.store_file()):
        device.purge(device.tree / "a.md")
    before = recorded(device)

    getattr(device, come)()

    assert (before, recorded(device)) == (["purges"], DONE)
    assert device.find_residue(*NEEDLES) == {}


def test_an_ingest_during_which_something_is_purged_does_it_at_its_end(device, at_failpoint):
    device.write({"c.md": "Ships.\n"})
    reports = []
    at_failpoint("embedding.computed", lambda: reports.append(device.purge(device.tree / "a.md")))

    device.ingest()

    assert [report.pending for report in reports] == [ALL]
    assert recorded(device) == DONE
    assert device.find_residue(*NEEDLES) == {}


def test_a_writer_that_does_not_let_go_leaves_the_exclusion_and_the_rest_to_be_repeated(device, another_connection):
    with another_connection(device.store_file(), "BEGIN IMMEDIATE"), pytest.raises(StoreBusyError):
        device.purge(device.tree / "a.md")
    excluded = device.refresh().sources["excluded"]

    report = device.purge(device.tree / "a.md")

    assert excluded == 1
    assert (report.sources, report.pending) == ((str(device.tree / "a.md"),), ())
    assert device.find_residue(*NEEDLES) == {}


def test_doctor_and_status_tell_what_is_pending(device, another_connection):
    with another_connection(device.store_file(), "BEGIN", "SELECT count(*) FROM sources"):
        device.purge(device.tree / "a.md")
        with device.open() as application:
            findings = {finding.part: finding for finding in application.diagnosis.run()}
            overview = application.overview.of(DEFAULT)

    assert "journal is not emptied" in findings['workspace "default"'].message
    assert overview.unfinished == (PendingWork.WAL,)


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
def test_a_disk_too_full_to_write_the_file_anew_leaves_that_pending(device, at_failpoint):
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    at_failpoint("database.rewrite", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, limits[1])))

    try:
        report = device.purge(device.tree / "a.md")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert report.pending == (PendingWork.WAL, PendingWork.SCRUB)
    assert device.keys() == {"b.md"}
    assert recorded(device) == DONE
    assert device.find_residue(*NEEDLES) == {}


def test_files_nobody_knows_are_taken_from_the_index_folder(device):
    """A copy that somebody, or a killed process, left there holds the vectors as well."""
    index = device.store_file().with_name("index")
    (index / "strange").mkdir(parents=True)
    shutil.copy(device.store_file(), index / "strange" / "copy")

    device.purge(device.tree / "a.md")

    assert [path.name for path in index.rglob("*") if path.is_file()] == []
    assert device.find_residue(*NEEDLES) == {}
