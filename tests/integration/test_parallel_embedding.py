"""Much to embed is shared out among real processes: the same vectors, in order, whatever becomes of a process."""

import numpy
import pytest

from imprint.adapters.worker_processes import WorkerProcesses
from imprint.domain.identifiers import ToEmbed, embedding_text
from imprint.domain.sources import ChunkId, SourceKind
from imprint.protocols.stores import PendingChunk
from imprint.services.embedding_batches import make_batches
from imprint.services.parallel_embedding import embed_batches
from imprint.testing.embedders import FakeEmbedder
from imprint_memvec.embedder import load_embedder

PROGRAM = """
import os
from imprint.adapters.worker_processes import serve_tasks
from imprint.services.parallel_embedding import embed_parts
from imprint.testing.embedders import FakeEmbedder
def prepare(setup):
    name, fatal = setup
    embedder = FakeEmbedder(name=name)
    def handle(parts):
        if any(part.text == fatal for part in parts):
            os._exit(139)
        return embedder.identity, embed_parts(embedder, parts)
    return handle
serve_tasks(prepare)
"""
SERVE = "from imprint.bootstrap import serve_embedding; serve_embedding()"
TEXTS = [f"alpha {number} beta {number % 7}" for number in range(2_100)]


class Watched(FakeEmbedder):
    """Remembers what it embedded itself."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []

    def embed_documents(self, texts):
        self.embedded += texts
        return super().embed_documents(texts)


@pytest.fixture
def stretches(store, make_source):
    """What waits in a store: pieces of code, and a conversation whose turns are blended with their neighbours."""
    store.replace_source(*make_source("session:1", TEXTS[:500], kind=SourceKind.CONVERSATION, path=None))
    for start in range(500, len(TEXTS), 200):
        store.replace_source(*make_source(f"/project/{start}.py", TEXTS[start : start + 200]))

    def read(limit: int = len(TEXTS)):
        after = ChunkId(0)
        while limit > 0 and (found := store.pending(FakeEmbedder().identity, after=after, limit=min(limit, 200))):
            yield found
            limit -= len(found)
            after = found[-1].id

    return read


def workers(name: str = FakeEmbedder().identity.name, fatal: str = "") -> WorkerProcesses:
    return WorkerProcesses(count=2, program=PROGRAM, setup=(name, fatal))


def embed(store, stretches, embedder, helpers) -> tuple[list[PendingChunk], numpy.ndarray]:
    done = list(embed_batches(embedder, make_batches(store, stretches), lambda: helpers))
    return [chunk for batch, _ in done for chunk in batch.pending], numpy.concatenate([rows for _, rows in done])


def test_vectors_are_the_same_by_one_process_and_by_several(store, stretches):
    alone, watched = Watched(), Watched()

    expected, rows = embed(store, stretches(), alone, None)
    found, shared_rows = embed(store, stretches(), watched, workers())

    assert [chunk.chunk.text for chunk in found] == [chunk.chunk.text for chunk in expected] == TEXTS
    numpy.testing.assert_array_equal(shared_rows, rows)
    assert watched.embedded == []


def test_little_to_embed_starts_no_process(store, stretches):
    watched = Watched()

    def refuse():
        raise AssertionError("no process was needed")

    done = list(embed_batches(watched, make_batches(store, stretches(limit=1_000)), refuse))

    assert sum(len(rows) for _, rows in done) == 1_000
    assert len(watched.embedded) >= 1_000


def test_what_ends_a_process_is_embedded_here_with_all_that_follows(store, stretches):
    watched = Watched()
    expected, rows = embed(store, stretches(), Watched(), None)

    found, after_a_crash = embed(store, stretches(), watched, workers(fatal=TEXTS[1_500]))

    assert found == expected
    numpy.testing.assert_array_equal(after_a_crash, rows)
    assert TEXTS[1_500] in watched.embedded
    assert TEXTS[-1] in watched.embedded
    assert TEXTS[0] not in watched.embedded


def test_rows_of_another_model_are_not_taken(store, stretches):
    watched = Watched()
    _, rows = embed(store, stretches(), Watched(), None)

    _, found = embed(store, stretches(), watched, workers(name="another"))

    numpy.testing.assert_array_equal(found, rows)
    assert TEXTS[0] in watched.embedded


def test_processes_open_the_chosen_embedder():
    embedder = load_embedder()
    helpers = WorkerProcesses(count=2, program=SERVE, setup=((), "memvec", ""))
    tasks = [
        [ToEmbed("def load(): pass", "load", is_code=True), ToEmbed("x", "", is_code=False)],
        [ToEmbed("a question", "", is_code=False), ToEmbed("naïve 中文 words", "A > B", is_code=False)],
    ]

    results = list(helpers.map(tasks))

    for parts, (identity, rows) in zip(tasks, results, strict=True):
        assert identity == embedder.identity
        numpy.testing.assert_array_equal(rows, embedder.embed_documents([embedding_text(part) for part in parts]))
