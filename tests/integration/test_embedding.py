"""The embedding pass over a real store, with the local backend."""

import re
from contextlib import nullcontext
from pathlib import Path

import attrs
import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from imprint.default_plugins.local_vectors import open_vector_backend
from imprint.domain.sources import ChunkId, SourceKey, SourceKind
from imprint.errors import InvalidVectorsError
from imprint.plugins import VectorBackendSettings
from imprint.services.embedding import Embedding, EmbeddingReport
from imprint.testing.embedders import FakeEmbedder
from imprint.testing.fakes import FixedClock

WORDS = re.findall(
    r"\w+", "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau"
)


@attrs.define
class Told:
    """A `Progress` that remembers."""

    activities: list[str] = attrs.field(factory=list)
    count: int = 0
    bytes: int = 0
    total: int | None = None
    current: str = ""

    def start(self, activity: str, total_bytes: int | None) -> None:
        self.activities.append(activity)
        self.total = total_bytes

    def advance(self, count: int, bytes: int, current: str) -> None:
        self.count += count
        self.bytes += bytes
        self.current = current

    def finish(self) -> None:
        raise AssertionError("whoever began the run ends it")


@pytest.fixture
def make_embedding(tmp_path: Path):
    deleted = []

    def make_embedding(embedder=None, threshold: int = 50) -> Embedding:
        embedder = embedder or FakeEmbedder()

        def open_backend(workspace, feed):
            folder = tmp_path / "index" / feed.model.digest[:16]
            return open_vector_backend(VectorBackendSettings(folder=folder, feed=feed, snapshot_threshold=threshold))

        return Embedding(
            open_embedder=lambda: nullcontext(embedder),
            open_backend=open_backend,
            delete_index=lambda workspace, model: deleted.append((workspace, model)),
            clock=FixedClock(),
        )

    make_embedding.deleted = deleted
    return make_embedding


def fill(store, make_source, sources: int, chunks: int) -> None:
    for number in range(sources):
        texts = [f"{WORDS[number % 19]} {WORDS[place % 19]} text {number} {place}" for place in range(chunks)]
        store.replace_source(*make_source(f"/project/{number}.py", texts))


def vectors_of(store, embedder) -> dict[int, list[float]]:
    return {
        int(id): row.astype(numpy.float32)
        for batch in store.feed(embedder.identity).batches()
        for id, row in zip(batch.ids, batch.rows, strict=True)
    }


def test_every_chunk_gets_its_vector_and_is_found_by_it(store, make_source, make_embedding):
    fill(store, make_source, sources=30, chunks=20)
    embedding, embedder, told = make_embedding(), FakeEmbedder(), Told()

    report = embedding.run(store, told)

    assert report == EmbeddingReport(embedded=600, text_bytes=told.bytes)
    assert (told.activities, told.count) == (["embed"], 600)
    assert store.models() == {embedder.identity: 600}
    assert store.feed(embedder.identity).generation("local").rows == 600
    with embedding.open_backend(store.workspace, store.feed(embedder.identity)) as backend:
        best = backend.search(embedder.embed_query("theta theta text 7 7"), 1)[0]
    [found] = store.chunks([best.id])
    assert found.chunk.text == "theta theta text 7 7"


@pytest.mark.parametrize("sources", [1, 30])
def test_progress_knows_beforehand_how_much_there_is(store, make_source, make_embedding, sources: int):
    fill(store, make_source, sources=sources, chunks=20)
    told = Told()

    make_embedding().run(store, told)

    assert told.total == told.bytes > 0


def test_texts_that_the_model_knows_nothing_of_are_noted_and_not_asked_for_again(store, make_source, make_embedding):
    store.replace_source(*make_source("/a.py", ["alpha", "🙂", "日本語"]))

    first = make_embedding().run(store, Told())
    told = Told()
    second = make_embedding().run(store, told)

    assert (first.embedded, first.without_vector, first.complete) == (1, 2, True)
    assert second == EmbeddingReport()
    assert told.activities == []


def test_a_pass_that_is_stopped_keeps_its_batches_and_a_later_one_completes_it(store, make_source, make_embedding):
    fill(store, make_source, sources=5, chunks=100)
    asked = iter([False, True])

    first = make_embedding().run(store, Told(), stop=lambda: next(asked))
    second = make_embedding().run(store, Told())

    assert (first.embedded, first.complete) == (200, False)
    assert (second.embedded, second.complete) == (300, True)


def test_ctrl_c_between_batches_keeps_what_is_done(store, make_source, make_embedding):
    fill(store, make_source, sources=5, chunks=100)

    @attrs.define
    class Impatient(Told):
        def advance(self, *_: object) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_embedding().run(store, Impatient())

    assert store.models() == {FakeEmbedder().identity: 200}
    assert make_embedding().run(store, Told()).embedded == 300


