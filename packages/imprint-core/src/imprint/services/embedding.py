"""The second pass over what was indexed: every chunk gets its vector, while its text is searchable already."""

from collections.abc import Callable, Iterator
from contextlib import closing

import attrs

from imprint.domain.sources import ChunkId, WorkspaceName
from imprint.failpoints import reach
from imprint.protocols.clocks import Clock
from imprint.protocols.embedders import Embedder, ModelIdentity
from imprint.protocols.progress import Progress
from imprint.protocols.stores import PendingChunk, WorkspaceStore
from imprint.protocols.workers import Workers
from imprint.services.embedding_batches import make_batches
from imprint.services.parallel_embedding import embed_batches, embed_parts
from imprint.services.search import BackendOpener, EmbedderOpener

__all__ = ["Embedding", "EmbeddingReport"]

_ROWS_AT_ONCE = 200
"""What the store writes in one transaction."""

_FIRST_COMPACTION = 20_000
_COMPACTION_GROWTH = 4
"""After so many rows, and at so many times as many, the index is compacted: searches meanwhile read few rows anew."""


@attrs.frozen(kw_only=True)
class EmbeddingReport:
    """What a pass did.

    Attributes:
        embedded: Chunks that got a vector.
        without_vector: Chunks whose text the model knows nothing of.
        text_bytes: Size of those chunks, in UTF-8.
        complete: Nothing is left to embed; false when the pass was stopped.
    """

    embedded: int = 0
    without_vector: int = 0
    text_bytes: int = 0
    seconds: float = 0.0
    complete: bool = True


@attrs.frozen(kw_only=True)
class Embedding:
    """The use case.

    Attributes:
        open_embedder: `None` where the user wants no vectors.
        delete_index: Deletes the derived files of a model whose vectors are about to go.
        open_workers: Processes that help with much work (see `imprint.services.parallel_embedding`), where they can.
    """

    open_embedder: EmbedderOpener | None
    open_backend: BackendOpener
    delete_index: Callable[[WorkspaceName, ModelIdentity], None]
    clock: Clock
    open_workers: Callable[[], Workers | None] = lambda: None

    def run(
        self, store: WorkspaceStore, progress: Progress, *, stop: Callable[[], bool] = lambda: False
    ) -> EmbeddingReport:
        """Embed every chunk that the model has not seen, then compact the index; the workspace's lock is held.

        Each batch is kept as it is written, so a pass that ends early, however it ends, is completed by any later one.
        Vectors of other models go only when all chunks have theirs of this one.

        Raises:
            PluginError: The embedder or the vector backend fails; what was written is kept.
            StoreError: The store or the index cannot be written; likewise.
        """
        if self.open_embedder is None:
            return EmbeddingReport()
        begun = self.clock.monotonic()
        with self.open_embedder() as embedder:
            model = embedder.identity
            with self.open_backend(store.workspace, store.feed(model)) as backend:
                report = _embed_pending(store, embedder, self.open_workers, progress, stop, backend.compact)
                backend.compact()
            if report.complete:
                self._drop_other_models(store, model)
        return attrs.evolve(report, seconds=self.clock.monotonic() - begun)

    def run_after(self, store: WorkspaceStore, before: ChunkId) -> None:
        """Embed what was written since a chunk, without the workspace's lock: a few chunks, and nothing is compacted.

        Raises:
            PluginError: The embedder fails; the chunks wait for the next pass.
            StoreError: The store cannot be written; likewise.
        """
        if self.open_embedder is None:
            return
        with self.open_embedder() as embedder:
            pending = store.pending(embedder.identity, after=before, limit=_ROWS_AT_ONCE)
            for batch in make_batches(store, [pending] if pending else []):
                store.add_vectors(embedder.identity, batch.ids, batch.blend(embed_parts(embedder, batch.parts)))

    def _drop_other_models(self, store: WorkspaceStore, keep: ModelIdentity) -> None:
        for model in store.models().keys() - {keep}:
            self.delete_index(store.workspace, model)
            reach("model-index.deleted")
        store.drop_other_models(keep)  # also what a killed pass dropped and had not removed yet


def _embed_pending(
    store: WorkspaceStore,
    embedder: Embedder,
    open_workers: Callable[[], Workers | None],
    progress: Progress,
    stop: Callable[[], bool],
    compact: Callable[[], object],
) -> EmbeddingReport:
    embedded = without_vector = text_bytes = 0
    next_compaction = _FIRST_COMPACTION
    complete = True
    batches = make_batches(store, _read_pending(store, embedder.identity))
    with closing(embed_batches(embedder, batches, open_workers)) as done:
        for batch, rows in done:
            if stop():
                complete = False
                break
            size = sum(len(pending.chunk.text.encode()) for pending in batch.pending)
            if not embedded + without_vector:
                is_all = len(batch.pending) < _ROWS_AT_ONCE
                progress.start("embed", size if is_all else store.pending_bytes(embedder.identity))
            reach("embedding.computed")
            embedded += store.add_vectors(embedder.identity, batch.ids, rows)
            without_vector += len(rows) - int(rows.any(axis=1).sum())
            text_bytes += size
            progress.advance(len(rows), size, batch.pending[-1].source.key)
            if embedded >= next_compaction:
                compact()
                next_compaction = _COMPACTION_GROWTH * embedded
    return EmbeddingReport(embedded=embedded, without_vector=without_vector, text_bytes=text_bytes, complete=complete)


def _read_pending(store: WorkspaceStore, model: ModelIdentity) -> Iterator[list[PendingChunk]]:
    after = ChunkId(0)
    while pending := store.pending(model, after=after, limit=_ROWS_AT_ONCE):
        yield pending
        after = pending[-1].id
