"""The second pass over what was indexed: every chunk gets its vector, while its text is searchable already."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import attrs

from imprint.domain.identifiers import embedding_text
from imprint.domain.sources import ChunkId, SourceKind, StoredChunk, WorkspaceName
from imprint.failpoints import reach
from imprint.protocols.clocks import Clock
from imprint.protocols.embedders import Embedder, ModelIdentity
from imprint.protocols.progress import Progress
from imprint.protocols.stores import PendingChunk, WorkspaceStore
from imprint.services.search import BackendOpener, EmbedderOpener

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix

__all__ = ["Embedding", "EmbeddingReport"]

_ROWS_AT_ONCE = 200
"""What the store writes in one transaction."""

_FIRST_COMPACTION = 20_000
"""After so many rows, and at every doubling, the index is compacted, so that searches meanwhile read few rows anew."""

_NEIGHBOURS_WEIGHT = 0.5
"""A turn of a conversation says little without those around it: measured on conversations, half their mean is best."""


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
    """

    open_embedder: EmbedderOpener | None
    open_backend: BackendOpener
    delete_index: Callable[[WorkspaceName, ModelIdentity], None]
    clock: Clock

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
                report = _embed_pending(store, embedder, progress, stop, backend.compact)
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
            batch = store.pending(embedder.identity, after=before, limit=_ROWS_AT_ONCE)
            if batch:
                rows = _embed(embedder, batch, _Turns(store))
                store.add_vectors(embedder.identity, [chunk.id for chunk in batch], rows)

    def _drop_other_models(self, store: WorkspaceStore, keep: ModelIdentity) -> None:
        others = store.models().keys() - {keep}
        for model in others:
            self.delete_index(store.workspace, model)
            reach("model-index.deleted")
        if others:
            store.drop_other_models(keep)


def _embed_pending(
    store: WorkspaceStore,
    embedder: Embedder,
    progress: Progress,
    stop: Callable[[], bool],
    compact: Callable[[], object],
) -> EmbeddingReport:
    turns = _Turns(store)
    after = ChunkId(0)
    embedded = without_vector = text_bytes = 0
    next_compaction = _FIRST_COMPACTION
    while batch := store.pending(embedder.identity, after=after, limit=_ROWS_AT_ONCE):
        if stop():
            break
        if not embedded + without_vector:
            progress.start("embed", None)
        rows = _embed(embedder, batch, turns)
        reach("embedding.computed")
        embedded += store.add_vectors(embedder.identity, [chunk.id for chunk in batch], rows)
        without_vector += len(batch) - int(rows.any(axis=1).sum())
        size = sum(len(pending.chunk.text.encode()) for pending in batch)
        text_bytes += size
        after = batch[-1].id
        progress.advance(len(batch), size, batch[-1].source.key)
        if embedded >= next_compaction:
            compact()
            next_compaction = 2 * embedded
    return EmbeddingReport(embedded=embedded, without_vector=without_vector, text_bytes=text_bytes, complete=not batch)


def _embed(embedder: Embedder, batch: Sequence[PendingChunk], turns: "_Turns") -> "Matrix":
    """Embed a batch, and with it what stands beside its turns of conversations."""
    texts = [embedding_text(pending.chunk, pending.source) for pending in batch]
    places = {pending.id: place for place, pending in enumerate(batch)}
    beside: dict[int, list[int]] = {}
    for place, pending in enumerate(batch):
        for turn in turns.beside(pending):
            if turn.id not in places:
                places[turn.id] = len(texts)
                texts.append(embedding_text(turn.chunk, turn.source))
            beside.setdefault(place, []).append(places[turn.id])
    alone = embedder.embed_documents(texts)
    rows: Matrix = alone[: len(batch)].copy()
    for place, others in beside.items():
        if rows[place].any():
            mixed = alone[place] + _NEIGHBOURS_WEIGHT * alone[others].mean(axis=0)
            rows[place] = mixed / max(float(mixed @ mixed) ** 0.5, 1e-12)
    return rows


@attrs.define
class _Turns:
    """The turns of the conversation that was asked for last."""

    _store: WorkspaceStore
    _key: str = ""
    _turns: list[StoredChunk] = attrs.field(factory=list)
    _places: dict[ChunkId, int] = attrs.field(factory=dict)

    def beside(self, pending: PendingChunk) -> list[StoredChunk]:
        """The turns before and after one; none for what is no conversation, or was replaced meanwhile."""
        if pending.source.kind is not SourceKind.CONVERSATION:
            return []
        if pending.source.key != self._key:
            self._key = pending.source.key
            self._turns = self._store.source_chunks(pending.source.key)
            self._places = {turn.id: place for place, turn in enumerate(self._turns)}
        place = self._places.get(pending.id)
        if place is None:
            return []
        return self._turns[max(place - 1, 0) : place] + self._turns[place + 1 : place + 2]
