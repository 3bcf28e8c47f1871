"""What is embedded at once: the texts of some chunks, and of the turns that stand beside those of conversations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from imprint.domain.identifiers import ToEmbed, to_embed
from imprint.domain.sources import ChunkId, SourceKind, StoredChunk
from imprint.protocols.stores import PendingChunk, WorkspaceStore

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix

__all__ = ["EmbeddingBatch", "make_batches"]

_NEIGHBOURS_WEIGHT = 0.5
"""A turn of a conversation says little without those around it: measured on conversations, half their mean is best."""


@attrs.frozen(kw_only=True)
class EmbeddingBatch:
    """Chunks that wait for their vectors.

    Attributes:
        parts: What is embedded: of each chunk, then of further turns.
        beside: By the place of a chunk, the places of the turns beside it.
    """

    pending: Sequence[PendingChunk]
    parts: Sequence[ToEmbed]
    beside: Mapping[int, Sequence[int]]

    @property
    def ids(self) -> list[ChunkId]:
        return [pending.id for pending in self.pending]

    def blend(self, alone: "Matrix") -> "Matrix":
        """The rows of the chunks, made of the rows of all parts."""
        rows: Matrix = alone[: len(self.pending)].copy()
        for place, others in self.beside.items():
            if rows[place].any():
                mixed = alone[place] + _NEIGHBOURS_WEIGHT * alone[others].mean(axis=0)
                rows[place] = mixed / max(float(mixed @ mixed) ** 0.5, 1e-12)
        return rows


def make_batches(store: WorkspaceStore, stretches: Iterable[Sequence[PendingChunk]]) -> Iterator[EmbeddingBatch]:
    """Gather what is embedded for each stretch of chunks, neighbours across its edges included."""
    turns = _Turns(store)
    for pending in stretches:
        parts = [to_embed(chunk.chunk, chunk.source) for chunk in pending]
        places = {chunk.id: place for place, chunk in enumerate(pending)}
        beside: dict[int, list[int]] = {}
        for place, chunk in enumerate(pending):
            for turn in turns.beside(chunk):
                if turn.id not in places:
                    places[turn.id] = len(parts)
                    parts.append(to_embed(turn.chunk, turn.source))
                beside.setdefault(place, []).append(places[turn.id])
        yield EmbeddingBatch(pending=pending, parts=parts, beside=beside)


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
