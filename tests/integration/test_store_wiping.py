"""Emptying a store: at once, for good, and without reusing a number."""

import threading

import numpy
import pytest

from imprint.domain.facts import NewFact
from imprint.domain.purge import Exclusion
from imprint.domain.purge_reports import PendingWork
from imprint.domain.sources import ChunkId, WorkspaceName
from imprint.errors import WorkspaceDeletedError
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.stores import Replacement
from imprint.protocols.text_indexes import ChunkFilter, TextQuery

MODEL = ModelIdentity("one", "1", 3)
TABLES = ("sources", "chunks", "passages", "vectors", "vectorless", "tombstones", "generations", "facts", "models")


def fill(store, make_source) -> None:
    store.replace_source(*make_source("/w/a", ["secretive apple", "pear"]))
    store.replace_source(*make_source("/w/large", [f"secretive plum {number}" for number in range(450)]))
    waiting = store.pending(MODEL, after=ChunkId(0), limit=1000)
    rows = numpy.ones((len(waiting), 3), dtype=numpy.float32)
    rows[0] = 0
    store.add_vectors(MODEL, [one.id for one in waiting], rows)
    store.add_fact(NewFact(subject="s", predicate="p", object="secretive", valid_from="2026-01-01T00:00:00.000Z"))


def full_text_fault(store) -> str:
    target = Exclusion(workspace=store.workspace, target="nothing", recursive=False, added_at="")
    return store.find_traces(target).full_text_fault


def test_nothing_is_left_and_no_text_in_any_file(device, store, make_source, count_rows):
    fill(store, make_source)

    store.wipe()
    store.finish_purges()

    assert {table: count_rows(table) for table in TABLES} == dict.fromkeys(TABLES, 0)
    assert store.match(TextQuery(terms=("apple",)), 10, ChunkFilter()) == []
    assert store.unfinished_purges() == ()
    for file in device.folder.path.rglob("*"):
        assert file.is_dir() or b"secretive" not in file.read_bytes(), file


def test_what_follows_is_pending_until_it_is_done(store, make_source):
    fill(store, make_source)

    store.wipe()

    assert set(store.unfinished_purges()) == set(PendingWork)


def test_the_store_works_on_as_before(store, make_source):
    fill(store, make_source)
    last = max(chunk.id for chunk in store.source_chunks("/w/large"))
    epoch = store.feed(MODEL).epoch
    store.wipe()

    assert store.replace_source(*make_source("/w/a", ["fresh apple"])) is Replacement.ADDED

    (hit,) = store.match(TextQuery(terms=("apple",)), 10, ChunkFilter())
    assert hit.id > last
    store.replace_source(*make_source("/w/a", ["changed"]))
    assert store.match(TextQuery(terms=("fresh",)), 10, ChunkFilter()) == []
    assert full_text_fault(store) == ""
    assert store.feed(MODEL).epoch != epoch


def test_removing_a_source_after_a_wipe_leaves_tombstones_as_ever(store, make_source, count_rows):
    store.wipe()
    fill(store, make_source)

    store.remove_sources(["/w/a"])

    assert (count_rows("tombstones"), count_rows("sources")) == (1, 1)


def test_a_deleted_workspace_is_not_wiped(device, make_source, count_rows):
    name = WorkspaceName("doomed")
    device.registry.create_workspace(name)
    with device.stores.open(name) as store:
        fill(store, make_source)
        device.registry.mark_deleted(name)

        with pytest.raises(WorkspaceDeletedError):
            store.wipe()

    assert count_rows("sources", name) == 2


def test_others_may_write_while_a_store_is_wiped(open_device, make_source):
    done = threading.Event()

    def write() -> None:
        with open_device() as device, device.stores.open(WorkspaceName("default")) as store:
            for number in range(60):
                store.replace_source(*make_source(f"/w/{number}", [f"text {number}"]))
        done.set()

    thread = threading.Thread(target=write)
    with open_device() as device, device.stores.open(WorkspaceName("default")) as store:
        thread.start()
        while not done.is_set():
            store.wipe()
        thread.join()

        assert store.counts().chunks == sum(len(store.source_chunks(one.source.key)) for one in store.sources())
        assert full_text_fault(store) == ""
