"""A purge while something else runs: whatever the order, nothing purged is there afterwards, nothing else is lost."""

import pytest

from imprint.domain.purge import Exclusion
from imprint.domain.purge_reports import PendingWork
from imprint.domain.sources import WorkspaceName
from imprint.errors import StaleDigestError

DEFAULT = WorkspaceName("default")

SECRET = "The Wqzxfjord7741 opens the vault of Kjhqbrine8852.\n"
NEEDLES = (b"qzxfjord7741", b"jhqbrine8852")
PLAIN = {
    f"plain{number}.md": f"# Harbour {number}\n\nBoats of kind {number} lie at pier {number}.\n" for number in range(12)
}
LARGE = "".join(f"# Part {number}\n\n{SECRET * 12} It is number {number}.\n\n" for number in range(450))
"""Of more passages than one transaction writes."""

MOMENTS_OF_AN_INGEST = [
    "lock.wanted",
    "lock.named",
    "indexing.prepared",
    "database.begin",
    "database.committed",
    "embedding.computed",
    "vectors.added",
    "index.half-written",
    "index.renamed",
    "index.published",
]


@pytest.mark.parametrize("moment", MOMENTS_OF_AN_INGEST)
def test_a_purge_in_the_middle_of_an_ingest_is_not_undone_by_it(device, at_failpoint, moment):
    secret = device.tree / "vault.md"
    device.write({"vault.md": SECRET})
    device.ingest()
    vectors = device.vectors_of(str(secret))
    device.write(PLAIN)
    at_failpoint(moment, lambda: device.purge(secret))

    device.ingest()

    assert vectors
    assert device.find_residue(*NEEDLES, *vectors) == {}
    assert device.keys() == set(PLAIN)
    assert device.refresh().sources["excluded"] == 1
    with device.open() as application:
        assert application.purge_verifier.verify(DEFAULT, str(secret)).is_clean


@pytest.mark.parametrize("moment", ["indexing.prepared", "embedding.computed"])
def test_what_an_ingest_had_read_before_a_purge_is_not_written_by_it(device, at_failpoint, moment):
    device.write({**PLAIN, "vault.md": SECRET})
    device.ingest("plain0.md")
    at_failpoint(moment, lambda: device.purge(device.tree / "vault.md"))

    device.ingest()

    assert device.keys() == set(PLAIN)
    assert device.find_residue(*NEEDLES) == {}


@pytest.mark.parametrize("moment", ["staging.begun", "staging.advanced", "staging.flipped"])
def test_a_purge_while_a_large_source_is_staged_takes_the_staging(device, at_failpoint, moment):
    device.write({"plain.md": PLAIN["plain0.md"], "large.md": LARGE})
    at_failpoint(moment, lambda: device.purge(device.tree / "large.md"))

    device.ingest()

    assert device.keys() == {"plain.md"}
    device.refresh()
    assert device.find_residue(*NEEDLES) == {}


def test_a_large_source_that_was_excluded_while_it_was_staged_does_not_become_visible(device, at_failpoint):
    """Whoever purges it may be killed before anything is deleted."""
    device.write({"plain.md": PLAIN["plain0.md"], "large.md": LARGE})

    def exclude():
        target = str(device.tree / "large.md")
        with device.open() as application:
            application._registry.add_exclusion(
                Exclusion(workspace=DEFAULT, target=target, recursive=False, added_at="")
            )

    at_failpoint("staging.advanced", exclude)

    report = device.ingest()

    assert (report.sources["added"], report.sources["excluded"]) == (1, 1)
    assert device.keys() == {"plain.md"}


def test_what_an_ingest_brings_between_the_enumeration_and_the_deletion_is_late(device, at_failpoint):
    device.write({"a.md": SECRET})
    device.ingest()
    device.write({"b.md": "Another one.\n"})
    at_failpoint("database.begin", device.ingest)  # of the exclusion: the purge has seen one source

    report = device.purge(device.tree, recursive=True)

    assert report.sources == (str(device.tree / "a.md"), str(device.tree / "b.md"))
    assert report.late == 1
    assert device.keys() == set()


def test_the_first_ingest_of_all_between_the_enumeration_and_the_exclusion_is_late_too(device, at_failpoint):
    """There was no store when the purge looked for its sources."""
    device.write({"a.md": SECRET})
    with device.open() as application:
        application.workspaces.which(device.tree)
    at_failpoint("database.begin", device.ingest)

    report = device.purge(device.tree / "a.md")

    assert (report.sources, report.late) == ((str(device.tree / "a.md"),), 1)
    assert device.keys() == set()
    assert device.find_residue(*NEEDLES) == {}


