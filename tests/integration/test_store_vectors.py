"""Vectors of a real store, and the feed that vector backends follow."""

import sqlite3
from contextlib import closing

import numpy
import pytest

from imprint.adapters.store_db import SqliteStore
from imprint.domain.sources import ChunkId, SourceKey
from imprint.errors import InvalidVectorsError
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.vectors import Generation, VectorFeed

ONE = ModelIdentity("one", "d1", 4)
OTHER = ModelIdentity("other", "d2", 2)


def ids_of(store: SqliteStore, key: str) -> list[ChunkId]:
    return [chunk.id for chunk in store.source_chunks(SourceKey(key))]


def rows(count: int, width: int = 4) -> numpy.ndarray:
    return numpy.eye(count, width, dtype=numpy.float32)


def live(feed: VectorFeed, **size: int) -> dict[int, list[float]]:
    seen: dict[int, list[float]] = {}
    for batch in feed.batches(**size):
        assert batch.removed.tolist() == []
        assert (batch.ids.dtype, batch.rows.dtype) == (numpy.int64, numpy.float16)
        seen.update(zip(batch.ids.tolist(), batch.rows.tolist(), strict=True))
    return seen


def generation(feed: VectorFeed, number: int, **fields: object) -> Generation:
    known = {"backend": "local", "file": f"{number}.bin", "digest": "x", "rows": 1}
    known |= {"position": feed.position(), "epoch": feed.epoch, "number": number}
    return Generation(**(known | fields))  # type: ignore[arg-type]


def test_pending_chunks_are_those_a_model_has_not_seen(store, make_source):
    store.replace_source(*make_source("/a", ["one", "two", "three"]))
    first, second, third = ids_of(store, "/a")

    assert [waiting.id for waiting in store.pending(ONE, after=ChunkId(0), limit=2)] == [first, second]
    waiting = store.pending(ONE, after=second, limit=2)
    assert [(one.id, one.chunk.text, one.source.key) for one in waiting] == [(third, "three", "/a")]
    matrix = rows(2)
    matrix[1] = 0
    assert store.add_vectors(ONE, [first, second], matrix) == 1

    assert [waiting.id for waiting in store.pending(ONE, after=ChunkId(0), limit=9)] == [third]
    assert [waiting.id for waiting in store.pending(OTHER, after=ChunkId(0), limit=9)] == [first, second, third]
    counts = store.counts()
    assert (counts.chunks, counts.vectors, counts.pending) == (3, 1, 1)


def test_the_size_of_what_is_pending_is_that_of_its_utf8(store, make_source):
    store.replace_source(*make_source("/a", ["ä", "two", "日本"]))
    first, *_ = ids_of(store, "/a")

    before = store.pending_bytes(ONE)
    store.add_vectors(ONE, [first], rows(1))

    assert (before, store.pending_bytes(ONE), store.pending_bytes(OTHER)) == (11, 9, 11)


def test_vectors_of_chunks_that_went_meanwhile_and_repeated_ones_are_passed_over(store, make_source):
    store.replace_source(*make_source("/a", ["one", "two"]))
    gone, stays = ids_of(store, "/a")
    store.replace_source(*make_source("/a", ["one"]))
    (new,) = ids_of(store, "/a")

    assert store.add_vectors(ONE, [gone, stays, new], rows(3)) == 1
    assert store.add_vectors(ONE, [new], rows(1)) == 0
    assert live(store.feed(ONE)) == {new: [0, 0, 1, 0]}


@pytest.mark.parametrize("matrix", [rows(1, 3), rows(2), rows(1) * numpy.nan, rows(1) + numpy.inf])
def test_vectors_that_make_no_sense_are_refused_whole(store, make_source, matrix):
    store.replace_source(*make_source("/a", ["one"]))

    with pytest.raises(InvalidVectorsError):
        store.add_vectors(ONE, ids_of(store, "/a"), matrix)

    assert store.models() == {}


def test_a_feed_gives_live_rows_from_the_start_and_changes_after_a_position(store, make_source):
    store.replace_source(*make_source("/a", ["one", "two"]))
    store.replace_source(*make_source("/b", ["three"]))
    first, second = ids_of(store, "/a")
    (third,) = ids_of(store, "/b")
    feed = store.feed(ONE)
    assert (feed.position(), list(feed.batches()), feed.count()) == (0, [], 0)
    store.add_vectors(ONE, [first, second], rows(2))
    before = feed.position()
    store.add_vectors(ONE, [third], rows(1))
    store.remove_sources(["/a"])

    (batch,) = feed.batches(before)

    assert (batch.ids.tolist(), batch.removed.tolist()) == ([third], [first, second])
    assert batch.position == feed.position() == 5
    assert live(feed) == {third: [1, 0, 0, 0]}
    assert list(feed.batches(feed.position())) == []
    assert feed.count() == 1


def test_a_feed_in_small_batches_tells_the_same(store, make_source):
    store.replace_source(*make_source("/a", [f"{n}" for n in range(25)]))
    store.add_vectors(ONE, ids_of(store, "/a"), numpy.random.default_rng(7).normal(size=(25, 4)).astype("f4"))
    feed = store.feed(ONE)

    positions = [batch.position for batch in feed.batches(size=10)]

    assert positions == [10, 20, 25]
    assert live(feed, size=10) == live(feed)


