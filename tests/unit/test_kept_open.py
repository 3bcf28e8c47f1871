"""What a long-lived process keeps open: opened once, used by one thread at a time, let go of when it must be."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from imprint.domain.sources import WorkspaceName
from imprint.protocols.embedders import ModelIdentity
from imprint.services.kept_open import KeptOpen
from imprint.testing.feeds import FakeFeed

MODEL = ModelIdentity("fake", "d", 4)
ACME = WorkspaceName("acme")


class Backends:
    """Opens indexes that remember what became of them."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.closed: list[str] = []
        self.feeds: dict[str, object] = {}

    @contextmanager
    def open(self, workspace, feed) -> Iterator[str]:
        name = f"{workspace}/{len(self.opened)}"
        self.opened.append(name)
        self.feeds[name] = feed
        yield name
        self.closed.append(name)


@pytest.fixture
def kept() -> Iterator[KeptOpen]:
    kept = KeptOpen()
    yield kept
    kept.close()


def test_an_index_is_opened_once_and_kept(kept: KeptOpen):
    backends = Backends()

    for _ in range(3):
        with kept.index(ACME, FakeFeed(), backends.open) as index:
            assert index == "acme/0"

    assert (backends.opened, backends.closed) == (["acme/0"], [])


def test_an_index_talks_to_the_feed_of_whoever_uses_it(kept: KeptOpen):
    backends = Backends()
    first, second = FakeFeed(), FakeFeed()
    with kept.index(ACME, first, backends.open):
        assert backends.feeds["acme/0"].epoch == first.epoch  # type: ignore[attr-defined]

    second.epoch = "another life"
    with kept.index(ACME, second, backends.open):
        assert backends.feeds["acme/0"].epoch == "another life"  # type: ignore[attr-defined]


def test_after_an_error_an_index_is_opened_anew(kept: KeptOpen):
    backends = Backends()
    with pytest.raises(RuntimeError), kept.index(ACME, FakeFeed(), backends.open):
        raise RuntimeError

    with kept.index(ACME, FakeFeed(), backends.open) as index:
        assert index == "acme/1"


def test_of_too_many_indexes_the_one_that_was_longest_not_used_is_let_go(kept: KeptOpen):
    backends = Backends()
    names = [WorkspaceName(f"w{number}") for number in range(8)]
    for name in names:
        with kept.index(name, FakeFeed(), backends.open):
            pass
    with kept.index(names[0], FakeFeed(), backends.open):
        pass

    with kept.index(ACME, FakeFeed(), backends.open):
        pass

    assert backends.closed == ["w1/1"]


def test_an_index_in_use_is_not_let_go_of_and_nobody_waits_for_it(kept: KeptOpen):
    backends = Backends()
    names = [WorkspaceName(f"w{number}") for number in range(9)]
    with kept.index(names[0], FakeFeed(), backends.open):
        for name in names[1:]:
            with kept.index(name, FakeFeed(), backends.open):
                pass

    assert backends.closed == ["w1/1"]


def test_one_thread_at_a_time_uses_an_index(kept: KeptOpen):
    backends = Backends()
    inside: list[int] = []
    most: list[int] = []

    def use(number: int) -> None:
        with kept.index(ACME, FakeFeed(), backends.open):
            inside.append(number)
            most.append(len(inside))
            threading.Event().wait(0.005)
            inside.remove(number)

    threads = [threading.Thread(target=use, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert most == [1] * 8
    assert backends.opened == ["acme/0"]


def test_closing_lets_go_of_everything_once():
    backends = Backends()
    kept = KeptOpen()
    with kept.index(ACME, FakeFeed(), backends.open):
        pass

    kept.close()
    kept.close()

    assert backends.closed == ["acme/0"]


class Embedding:
    """An embedder that counts how often it was opened."""

    identity = MODEL

    def __init__(self, *, fails_first: bool = False) -> None:
        self.opened = 0
        self.closed = 0
        self._fails = fails_first

    @contextmanager
    def open(self) -> Iterator["Embedding"]:
        self.opened += 1
        if self._fails and self.opened == 1:
            raise RuntimeError("not yet")
        yield self
        self.closed += 1

    def embed_query(self, text: str) -> str:
        return text.upper()


def test_the_embedder_is_opened_once_and_kept():
    embedding = Embedding()
    kept = KeptOpen()

    for _ in range(2):
        with kept.embedder(embedding.open) as embedder:  # type: ignore[arg-type]
            assert embedder.embed_query("a") == "A"  # type: ignore[comparison-overlap]
    kept.close()

    assert (embedding.opened, embedding.closed) == (1, 1)


def test_an_embedder_that_could_not_be_opened_is_tried_again():
    embedding = Embedding(fails_first=True)
    kept = KeptOpen()
    with pytest.raises(RuntimeError), kept.embedder(embedding.open):  # type: ignore[arg-type]
        pass

    with kept.embedder(embedding.open) as embedder:  # type: ignore[arg-type]
        assert embedder.identity == MODEL
    kept.close()