def test_an_embedder_that_fails_midway_leaves_what_was_written(store, make_source, make_embedding):
    fill(store, make_source, sources=5, chunks=100)

    class Breaking(FakeEmbedder):
        def embed_documents(self, texts):
            rows = super().embed_documents(texts)
            if any("text 4 0" in text for text in texts):
                rows[0] = numpy.nan
            return rows

    with pytest.raises(InvalidVectorsError):
        make_embedding(Breaking()).run(store, Told())

    assert store.models() == {FakeEmbedder().identity: 400}
    assert make_embedding().run(store, Told()).embedded == 100


def test_another_models_vectors_stay_until_the_pass_over_all_chunks_is_complete(store, make_source, make_embedding):
    fill(store, make_source, sources=5, chunks=100)
    old, new = FakeEmbedder(name="old"), FakeEmbedder(name="new", width=24)
    make_embedding(old).run(store, Told())
    asked = iter([False, False, True])

    make_embedding(new).run(store, Told(), stop=lambda: next(asked))
    assert store.models() == {old.identity: 500, new.identity: 400}
    assert make_embedding.deleted == []

    make_embedding(new).run(store, Told())
    assert store.models() == {new.identity: 500}
    assert make_embedding.deleted == [(store.workspace, old.identity)]


def test_without_an_embedder_nothing_happens(store, make_source, make_embedding):
    store.replace_source(*make_source("/a.py", ["alpha"]))

    report = attrs.evolve(make_embedding(), open_embedder=None).run(store, Told())

    assert report == EmbeddingReport()
    assert store.models() == {}


def test_code_is_embedded_with_its_identifiers_split(store, make_source, make_embedding):
    store.replace_source(*make_source("/a.py", ["parseHttpHeader"]))
    embedder = FakeEmbedder()

    make_embedding(embedder).run(store, Told())

    [row] = vectors_of(store, embedder).values()
    assert float(row @ embedder.embed_query("parse http header")) == pytest.approx(1, abs=1e-2)


def conversation(make_source, texts):
    return make_source("session:1", texts, kind=SourceKind.CONVERSATION, path=None)


def blended(embedder, texts):
    """The rule, said once more in the plainest way."""
    alone = [embedder.embed_query(text) for text in texts]
    rows = []
    for place, own in enumerate(alone):
        beside = alone[max(place - 1, 0) : place] + alone[place + 1 : place + 2]
        mixed = own + 0.5 * (sum(beside) / len(beside) if beside else 0)
        rows.append(mixed / numpy.linalg.norm(mixed) if own.any() else own)
    return rows


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join), min_size=1, max_size=12),
    st.integers(0, 10**9),
)
def test_a_turns_vector_takes_half_the_mean_of_its_neighbours(store, make_source, make_embedding, texts, number):
    source, chunks = make_source(f"session:{number}", texts, kind=SourceKind.CONVERSATION, path=None)
    store.replace_source(source, chunks)
    embedder = FakeEmbedder()

    make_embedding(embedder).run(store, Told())

    known = vectors_of(store, embedder)
    rows = [known[turn.id] for turn in store.source_chunks(source.key)]
    numpy.testing.assert_allclose(rows, blended(embedder, texts), atol=2e-3)


def test_neighbours_are_taken_across_the_edges_of_batches(store, make_source, make_embedding):
    texts = [f"{WORDS[place % 19]} {WORDS[place * 7 % 19]} {place}" for place in range(450)]
    store.replace_source(*conversation(make_source, texts))
    embedder = FakeEmbedder()

    make_embedding(embedder).run(store, Told())

    known = vectors_of(store, embedder)
    rows = [known[turn.id] for turn in store.source_chunks(SourceKey("session:1"))]
    numpy.testing.assert_allclose(rows, blended(embedder, texts), atol=2e-3)


def test_a_turn_without_words_gets_none_from_its_neighbours(store, make_source, make_embedding):
    store.replace_source(*conversation(make_source, ["alpha", "🙂", "beta"]))
    embedder = FakeEmbedder()

    report = make_embedding(embedder).run(store, Told())

    assert (report.embedded, report.without_vector) == (2, 1)


def test_a_chunk_that_goes_while_it_is_embedded_leaves_no_vector(store, make_source, make_embedding, open_device):
    fill(store, make_source, sources=2, chunks=3)

    class Slow(FakeEmbedder):
        def embed_documents(self, texts):
            with open_device() as other, other.stores.open(store.workspace) as theirs:
                theirs.remove_sources([SourceKey("/project/0.py")])
            return super().embed_documents(texts)

    report = make_embedding(Slow()).run(store, Told())

    assert report.embedded == 3
    left = {chunk.id for chunk in store.source_chunks(SourceKey("/project/1.py"))}
    assert set(vectors_of(store, FakeEmbedder())) == left
    assert store.pending(FakeEmbedder().identity, after=ChunkId(0), limit=10) == []