def test_what_is_removed_while_a_feed_is_read_follows_with_the_next_reading(store, make_source):
    store.replace_source(*make_source("/a", ["one"]))
    store.replace_source(*make_source("/b", ["two"]))
    (first,), (second,) = ids_of(store, "/a"), ids_of(store, "/b")
    store.add_vectors(ONE, [first, second], rows(2))
    feed = store.feed(ONE)

    reading = feed.batches(size=1)
    seen = [next(reading)]
    store.remove_sources(["/a"])
    seen += reading

    assert [batch.ids.tolist() for batch in seen] == [[first], [second]]
    assert seen[-1].position == 2
    assert [batch.removed.tolist() for batch in feed.batches(2)] == [[first]]


def test_rows_are_the_live_ones_among_the_ids(store, make_source):
    store.replace_source(*make_source("/a", ["one", "two"]))
    first, second = ids_of(store, "/a")
    store.add_vectors(ONE, [first], rows(1))

    batch = store.feed(ONE).rows([second, first, ChunkId(99)])

    assert (batch.ids.tolist(), batch.rows.tolist()) == ([first], [[1, 0, 0, 0]])
    assert store.feed(OTHER).rows([first]).rows.shape == (0, 2)


def test_models_are_kept_apart(store, make_source):
    store.replace_source(*make_source("/a", ["one"]))
    (id,) = ids_of(store, "/a")
    store.add_vectors(ONE, [id], rows(1))
    store.add_vectors(OTHER, [id], rows(1, 2))

    assert store.models() == {ONE: 1, OTHER: 1}
    assert live(store.feed(ONE)) == {id: [1, 0, 0, 0]}
    assert live(store.feed(OTHER)) == {id: [1, 0]}
    assert live(store.feed(ModelIdentity("one", "d1", 2))) == {}


def test_dropping_the_other_models_keeps_one_and_lets_a_dropped_one_come_back_as_new(store, make_source, count_rows):
    store.replace_source(*make_source("/a", [f"{n}" for n in range(300)]))
    ids = ids_of(store, "/a")
    matrix = numpy.ones((300, 4), dtype=numpy.float32)
    matrix[7] = 0
    store.add_vectors(ONE, ids, matrix)
    store.add_vectors(OTHER, ids[:1], rows(1, 2))
    feed = store.feed(ONE)
    epoch = feed.epoch
    assert feed.publish(generation(feed, 1))

    assert store.drop_other_models(OTHER) == 299

    assert store.models() == {OTHER: 1}
    assert (count_rows("vectors"), count_rows("vectorless"), count_rows("generations")) == (1, 0, 0)
    assert feed.generation("local") is None
    store.add_vectors(ONE, ids[:1], rows(1))
    assert feed.epoch != epoch
    assert live(feed) == {ids[0]: [1, 0, 0, 0]}


def test_a_generation_is_published_and_replaced_by_a_newer_one(store, make_source):
    store.replace_source(*make_source("/a", ["one"]))
    store.add_vectors(ONE, ids_of(store, "/a"), rows(1))
    feed = store.feed(ONE)
    first, second = generation(feed, 1), generation(feed, 2)

    assert feed.generation("local") is None
    assert feed.publish(first) is True
    assert feed.publish(first) is False
    assert feed.publish(second) is True
    assert feed.publish(first) is False

    assert feed.generation("local") == second
    assert feed.generation("another") is None
    assert store.feed(OTHER).generation("local") is None


def test_a_generation_is_refused_when_a_vector_went_after_its_position(store, make_source):
    store.replace_source(*make_source("/a", ["one", "two"]))
    store.replace_source(*make_source("/b", ["three"]))
    store.add_vectors(ONE, ids_of(store, "/a"), rows(2))
    feed = store.feed(ONE)
    stale = generation(feed, 1)
    store.remove_sources(["/a"])

    assert feed.publish(stale) is False

    assert feed.generation("local") is None
    assert feed.publish(generation(feed, 1)) is True


def test_a_generation_of_another_epoch_is_refused(store, device, make_source):
    store.replace_source(*make_source("/a", ["one"]))
    store.add_vectors(ONE, ids_of(store, "/a"), rows(1))
    feed = store.feed(ONE)
    stale = generation(feed, 1)
    with closing(sqlite3.connect(device.folder.store_file(store.workspace), isolation_level=None)) as restoring:
        restoring.execute("UPDATE meta SET value = 'restored' WHERE key = 'epoch'")

    assert feed.publish(stale) is False
    assert feed.publish(generation(feed, 1)) is True


def test_halves_keep_what_floats_say(store, make_source):
    store.replace_source(*make_source("/a", ["x"] * 50))
    matrix = numpy.random.default_rng(3).normal(size=(50, 4)).astype(numpy.float32)
    matrix /= numpy.linalg.norm(matrix, axis=1, keepdims=True)
    store.add_vectors(ONE, ids_of(store, "/a"), matrix)

    kept = numpy.array(list(live(store.feed(ONE)).values()))

    assert numpy.abs(kept - matrix).max() < 1e-3
