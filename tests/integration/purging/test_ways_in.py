"""Every way into a workspace respects what was purged from it, until somebody lets it in again."""

import sys
from pathlib import PureWindowsPath

import attrs
import pytest

from imprint.domain.identifiers import index_text
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind, WorkspaceName
from imprint.errors import ExcludedSourceError
from imprint.protocols.stores import Replacement

DEFAULT = WorkspaceName("default")
SECRET = "The Wqzxfjord7741 opens the vault of Kjhqbrine8852.\n"
FILES = {"a.md": "Boats.\n", "private/vault.md": SECRET, "private/deep/er.md": "Deeper.\n", "private2/b.md": "Ships.\n"}
LEFT = {"a.md", "private2/b.md"}


@pytest.fixture
def purged(device):
    """A device on which a folder was indexed and purged."""
    device.write(FILES)
    assert device.ingest().sources["added"] == 4
    report = device.purge(device.tree / "private", recursive=True)
    assert len(report.sources) == 2
    return device


def test_refresh_skips_and_counts_it(purged):
    report = purged.refresh()

    assert report.sources == {"excluded": 2, "unchanged": 2}
    assert purged.keys() == LEFT


def test_ingest_of_what_it_lies_in_skips_and_counts_it(purged):
    report = purged.ingest()

    assert report.sources == {"excluded": 2, "unchanged": 2}
    assert purged.keys() == LEFT


@pytest.mark.parametrize(
    "name", ["private", "private/vault.md", "private/deep", "private/deep/er.md", "private/new.md"]
)
def test_ingest_of_itself_or_of_what_lies_in_it_is_refused(purged, name):
    (purged.tree / "private" / "new.md").write_text("New.\n")

    with pytest.raises(ExcludedSourceError) as caught:
        purged.ingest(name)

    assert caught.value.target == str(purged.tree / name)
    assert purged.keys() == LEFT


