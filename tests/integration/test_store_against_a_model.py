"""The store against a naive model of it: dictionaries and lists."""

import itertools
import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path, PurePosixPath

import attrs
import numpy
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.registry_db import open_registry
from imprint.adapters.store_db import SqliteStoreOpener
from imprint.domain.identifiers import index_text
from imprint.domain.purge import Exclusion, is_excluded
from imprint.domain.sources import Chunk, ChunkId, Source, SourceKey, SourceKind, WorkspaceName
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.stores import Replacement
from imprint.protocols.text_indexes import ChunkFilter, TextQuery

WORKSPACE = WorkspaceName("default")
KEYS = [SourceKey(key) for key in ("/w/a", "/w/b", "/v/c", "memory:1")]
WORDS = ["apple", "pear", "plum"]
MODELS = [ModelIdentity("one", "1", 3), ModelIdentity("two", "2", 5)]

small_texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), max_size=4)
large_texts = st.sampled_from(WORDS).map(lambda word: [f"{word} {number}" for number in range(203)])
texts = st.integers(0, 9).flatmap(lambda chance: small_texts if chance else large_texts)


class RushingClock(SystemClock):
    """There is always time enough: bulk writes make no pauses."""

    _seconds = 0.0

    def monotonic(self) -> float:
        self._seconds += 1
        return self._seconds


@attrs.define
class Follower:
    """What a vector backend does: it keeps rows up to date by the feed alone."""

    epoch: str = ""
    position: int = 0
    rows: dict[int, bytes] = attrs.field(factory=dict)

    def catch_up(self, feed, size: int) -> None:
        if feed.epoch != self.epoch:
            self.epoch, self.position, self.rows = feed.epoch, 0, {}
        for batch in feed.batches(self.position, size=size):
            for id in batch.removed.tolist():
                self.rows.pop(id, None)
            for id, row in zip(batch.ids.tolist(), batch.rows, strict=True):
                assert id not in self.rows
                self.rows[id] = row.tobytes()
            assert batch.position > self.position
            self.position = batch.position
        assert self.position == feed.position()


