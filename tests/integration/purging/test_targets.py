"""What a target selects in a real store, in which spelling, and what is refused."""

import sys
import time

import pytest

from imprint.domain.identifiers import index_text
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind, WorkspaceName
from imprint.errors import EmptyTextError, FolderTargetError, UnknownWorkspaceError

DEFAULT = WorkspaceName("default")


@pytest.fixture
def indexed(device):
    """A device with folders, two of whose names begin alike."""
    files = {"app/x.md": "One.\n", "app/sub/y.md": "Two.\n", "app2/z.md": "Three.\n", "app.md": "Four.\n"}
    device.write(files)
    device.ingest()
    return device


def test_a_folder_ends_where_its_name_ends(indexed):
    indexed.purge(indexed.tree / "app", recursive=True)

    assert indexed.keys() == {"app2/z.md", "app.md"}


def test_a_file_is_itself_alone(indexed):
    indexed.purge(indexed.tree / "app" / "x.md")

    assert indexed.keys() == {"app/sub/y.md", "app2/z.md", "app.md"}


@pytest.mark.parametrize("action", ["apply", "preview"])
def test_a_folder_without_the_word_for_it_is_refused_with_the_number_there_is(indexed, action):
    with indexed.open() as application, pytest.raises(FolderTargetError) as caught:
        getattr(application.purge, action)(DEFAULT, str(indexed.tree / "app"))

    assert caught.value.sources == 2
    with indexed.open() as application:
        assert application.exclusions.list(DEFAULT) == ()
    assert len(indexed.keys()) == 4


def test_a_folder_that_is_gone_is_a_folder_still_where_something_of_it_is_stored(indexed):
    (indexed.tree / "app").rename(indexed.home / "gone")

    with indexed.open() as application, pytest.raises(FolderTargetError):
        application.purge.preview(DEFAULT, str(indexed.tree / "app"))
    indexed.purge(indexed.tree / "app", recursive=True)

    assert indexed.keys() == {"app2/z.md", "app.md"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right on Windows")
@pytest.mark.parametrize("spelling", ["{tree}/app/", "{tree}/./app", "{tree}/app2/../app", "{home}/link/app"])
def test_every_spelling_of_a_path_means_the_place(indexed, spelling):
    (indexed.home / "link").symlink_to(indexed.tree)

    report = indexed.purge(spelling.format(tree=indexed.tree, home=indexed.home), recursive=True)

    assert report.target == str(indexed.tree / "app")
    assert indexed.keys() == {"app2/z.md", "app.md"}


def test_keys_end_at_slashes_as_folders_do(device):
    with device.open() as application:
        for name in ("a/b", "a/bc", "a/b/c", "a", "ab"):
            application.memories.add_text(DEFAULT, name, f"text of {name}")
        with pytest.raises(FolderTargetError) as caught:
            application.purge.preview(DEFAULT, "text:a/")

    report = device.purge("text:a/b", recursive=True)

    assert caught.value.sources == 3
    assert report.sources == ("text:a/b", "text:a/b/c")
    assert device.keys() == {"text:a/bc", "text:a", "text:ab"}


def test_a_key_that_has_others_below_it_is_itself_alone(device):
    with device.open() as application:
        for name in ("a", "a/b"):
            application.memories.add_text(DEFAULT, name, f"text of {name}")

    report = device.purge("text:a")

    assert report.sources == ("text:a",)
    assert device.keys() == {"text:a/b"}


@pytest.mark.parametrize("target", ["", "  "])
def test_an_empty_target_is_refused(device, target):
    with device.open() as application, pytest.raises(EmptyTextError):
        application.purge.apply(DEFAULT, target, recursive=True)


def test_a_workspace_nobody_knows_is_refused_and_not_made(device):
    with device.open() as application, pytest.raises(UnknownWorkspaceError):
        application.purge.apply(WorkspaceName("acme"), "text:a")

    assert not device.store_file("acme").exists()


def test_a_target_of_which_nothing_is_stored_is_kept_out_from_then_on(device):
    device.write({"a.md": "One.\n", "b.md": "Two.\n"})

    report = device.purge(device.tree / "a.md")
    device.ingest()

    assert (report.applied, report.sources) == (True, ())
    assert device.keys() == {"b.md"}


def test_many_sources_go_at_once_and_few_of_many_quickly(device):
    """An enumeration looks at every source; it must not take long for the few it finds."""
    with device.open() as application, application._stores.open(DEFAULT) as store:
        batch = []
        for number in range(6_000):
            source = Source(
                key=SourceKey(f"text:{'many' if number % 2 else 'other'}/{number}"), kind=SourceKind.DOCUMENT
            )
            chunk = Chunk(text=f"word{number} and more")
            batch.append((source, [(chunk, index_text(chunk, source))]))
        store._clock = _Rushing()
        store.replace_sources(batch)

    begun = time.process_time()
    few = device.purge("text:many/1")
    spent = time.process_time() - begun
    many = device.purge("text:many", recursive=True)

    assert few.sources == ("text:many/1",)
    assert len(many.sources) == many.chunks == 2_999
    assert len(device.keys()) == 3_000
    assert spent < 5


class _Rushing:
    """A clock by which bulk writes make no pauses."""

    _seconds = 0.0

    def monotonic(self) -> float:
        self._seconds += 1
        return self._seconds

    def now(self) -> str:
        return "2026-01-01T00:00:00.000Z"
