"""Sources and chunks of a real store."""

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path, PurePosixPath, PureWindowsPath

import attrs
import pytest

from imprint.adapters.store_db import SqliteStore
from imprint.domain.purge import Exclusion
from imprint.domain.sources import ChunkId, MemoryKind, SourceKey, SourceKind, WorkspaceName
from imprint.errors import WorkspaceDeletedError
from imprint.protocols.stores import FileState, Replacement

WORKSPACE = WorkspaceName("default")
LARGE = 450
"""More chunks than one transaction takes."""


def excluded(target: str, *, recursive: bool = False) -> Exclusion:
    return Exclusion(workspace=WORKSPACE, target=target, recursive=recursive, added_at="")


def texts(store: SqliteStore, key: str) -> list[str]:
    return [chunk.chunk.text for chunk in store.source_chunks(SourceKey(key))]


def test_a_source_comes_back_as_it_was_stored(store: SqliteStore, make_source):
    source, chunks = make_source(
        "conversation:1",
        ["one", "two"],
        kind=SourceKind.CONVERSATION,
        path=PureWindowsPath("C:\\logs\\1.jsonl"),
        origin="https://x.org",
        project="acme",
        language="python",
        url="https://x.org/1",
        title="Überschrift",
        memory_kind=MemoryKind.BUG,
        mtime_ns=2**62,
        size=0,
        digest="ff",
        time="2026-01-01T00:00:00.000Z",
    )
    chunks = [
        (attrs.evolve(chunk, symbol="A > B", role="user", time="2026-01-02T00:00:00.000Z", context="near"), indexed)
        for chunk, indexed in chunks
    ]
    chunks = [(chunk, attrs.evolve(indexed, context="near")) for chunk, indexed in chunks]

    assert store.replace_source(source, chunks) is Replacement.ADDED

    stored = store.find_source(source.key)
    assert stored is not None
    assert (stored.source, stored.chunks) == (source, 2)
    found = store.source_chunks(source.key)
    assert [chunk.chunk for chunk in found] == [chunk for chunk, _ in chunks]
    assert [chunk.ordinal for chunk in found] == [0, 1]
    assert store.chunks([found[1].id, ChunkId(99), found[0].id]) == [found[1], found[0]]


@pytest.mark.parametrize(("before", "after"), [(3, 2), (LARGE, 2), (2, LARGE), (LARGE, LARGE), (3, 0)])
def test_replacing_leaves_the_new_version_alone_and_uses_no_id_again(
    store, make_source, count_rows, before: int, after: int
):
    store.replace_source(*make_source("/a", [f"old {n}" for n in range(before)]))
    old_ids = [chunk.id for chunk in store.source_chunks(SourceKey("/a"))]

    result = store.replace_source(*make_source("/a", [f"new {n}" for n in range(after)]))

    assert result is Replacement.CHANGED
    assert texts(store, "/a") == [f"new {n}" for n in range(after)]
    assert store.chunks(old_ids) == []
    assert store.chunk_count() == after
    assert min((chunk.id for chunk in store.source_chunks(SourceKey("/a"))), default=10**9) > max(old_ids)
    assert (count_rows("sources"), count_rows("chunks"), count_rows("passages")) == (1, after, after)


def test_a_batch_gives_one_answer_a_source_in_order(store, device, make_source):
    device.registry.add_exclusion(excluded("/secret", recursive=True))
    store.replace_source(*make_source("/b", ["old"]))
    batch = [
        make_source("/a", ["a"] * 150),
        make_source("/b", ["b"] * 100),
        make_source("/secret/c", ["c"]),
        make_source("/d", ["d"] * LARGE),
        make_source("/a", ["again"]),
        make_source("/empty", []),
    ]

    results = store.replace_sources(batch)

    assert [result.value for result in results] == ["added", "changed", "excluded", "added", "changed", "added"]
    assert texts(store, "/a") == ["again"]
    assert {stored.source.key: stored.chunks for stored in store.sources()} == {
        "/a": 1,
        "/b": 100,
        "/d": LARGE,
        "/empty": 0,
    }
    assert store.replace_sources([]) == []


def test_removing_takes_all_that_hangs_on_a_source_and_passes_over_unknown_keys(store, make_source, count_rows):
    store.replace_sources([make_source("/a", ["a"]), make_source("/b", ["b"] * LARGE), make_source("/c", ["c"])])

    assert store.remove_sources(iter(["/a", "/b", "/nowhere", "/a"])) == 2

    assert [stored.source.key for stored in store.sources()] == ["/c"]
    assert (count_rows("sources"), count_rows("chunks"), count_rows("passages")) == (1, 1, 1)
    assert store.remove_sources([]) == 0


