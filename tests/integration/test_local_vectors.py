"""The local vector backend on real files, against a search that is too plain to be wrong."""

import shutil
from pathlib import Path
from tempfile import mkdtemp

import attrs
import numpy
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from imprint.default_plugins.local_vectors import open_vector_backend
from imprint.default_plugins.local_vectors.backend import LocalVectors
from imprint.errors import IndexNotWrittenError, InvalidVectorsError
from imprint.plugins import VectorBackendSettings
from imprint.protocols.vectors import SupportsNotices
from imprint.testing.feeds import FakeFeed

WIDTH = 16


def unit_rows(count: int, width: int = WIDTH, seed: int = 1):
    rows = numpy.random.default_rng(seed).standard_normal((count, width)).astype(numpy.float32)
    return rows / numpy.linalg.norm(rows, axis=1, keepdims=True)


def clustered_rows(count: int, width: int, seed: int = 1):
    random = numpy.random.default_rng(seed)
    centres = random.standard_normal((count // 50, width))
    rows = centres[random.integers(0, len(centres), count)] + 0.8 * random.standard_normal((count, width))
    return (rows / numpy.linalg.norm(rows, axis=1, keepdims=True)).astype(numpy.float32)


def nearest(feed: FakeFeed, query, limit: int) -> list[int]:
    scored = [
        (-float(row.astype(numpy.float32) @ query), int(id))
        for batch in feed.batches()
        for id, row in zip(batch.ids, batch.rows, strict=True)
    ]
    return [id for _, id in sorted(scored)[:limit]]


def ids_of(hits) -> list[int]:
    return [hit.id for hit in hits]


@pytest.fixture
def feed() -> FakeFeed:
    return FakeFeed(WIDTH)


@pytest.fixture
def options(feed: FakeFeed, tmp_path: Path) -> VectorBackendSettings:
    return VectorBackendSettings(folder=tmp_path / "index", feed=feed, snapshot_threshold=1_000)


@pytest.mark.parametrize("make_rows", [unit_rows, clustered_rows], ids=["random", "clustered"])
@pytest.mark.parametrize("threshold", [100_000, 4_000], ids=["exact", "graph"])
def test_of_the_forty_nearest_at_least_ninety_nine_in_a_hundred_are_found(make_rows, threshold, tmp_path: Path):
    feed = FakeFeed(64)
    rows = make_rows(6_000, 64)
    feed.add(range(1, 6_001), rows)
    queries = rows[:40] + 0.05 * unit_rows(40, 64, seed=7)
    queries /= numpy.linalg.norm(queries, axis=1, keepdims=True)

    options = VectorBackendSettings(folder=tmp_path, feed=feed, snapshot_threshold=threshold)
    with open_vector_backend(options) as backend:
        assert backend.compact()
        found = [ids_of(backend.search(query, 40)) for query in queries]

    truth = [
        set((numpy.argsort(-(rows.astype(numpy.float16).astype(numpy.float32) @ query))[:40] + 1).tolist())
        for query in queries
    ]
    assert sum(len(want.intersection(got)) for want, got in zip(truth, found, strict=True)) >= 0.99 * 40 * 40


class ManyChanges(RuleBasedStateMachine):
    """Whatever is added, removed, compacted, reopened or deleted, the hits are those of the naive search."""

    @initialize(threshold=st.sampled_from([8, 40, 10_000]), seed=st.integers(0, 99))
    def begin(self, threshold: int, seed: int) -> None:
        self.parent = mkdtemp()
        self.folder = Path(self.parent) / "index"
        self.feed = FakeFeed(WIDTH)
        self.options = VectorBackendSettings(folder=self.folder, feed=self.feed, snapshot_threshold=threshold)
        self.rows = unit_rows(4_000, WIDTH, seed=seed)
        self.next_id = 1
        self.live: set[int] = set()
        self.gone: list[int] = []
        self.backend = LocalVectors(self.options)

    @rule(count=st.integers(1, 60))
    def add(self, count: int) -> None:
        ids = range(self.next_id, self.next_id + count)
        self.feed.add(ids, self.rows[[id % len(self.rows) for id in ids]])
        self.live |= set(ids)
        self.next_id += count

    @rule(ids=st.data())
    def add_out_of_order(self, ids) -> None:
        chosen = ids.draw(st.permutations(range(self.next_id, self.next_id + 5)))
        self.feed.add(chosen, self.rows[[id % len(self.rows) for id in chosen]])
        self.live |= set(chosen)
        self.next_id += 5

    @rule(data=st.data())
    def remove(self, data) -> None:
        if self.live:
            ids = data.draw(st.sets(st.sampled_from(sorted(self.live)), min_size=1, max_size=20))
            self.feed.remove(sorted(ids))
            self.live -= ids
            self.gone += ids

    @rule()
    def compact(self) -> None:
        self.backend.compact()

    @rule()
    def compact_elsewhere(self) -> None:
        with open_vector_backend(self.options) as other:
            other.compact()

    @rule()
    def reopen(self) -> None:
        self.backend.close()
        self.backend = LocalVectors(self.options)

    @rule()
    def delete_the_folder_and_reopen(self) -> None:
        self.reopen()
        shutil.rmtree(self.folder, ignore_errors=True)

    @rule(seed=st.integers(0, 99))
    def restore_a_backup(self, seed: int) -> None:
        ids = range(self.next_id, self.next_id + 30)
        self.feed.restore(ids, unit_rows(30, WIDTH, seed=seed))
        self.live, self.next_id = set(ids), self.next_id + 30

    @invariant()
    def a_search_finds_what_the_naive_search_finds(self) -> None:
        query = self.rows[-1]
        wanted = nearest(self.feed, query, 10)

        hits = self.backend.search(query, 10)

        assert len(set(ids_of(hits)).intersection(wanted)) >= len(wanted) - 1
        assert len(hits) == len(wanted)
        assert not set(ids_of(hits)).intersection(self.gone)

    @invariant()
    def a_filtered_search_finds_the_nearest_of_the_chosen(self) -> None:
        query = self.rows[-2]
        chosen = sorted(self.live)[::3] + self.gone[:5] + [10**9]
        wanted = [id for id in nearest(self.feed, query, len(self.live)) if id in set(chosen)][:10]

        assert ids_of(self.backend.search(query, 10, among=chosen)) == wanted

    @invariant()
    def scores_are_the_cosines(self) -> None:
        query = self.rows[-3]
        ids = sorted(self.live)[:7]
        stored = self.feed.rows(ids)
        truth = dict(zip(stored.ids.tolist(), (stored.rows.astype(numpy.float32) @ query).tolist(), strict=True))

        scores = {hit.id: hit.score for hit in self.backend.scores(query, [*ids, *self.gone[:3]])}

        assert scores == pytest.approx(truth, abs=1e-5)

    def teardown(self) -> None:
        if hasattr(self, "parent"):
            self.backend.close()
            shutil.rmtree(self.parent, ignore_errors=True)


ManyChanges.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
test_any_changes_leave_the_backend_equal_to_a_naive_search = ManyChanges.TestCase


def test_ids_that_come_in_any_order_are_found_after_a_compaction(feed, options):
    ids = numpy.random.default_rng(5).permutation(3_000) + 1
    rows = unit_rows(3_000)
    feed.add(ids.tolist(), rows)

    with open_vector_backend(options) as backend:
        backend.compact()
        [hit] = backend.scores(rows[17], [int(ids[17])])
        found = ids_of(backend.search(rows[17], 5, among=ids[10:20].tolist()))

    assert hit.score == pytest.approx(1, abs=1e-3)
    assert found[0] == ids[17]


def test_an_id_that_comes_again_is_found_by_its_newer_row_only(feed, options):
    """As after a change from one model to another and back."""
    rows = unit_rows(1_500)
    feed.add(range(1, 1_501), rows)

    with open_vector_backend(options) as backend:
        backend.compact()
        feed.remove([7])
        feed.add([7], -rows[6:7])
        hits = backend.scores(rows[6], [7])
        feed.add([8], -rows[7:8])
        hits += backend.scores(rows[7], [8])

    assert [hit.score for hit in hits] == pytest.approx([-1, -1], abs=1e-3)


def test_few_changes_are_not_worth_a_new_file(feed, options):
    rows = unit_rows(1_500)
    feed.add(range(1, 1_401), rows[:1_400])

    with open_vector_backend(options) as backend:
        assert backend.compact()
        assert not backend.compact()
        feed.add(range(1_401, 1_501), rows[1_400:])
        assert not backend.compact()
        assert ids_of(backend.search(rows[1_450], 1)) == [1_451]


def test_a_new_generation_leaves_no_older_file_behind(feed, options):
    rows = unit_rows(4_000)
    feed.add(range(1, 2_001), rows[:2_000])

    with open_vector_backend(options) as backend:
        backend.compact()
        (options.folder / "left.tmp").write_bytes(b"by a run that was killed")
        feed.add(range(2_001, 4_001), rows[2_000:])
        backend.compact()

    kept = {feed.generation(name).file for name in ("local", "local-graph")}
    assert {path.name.removesuffix(".verified") for path in options.folder.iterdir()} == kept
    assert feed.generation("local").rows == 4_000


@pytest.mark.parametrize("name", ["local", "local-graph"])
@pytest.mark.parametrize("damage", ["a flipped bit", "a shorter file", "no file", "another file"])
def test_a_damaged_file_is_reported_done_without_and_written_anew(name, damage, feed, options):
    rows = unit_rows(2_000)
    feed.add(range(1, 2_001), rows)
    with open_vector_backend(options) as backend:
        backend.compact()
    path = options.folder / feed.generation(name).file
    content = bytearray(path.read_bytes())
    if damage == "a flipped bit":
        content[len(content) // 2] ^= 4
        path.write_bytes(content)
    elif damage == "a shorter file":
        path.write_bytes(content[:-100])
    elif damage == "no file":
        path.unlink()
    else:
        path.write_bytes(b"something else entirely")

    with open_vector_backend(options) as backend:
        assert isinstance(backend, SupportsNotices)
        assert ids_of(backend.search(rows[11], 1)) == [12]
        assert [notice.file for notice in backend.notices()] == [path.name]
        assert backend.compact()
        assert ids_of(backend.search(rows[11], 1)) == [12]
        assert backend.notices() == ()


def test_a_verified_file_is_hashed_again_once_it_changes(feed, options):
    rows = unit_rows(2_000)
    feed.add(range(1, 2_001), rows)
    with open_vector_backend(options) as backend:
        backend.compact()
    path = options.folder / feed.generation("local").file

    note = path.with_name(path.name + ".verified")
    first = note.read_text()
    with path.open("r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)
        file.seek(-1, 2)
        file.write(last)
    with open_vector_backend(options) as backend:
        backend.search(rows[0], 1)

    assert backend.notices() == ()
    assert note.read_text() != first


def test_a_generation_that_another_process_deletes_meanwhile_is_followed_to_the_newer_one(feed, options):
    rows = unit_rows(3_000)
    feed.add(range(1, 2_001), rows[:2_000])
    with open_vector_backend(options) as reader, open_vector_backend(options) as writer:
        writer.compact()
        reader.search(rows[0], 1)
        feed.add(range(2_001, 3_001), rows[2_000:])
        writer.compact()

        assert ids_of(reader.search(rows[2_500], 1)) == [2_501]
        assert reader.notices() == ()


def test_an_empty_store_after_removals_is_written_and_read_as_empty(feed, options):
    feed.add(range(1, 2_001), unit_rows(2_000))
    with open_vector_backend(options) as backend:
        backend.compact()
        feed.remove(range(1, 2_001))
        assert backend.compact()
        assert backend.search(unit_rows(1)[0], 5) == []
    with open_vector_backend(options) as backend:
        assert backend.search(unit_rows(1)[0], 5) == []
        assert backend.notices() == ()


@pytest.mark.parametrize(
    "query", [numpy.full(WIDTH, numpy.nan, "f4"), numpy.ones(WIDTH + 1, "f4")], ids=["nan", "wide"]
)
def test_a_question_that_is_no_vector_of_the_model_is_a_typed_error(query, feed, options):
    feed.add([1], unit_rows(1))

    with open_vector_backend(options) as backend, pytest.raises(InvalidVectorsError):
        backend.search(query, 5)


def test_a_question_without_direction_finds_nothing(feed, options):
    feed.add([1], unit_rows(1))

    with open_vector_backend(options) as backend:
        assert backend.search(numpy.zeros(WIDTH, "f4"), 5) == []
        assert backend.scores(numpy.zeros(WIDTH, "f4"), [1]) == []
        assert backend.search(unit_rows(1)[0], 0) == []


def test_rows_without_direction_never_reach_the_index(feed, options):
    rows = unit_rows(2_000)
    rows[3] = 0
    rows[4, 2] = numpy.nan
    feed.add(range(1, 2_001), rows)

    with open_vector_backend(options) as backend:
        backend.compact()
        assert len(backend.search(rows[0], 2_001)) == 1_998
        assert backend.scores(rows[0], [4, 5]) == []


def test_a_folder_that_cannot_be_made_is_a_typed_error_and_search_goes_on(feed, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    rows = unit_rows(2_000)
    feed.add(range(1, 2_001), rows)
    options = VectorBackendSettings(folder=tmp_path / "file" / "index", feed=feed, snapshot_threshold=100)

    with open_vector_backend(options) as backend:
        with pytest.raises(IndexNotWrittenError):
            backend.compact()
        assert ids_of(backend.search(rows[5], 1)) == [6]


def test_the_graph_is_used_for_the_rows_it_covers_and_kept_while_few_are_outside(feed, options):
    options = attrs.evolve(options, snapshot_threshold=200)
    rows = unit_rows(3_300)
    feed.add(range(1, 3_001), rows[:3_000])
    with open_vector_backend(options) as backend:
        backend.compact()
        graph = feed.generation("local-graph")
        feed.add(range(3_001, 3_251), rows[3_000:3_250])
        feed.remove([10])
        assert backend.compact()

        assert feed.generation("local").rows == 3_249
        assert feed.generation("local-graph") == graph
        assert ids_of(backend.search(rows[3_200], 1)) == [3_201]
        assert ids_of(backend.search(rows[100], 1)) == [101]
        assert 10 not in ids_of(backend.search(rows[9], 50))


def test_files_that_are_deleted_while_they_are_mapped_go_on_serving_their_reader(feed, options):
    """On Windows the deletion is refused instead, which serves the reader as well."""
    rows = unit_rows(3_000)
    feed.add(range(1, 3_001), rows)
    with open_vector_backend(options) as backend:
        backend.compact()
        backend.search(rows[0], 1)

        shutil.rmtree(options.folder, ignore_errors=True)

        assert ids_of(backend.search(rows[1_234], 1)) == [1_235]