def test_a_memory_that_is_written_while_its_source_is_purged_does_not_stay(device, at_failpoint):
    device.write({"a.md": SECRET})
    device.ingest()

    def remember():
        with device.open() as application:
            application.memories.remember(DEFAULT, "Remember Pqvzmemo2201", origin=str(device.tree / "a.md"))

    at_failpoint("database.begin", remember)

    report = device.purge(device.tree / "a.md")

    assert (len(report.sources), report.late) == (2, 1)
    assert device.find_residue(b"qvzmemo2201", *NEEDLES) == {}


def test_a_digest_that_is_no_longer_true_changes_nothing(device):
    device.write({"a.md": SECRET, "b.md": "Boats.\n"})
    device.ingest()
    target = str(device.tree)
    with device.open() as application:
        digest = application.purge.preview(DEFAULT, target, recursive=True).digest
        repeated = application.purge.preview(DEFAULT, target, recursive=True).digest
    device.write({"b.md": "Boats and ships.\n"})
    device.ingest()

    with device.open() as application, pytest.raises(StaleDigestError) as caught:
        application.purge.apply(DEFAULT, target, recursive=True, digest=digest)

    assert repeated == digest
    assert caught.value.given == digest
    assert device.keys() == {"a.md", "b.md"}
    with device.open() as application:
        assert application.exclusions.list(DEFAULT) == ()


def test_a_preview_changes_nothing(device):
    device.write({"a.md": SECRET})
    device.ingest()
    files = {path: path.read_bytes() for path in device.data.rglob("*.sqlite3")}

    with device.open() as application:
        application.purge.preview(DEFAULT, str(device.tree), recursive=True)
        application.purge.preview(DEFAULT, "text:nothing")

    assert {path: path.read_bytes() for path in device.data.rglob("*.sqlite3")} == files


@pytest.mark.parametrize("moment", ["lock.wanted", "indexing.prepared", "embedding.computed", "index.renamed"])
def test_who_switches_the_active_workspace_meanwhile_does_not_turn_an_ingest(device, at_failpoint, moment):
    device.write(PLAIN)
    with device.open() as application:
        application.workspaces.create("acme")

    def switch():
        with device.open() as application:
            application.workspaces.switch("acme")

    at_failpoint(moment, switch)

    report = device.ingest()

    assert report.workspace == DEFAULT
    assert device.keys() == set(PLAIN)
    assert not device.store_file("acme").exists()


@pytest.mark.parametrize(
    "moment", ["database.begin", "purge.excluded", "purge.deleted", "lock.wanted", "database.rewrite"]
)
def test_who_switches_the_active_workspace_meanwhile_does_not_turn_a_purge(device, at_failpoint, moment):
    device.write({"a.md": SECRET, "b.md": "Boats.\n"})
    device.ingest()
    with device.open() as application:
        application.workspaces.create("acme")
        application.roots.add(device.tree, explicit="acme", allow_overlap=True)
    device.ingest(workspace="acme")

    def switch():
        with device.open() as application:
            application.workspaces.switch("acme")

    with device.open() as application:
        workspace = application.workspaces.selected("").workspace
        at_failpoint(moment, switch)
        report = application.purge.apply(workspace, str(device.tree / "a.md"))

    assert report.workspace == DEFAULT
    assert device.keys() == {"b.md"}
    assert device.keys("acme") == {"a.md", "b.md"}
    with device.open() as application:
        assert [one.target for one in application.exclusions.list(DEFAULT)] == [str(device.tree / "a.md")]
        assert application.exclusions.list(WorkspaceName("acme")) == ()


def test_a_purge_of_another_source_meanwhile_leaves_the_first_ones_work_unfinished(device, at_failpoint):
    """Work that had begun before the second deletion does not count for it."""
    device.write({"a.md": SECRET, "b.md": "Zvqother6674\n", "c.md": "Boats.\n"})
    device.ingest()

    def purge():
        assert device.purge(device.tree / "b.md").pending == (PendingWork.INDEX, PendingWork.WAL, PendingWork.SCRUB)

    at_failpoint("database.rewritten", purge)

    first = device.purge(device.tree / "a.md")

    assert PendingWork.SCRUB in first.pending
    assert device.keys() == {"c.md"}
    assert device.find_residue(*NEEDLES, b"vqother6674") == {}


def test_a_purge_whose_work_failed_is_repeated(device, at_failpoint):
    device.write({"a.md": SECRET, "b.md": "Boats.\n"})
    device.ingest()

    def fail():
        raise KeyboardInterrupt

    at_failpoint("purge.excluded", fail)
    with pytest.raises(KeyboardInterrupt):
        device.purge(device.tree / "a.md")
    kept = device.keys()
    excluded = device.refresh().sources["excluded"]

    report = device.purge(device.tree / "a.md")

    assert (kept, excluded) == ({"a.md", "b.md"}, 1)
    assert report.sources == (str(device.tree / "a.md"),)
    assert device.find_residue(*NEEDLES) == {}