def test_a_folder_beside_it_whose_name_begins_alike_comes_in(purged):
    purged.write({"private-notes.md": "Notes.\n", "private.md": "Beside.\n"})

    purged.ingest()

    assert purged.keys() == {*LEFT, "private-notes.md", "private.md"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right on Windows")
@pytest.mark.parametrize(("link", "target"), [("link", "private"), ("link.md", "private/vault.md")])
def test_a_link_to_it_is_no_way_in(purged, link, target):
    (purged.tree / link).symlink_to(purged.tree / target)

    with pytest.raises(ExcludedSourceError):
        purged.ingest(link)
    purged.ingest()
    purged.refresh()

    assert purged.keys() == LEFT


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right on Windows")
def test_a_link_to_the_tree_is_no_way_in(purged):
    (purged.home / "elsewhere").symlink_to(purged.tree)

    report = purged.ingest("../elsewhere")

    assert report.sources["excluded"] == 2
    assert purged.keys() == LEFT


def test_another_case_is_the_same_place_where_the_system_says_so(purged):
    other = purged.tree / "PRIVATE"
    if not other.exists():
        pytest.skip("this file system tells cases apart")

    with pytest.raises(ExcludedSourceError):
        purged.ingest("PRIVATE")


def test_a_source_with_a_path_of_windows_is_met_in_any_case(device):
    """The store may have been filled on another system."""
    path = PureWindowsPath(r"C:\Users\Me\Vault\Plan.md")
    source = Source(key=SourceKey(str(path)), kind=SourceKind.DOCUMENT, path=path)
    chunk = Chunk(text=SECRET)

    with device.open() as application:
        with application._stores.open(DEFAULT) as store:
            store.replace_source(source, [(chunk, index_text(chunk, source))])
        report = application.purge.apply(DEFAULT, r"c:\users\ME\vault", recursive=True)
        with application._stores.open(DEFAULT) as store:
            again = store.replace_source(source, [(chunk, index_text(chunk, source))])

    assert report.sources == (str(path),)
    assert again is Replacement.EXCLUDED
    assert device.keys() == set()


def test_what_is_renamed_has_another_name_and_comes_in_until_it_is_named_back(purged):
    """An exclusion is of a place. Whoever gives a file another place decides that anew."""
    (purged.tree / "private").rename(purged.tree / "public")
    purged.refresh()
    renamed = purged.keys()
    (purged.tree / "public").rename(purged.tree / "private")

    purged.refresh(accept_removals=True)

    assert renamed == {*LEFT, "public/vault.md", "public/deep/er.md"}
    assert purged.keys() == LEFT


def test_a_file_in_the_place_of_a_purged_one_stays_out_whatever_it_says(purged):
    purged.write({"private/vault.md": "Nothing secret any more.\n"})

    purged.refresh()

    assert purged.keys() == LEFT


def test_memories_and_facts_drawn_from_it_are_refused(purged):
    origin = str(purged.tree / "private" / "vault.md")

    with purged.open() as application:
        with pytest.raises(ExcludedSourceError) as memory:
            application.memories.remember(DEFAULT, "What the vault says", origin=origin)
        with pytest.raises(ExcludedSourceError) as fact:
            application.facts.add(DEFAULT, subject="vault", predicate="is", object="open", source=origin)

    assert (memory.value.target, fact.value.target) == (origin, origin)
    assert purged.keys() == LEFT


def test_texts_and_memories_are_kept_out_by_their_keys(device):
    with device.open() as application:
        memory = application.memories.remember(DEFAULT, "Remember the vault").key
        text = application.memories.add_text(DEFAULT, "notes/vault", SECRET).key
    device.purge(memory)
    device.purge("text:notes/", recursive=True)

    with device.open() as application:
        with pytest.raises(ExcludedSourceError):
            application.memories.remember(DEFAULT, "Remember the vault")
        with pytest.raises(ExcludedSourceError):
            application.memories.add_text(DEFAULT, "notes/vault", "Another text")
        application.memories.add_text(DEFAULT, "notes2/vault", "Another text")

    assert text == "text:notes/vault"
    assert device.keys() == {"text:notes2/vault"}


def test_an_old_name_of_a_folder_that_left_a_link_is_kept_out_under_both(device):
    """The store knows the old name; what is ingested through the link goes by the new one."""
    if sys.platform == "win32":
        pytest.skip("links need a right on Windows")
    device.write({"old/vault.md": SECRET})
    device.ingest()
    (device.tree / "old").rename(device.tree / "new")
    (device.tree / "old").symlink_to(device.tree / "new")

    report = device.purge(device.tree / "old", recursive=True)
    device.ingest()
    with pytest.raises(ExcludedSourceError):
        device.ingest("old/vault.md")

    assert report.sources == (str(device.tree / "old" / "vault.md"),)
    assert device.keys() == set()


def test_restoring_lets_it_in_again_and_brings_nothing_back_by_itself(purged):
    with purged.open() as application:
        (exclusion,) = application.exclusions.list(DEFAULT)
        restoration = application.exclusions.restore(DEFAULT, exclusion.target)
        again = application.exclusions.restore(DEFAULT, exclusion.target)
    restored = purged.keys()

    report = purged.refresh()

    assert (restoration.changed, again.changed) == (True, False)
    assert restored == LEFT
    assert report.sources["added"] == 2
    assert purged.keys() == set(FILES)


def test_restoring_a_part_of_what_was_purged_restores_nothing(purged):
    """A target is let in as it is listed; what lies in it cannot be taken out of the exclusion."""
    with purged.open() as application:
        restoration = application.exclusions.restore(DEFAULT, str(purged.tree / "private" / "vault.md"))

    purged.refresh()

    assert not restoration.changed
    assert purged.keys() == LEFT


def test_an_exclusion_outlives_the_workspace_it_belongs_to(device):
    device.write(FILES)
    with device.open() as application:
        application.workspaces.create("acme")
        application.roots.add(device.tree, explicit="acme")
    device.ingest(workspace="acme")
    device.purge(device.tree / "private", recursive=True, workspace="acme")

    with device.open() as application:
        application.workspaces.delete("acme")
        application.workspaces.create("acme")
        application.roots.add(device.tree, explicit="acme")
    report = device.ingest(workspace="acme")

    assert (report.sources["added"], report.sources["excluded"]) == (2, 2)


def test_a_purge_that_adds_nothing_new_is_a_success(purged):
    again = purged.purge(purged.tree / "private", recursive=True)

    assert (again.sources, again.applied, again.pending) == ((), True, ())
    assert again.exclusion is not None
    assert attrs.evolve(again.exclusion, added_at="").recursive