def test_sources_are_listed_in_key_order_by_kind_pattern_and_project(store, make_source):
    store.replace_sources(
        [make_source(f"/w/{n:04}.py", ["x"]) for n in range(1200)]
        + [
            make_source("memory:1", ["m"], kind=SourceKind.MEMORY, memory_kind=MemoryKind.BUG, project="acme"),
            make_source("/w/[1].md", ["d"], kind=SourceKind.DOCUMENT, project="acme"),
        ]
    )

    def keys(**narrow: object) -> list[str]:
        return [stored.source.key for stored in store.sources(**narrow)]

    assert len(keys()) == 1202
    assert keys() == sorted(keys())
    assert keys(kinds=["memory"]) == keys(kinds=["bug"]) == ["memory:1"]
    assert keys(kinds=["bug", "document"]) == ["/w/[1].md", "memory:1"]
    assert keys(glob="/w/*7.py")[:2] == ["/w/0007.py", "/w/0017.py"]
    assert keys(glob="*[[]1].md") == ["/w/[1].md"]
    assert keys(project="acme", kinds=["document"]) == ["/w/[1].md"]


def test_listing_holds_no_transaction_between_steps(store, make_source):
    store.replace_sources([make_source(f"/{n:04}", ["x"]) for n in range(600)])

    seen = []
    for stored in store.sources():
        seen.append(stored.source.key)
        if len(seen) == 1:
            store.remove_sources([f"/{n:04}" for n in range(550, 600)])

    assert seen == [f"/{n:04}" for n in range(550)]


def test_file_states_are_those_at_or_below_a_folder_by_components(store, make_source):
    for key in ("/w/app/a.py", "/w/app/sub/b.py", "/w/app2/c.py", "/w/app", "/w/ap"):
        store.replace_source(*make_source(key, ["x"]))
    store.replace_source(*make_source("conversation:1", ["x"], path=PurePosixPath("/w/app/log.jsonl")))
    windows = PureWindowsPath("C:\\w\\app\\a.py")
    store.replace_source(*make_source(str(windows), ["x"], path=windows))

    state = FileState(1, 2, "d")
    assert store.file_states(PurePosixPath("/w/app")) == dict.fromkeys(
        ["/w/app", "/w/app/a.py", "/w/app/sub/b.py"], state
    )
    assert len(store.file_states(PurePosixPath("/"))) == 5
    assert store.file_states(PureWindowsPath("C:\\w\\app")) == {str(windows): state}
    assert store.file_states(PureWindowsPath("C:\\")) == {str(windows): state}
    store.touch_source(SourceKey("/w/app/a.py"), FileState(7, 8, "e"))
    assert store.file_states(PurePosixPath("/w/app/a.py")) == {"/w/app/a.py": FileState(7, 8, "e")}


def test_counts_tell_what_is_there(store, make_source):
    store.replace_sources([make_source("/a", ["x", "y"]), make_source("/b", ["z"], kind=SourceKind.DOCUMENT)])

    counts = store.counts()

    assert counts.sources == {"code": 1, "document": 1}
    assert (counts.chunks, counts.vectors, counts.pending, counts.facts) == (3, 0, 3, 0)
    assert counts.bytes > 0


def write_behind_a_lock(file: Path, meanwhile: Callable[[], object], write: Callable[[], object]) -> object:
    """Begin to write while somebody else holds the store's lock, and do something before that is let go."""
    with (
        closing(sqlite3.connect(file, isolation_level=None)) as other,
        ThreadPoolExecutor(max_workers=1) as threads,
    ):
        other.execute("BEGIN IMMEDIATE")
        writing = threads.submit(write)
        wait([writing], timeout=0.1)
        assert not writing.done()
        meanwhile()
        other.execute("ROLLBACK")
        return writing.result()


class Interrupting(Sequence):
    """Chunks that do something when so many of them have been asked for."""

    def __init__(self, chunks: Sequence[object], at: int, action: Callable[[], None]) -> None:
        self._chunks, self._at, self._action = chunks, at, action

    def __len__(self) -> int:
        return len(self._chunks)

    def __getitem__(self, place):
        if isinstance(place, slice) and place.start == self._at:
            self._action()
        return self._chunks[place]


def test_readers_see_the_old_version_while_a_large_one_is_staged(store, open_device, make_source, count_rows):
    store.replace_source(*make_source("/a", ["old"]))
    source, chunks = make_source("/a", [f"new {n}" for n in range(LARGE)])
    seen = []

    def look() -> None:
        with open_device() as mine, mine.stores.open(WORKSPACE) as other:
            seen.append((texts(other, "/a"), other.chunk_count(), count_rows("chunks")))

    store.replace_source(source, Interrupting(chunks, 400, look))

    assert seen == [(["old"], 1, 401)]
    assert len(texts(store, "/a")) == LARGE