class StoreMachine(RuleBasedStateMachine):
    """Whatever is done to the store, everything it says is what the model says."""

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.closing = ExitStack()
        self.sources: dict[SourceKey, list[str]] = {}
        self.exclusions: set[tuple[str, bool]] = set()
        self.seen: dict[ModelIdentity, set[ChunkId]] = {model: set() for model in MODELS}
        self.followers = {model: Follower() for model in MODELS}
        self._open()

    def _open(self) -> None:
        clock, folder = RushingClock(), DataFolder(self.folder)
        self.registry = self.closing.enter_context(open_registry(folder, clock))
        self.store = self.closing.enter_context(SqliteStoreOpener(folder, self.registry, clock).open(WORKSPACE))

    def teardown(self) -> None:
        self.closing.close()
        shutil.rmtree(self.folder)

    @rule()
    def reopen(self) -> None:
        self.closing.close()
        self._open()

    @rule(
        batch=st.lists(st.tuples(st.sampled_from(KEYS), texts), min_size=1, max_size=3),
        model=st.sampled_from([None, *MODELS]),
    )
    def replace(self, batch: list[tuple[SourceKey, list[str]]], model: ModelIdentity | None) -> None:
        expected, given = [], []
        for key, some in batch:
            source = Source(
                key=key,
                kind=SourceKind.MEMORY if key.startswith("memory:") else SourceKind.CODE,
                path=PurePosixPath(key) if key.startswith("/") else None,
                mtime_ns=len(some),
                size=0,
            )
            chunks = [Chunk(text=text) for text in some]
            given.append((source, [(chunk, index_text(chunk, source)) for chunk in chunks]))
            if is_excluded(source, self._exclusions()):
                expected.append(Replacement.EXCLUDED)
            else:
                expected.append(Replacement.CHANGED if key in self.sources else Replacement.ADDED)
                self.sources[key] = some

        assert self.store.replace_sources(given) == expected
        if model:
            self.embed(model, limit=1000, known=True)

    @rule(keys=st.lists(st.sampled_from(KEYS), min_size=1, max_size=3))
    def remove(self, keys: list[SourceKey]) -> None:
        removed = {key for key in keys if self.sources.pop(key, None) is not None}

        assert self.store.remove_sources(keys) == len(removed)

    @rule(place=st.sampled_from(["/w/a", "memory:1"]), recursive=st.booleans())
    def exclude(self, place: str, recursive: bool) -> None:
        self.registry.add_exclusion(Exclusion(workspace=WORKSPACE, target=place, recursive=recursive, added_at=""))
        if recursive:
            self.exclusions.discard((place, False))
            self.exclusions.add((place, True))
        elif (place, True) not in self.exclusions:
            self.exclusions.add((place, False))

    @rule()
    def include_everything(self) -> None:
        targets = [target for target, _ in self.exclusions]

        assert self.registry.remove_exclusions(WORKSPACE, targets) == len(targets)

        self.exclusions.clear()

    @rule(model=st.sampled_from(MODELS), limit=st.sampled_from([2, 300]), known=st.booleans())
    def embed(self, model: ModelIdentity, limit: int, known: bool) -> None:
        live = {chunk.id for chunk in self._chunks()}
        waiting = self.store.pending(model, after=ChunkId(0), limit=limit)
        assert [one.id for one in waiting] == sorted(live - self.seen[model])[:limit]
        matrix = numpy.ones((len(waiting), model.width), dtype=numpy.float32) if known else None
        if matrix is None:
            matrix = numpy.zeros((len(waiting), model.width), dtype=numpy.float32)

        added = self.store.add_vectors(model, [one.id for one in waiting], matrix)

        assert added == (len(waiting) if known else 0)
        self.seen[model] |= {one.id for one in waiting}

    @rule(keep=st.sampled_from(MODELS))
    def drop_other_models(self, keep: ModelIdentity) -> None:
        expected = sum(count for model, count in self.store.models().items() if model != keep)

        assert self.store.drop_other_models(keep) == expected

        for model in MODELS:
            if model != keep:
                self.seen[model].clear()

    @rule(model=st.sampled_from(MODELS), size=st.sampled_from([1, 7]))
    def follow_in_small_steps(self, model: ModelIdentity, size: int) -> None:
        fresh = Follower()
        fresh.catch_up(self.store.feed(model), size)

        assert fresh.rows == self.followers[model].rows

    @rule()
    def tidy(self) -> None:
        self.store.tidy()

    @rule(word=st.sampled_from(WORDS), limit=st.sampled_from([1, 2]))
    def search_for_a_few(self, word: str, limit: int) -> None:
        hits = self.store.match(TextQuery(terms=(word,)), limit, ChunkFilter())

        assert len(hits) == min(limit, len(self._texts_with(word)))

    @invariant()
    def every_word_is_found_where_it_is(self) -> None:
        for word, key in itertools.product(WORDS if hasattr(self, "store") else [], ["", "/w/a"]):
            hits = self.store.match(TextQuery(terms=(word,)), 1000, ChunkFilter(source_glob=key))
            found = self.store.chunks([hit.id for hit in hits])
            assert len(found) == len(hits)
            assert sorted((chunk.source.key, chunk.chunk.text) for chunk in found) == self._texts_with(word, key)

    @invariant()
    def backends_can_follow(self) -> None:
        for model in MODELS if hasattr(self, "store") else []:
            feed = self.store.feed(model)
            self.followers[model].catch_up(feed, 1000)
            fresh = Follower()
            fresh.catch_up(feed, 1000)
            assert self.followers[model].rows == fresh.rows
            assert set(fresh.rows) <= {chunk.id for chunk in self._chunks()}
            assert len(fresh.rows) == feed.count() == self.store.models().get(model, 0)

    @invariant()
    def everything_is_as_the_model_says(self) -> None:
        if not hasattr(self, "store"):
            return
        stored = list(self.store.sources())
        assert [one.source.key for one in stored] == sorted(self.sources)
        assert {one.source.key: one.chunks for one in stored} == {key: len(some) for key, some in self.sources.items()}
        for key, some in self.sources.items():
            assert [chunk.chunk.text for chunk in self.store.source_chunks(key)] == some
        total = sum(map(len, self.sources.values()))
        assert self.store.chunk_count() == self.store.counts().chunks == total
        assert set(self.store.file_states(PurePosixPath("/w"))) == {
            key for key in self.sources if key.startswith("/w/")
        }
        for model in MODELS:
            self.seen[model] &= {chunk.id for chunk in self._chunks()}

    def _texts_with(self, word: str, key: str = "") -> list[tuple[str, str]]:
        return sorted(
            (known, text) for known, some in self.sources.items() if key in ("", known) for text in some if word in text
        )

    def _chunks(self):
        return [chunk for key in self.sources for chunk in self.store.source_chunks(key)]

    def _exclusions(self) -> list[Exclusion]:
        return [
            Exclusion(workspace=WORKSPACE, target=target, recursive=recursive, added_at="")
            for target, recursive in self.exclusions
        ]


TestStore = StoreMachine.TestCase
TestStore.settings = settings(max_examples=settings().max_examples // 2, stateful_step_count=15)
