"""The feed that vector backends are checked with tells the same story as a real store's."""

import random

import numpy
import pytest

from imprint.domain.sources import SourceKey
from imprint.protocols.embedders import ModelIdentity
from imprint.testing.feeds import FakeFeed

WIDTH = 8
MODEL = ModelIdentity("one", "d1", WIDTH)


class Follower:
    """What a vector backend knows after it has read the batches, in stretches of its own."""

    def __init__(self, feed):
        self.feed = feed
        self.position = 0
        self.rows = {}

    def catch_up(self, size):
        for batch in self.feed.batches(self.position, size=size):
            assert self.position < batch.position <= self.feed.position()
            self.rows.update(zip(batch.ids.tolist(), batch.rows.tolist(), strict=True))
            for id in batch.removed.tolist():
                self.rows.pop(id, None)
            self.position = batch.position
        assert self.position == self.feed.position()
        assert len(self.rows) == self.feed.count()
        return self.rows


@pytest.mark.parametrize("seed", range(6))
def test_fake_feed_and_store_tell_followers_the_same(store, make_source, seed):
    chance = random.Random(seed)
    real, fake = store.feed(MODEL), FakeFeed(WIDTH)
    early = Follower(real), Follower(fake)
    vectors = {}

    for _ in range(40):
        key = SourceKey(f"/{chance.randrange(4)}")
        fake.remove(vectors.pop(key, []))
        if chance.random() < 0.3:
            store.remove_sources([key])
        else:
            store.replace_source(*make_source(key, [f"{chance.random()}" for _ in range(chance.randrange(1, 5))]))
            ids = [chunk.id for chunk in store.source_chunks(key)]
            rows = numpy.eye(WIDTH, dtype=numpy.float32)[[chance.randrange(WIDTH) for _ in ids]]
            store.add_vectors(MODEL, ids, rows)
            fake.add(ids, rows)
            vectors[key] = ids
        if chance.random() < 0.4:
            size = chance.randrange(1, 6)
            assert early[0].catch_up(size) == early[1].catch_up(size)
        late = Follower(real).catch_up(3)
        assert late == Follower(fake).catch_up(3) == early[0].catch_up(100)