def test_a_staging_that_is_given_up_leaves_the_old_version_and_nothing_else(store, make_source, count_rows):
    store.replace_source(*make_source("/a", ["old"]))
    source, chunks = make_source("/a", ["new"] * LARGE)

    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.replace_source(source, Interrupting(chunks, 400, stop))

    assert texts(store, "/a") == ["old"]
    store.tidy()
    assert (count_rows("sources"), count_rows("chunks"), count_rows("passages")) == (1, 1, 1)


def test_an_exclusion_added_while_a_large_source_is_staged_keeps_it_out(store, device, make_source, count_rows):
    source, chunks = make_source("/w/a", ["new"] * LARGE)

    result = store.replace_source(
        source, Interrupting(chunks, 400, lambda: device.registry.add_exclusion(excluded("/w", recursive=True)))
    )

    assert result is Replacement.EXCLUDED
    assert (count_rows("sources"), count_rows("chunks")) == (0, 0)


def test_a_staging_that_somebody_swept_begins_anew(store, device, make_source, count_rows):
    source, chunks = make_source("/a", [f"{n}" for n in range(LARGE)])
    swept = []

    def sweep_once() -> None:
        if not swept:
            with closing(sqlite3.connect(device.folder.store_file(WORKSPACE), isolation_level=None)) as connection:
                connection.execute("PRAGMA foreign_keys = ON")
                swept.append(connection.execute("DELETE FROM sources WHERE state = 'staged'").rowcount)

    assert store.replace_source(source, Interrupting(chunks, 400, sweep_once)) is Replacement.ADDED

    assert swept == [1]
    assert texts(store, "/a") == [f"{n}" for n in range(LARGE)]
    assert count_rows("chunks") == LARGE


@pytest.mark.parametrize("count", [1, LARGE])
def test_an_exclusion_added_while_a_writer_waits_for_the_lock_is_respected(
    device, store, open_device, make_source, count_rows, count: int
):
    def write() -> Replacement:
        with open_device() as mine, mine.stores.open(WORKSPACE) as writing:
            return writing.replace_source(*make_source("/w/a", ["new"] * count))

    result = write_behind_a_lock(
        device.folder.store_file(WORKSPACE),
        lambda: device.registry.add_exclusion(excluded("/w", recursive=True)),
        write,
    )

    assert result is Replacement.EXCLUDED
    assert count_rows("sources") == 0


def test_a_writer_that_waited_while_its_workspace_was_deleted_writes_nothing(
    device, open_device, make_source, count_rows
):
    acme = WorkspaceName("acme")
    device.registry.create_workspace(acme)

    def write() -> None:
        with open_device() as mine, mine.stores.open(acme) as writing:
            writing.replace_source(*make_source("/a", ["new"]))

    with device.stores.open(acme):
        with pytest.raises(WorkspaceDeletedError):
            write_behind_a_lock(device.folder.store_file(acme), lambda: device.registry.mark_deleted(acme), write)

        assert count_rows("sources", acme) == 0
    with pytest.raises(WorkspaceDeletedError), device.stores.open(acme):
        pass


def test_what_another_process_writes_is_seen_at_once(store, open_device, make_source):
    assert store.find_source(SourceKey("/a")) is None

    with open_device() as mine, mine.stores.open(WORKSPACE) as other:
        other.replace_source(*make_source("/a", ["x"]))

        assert texts(store, "/a") == ["x"]
        store.remove_sources(["/a"])
        assert other.find_source(SourceKey("/a")) is None


@pytest.mark.parametrize(
    ("glob", "found"),
    [
        ("text:a*", ["text:a", "text:ab", "text:a\U0010ffff"]),
        ("text:a", ["text:a"]),
        ("text:[ab]", ["text:a", "text:b"]),
        ("*b", ["text:ab", "text:b"]),
        ("text:\ud7ff*", ["text:\ud7ffx"]),
    ],
)
def test_a_pattern_finds_the_keys_that_fit_and_no_others(store, make_source, glob: str, found: list[str]):
    keys = ["text:a", "text:ab", "text:a\U0010ffff", "text:b", "text:\ud7ffx", "text:\ue000"]
    store.replace_sources([make_source(key, ["text"]) for key in keys])

    assert sorted(stored.source.key for stored in store.sources(glob=glob)) == sorted(found)


def test_the_chunks_of_a_source_are_given_in_pages(store, make_source):
    store.replace_source(*make_source("/a", [str(number) for number in range(7)]))

    pages = [store.source_chunks(SourceKey("/a"), start=start, limit=3) for start in (0, 3, 6, 9)]

    assert [[one.chunk.text for one in page] for page in pages] == [["0", "1", "2"], ["3", "4", "5"], ["6"], []]
