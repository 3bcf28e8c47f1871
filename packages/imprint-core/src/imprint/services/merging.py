"""Taking versions into a store, with those of their vectors that are of the model in use here."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TypeVar

import attrs

from imprint.domain.sources import SourceId
from imprint.domain.versions import FactVersion, SourceVersion
from imprint.errors import BusyError, ImprintError, StoreError, WorkspaceDeletedError
from imprint.protocols.embedders import Embedder, ModelIdentity
from imprint.protocols.progress import Progress
from imprint.protocols.stores import WorkspaceStore
from imprint.protocols.versions import FactMerge, Replacement, VersionStore

__all__ = ["MergeTally", "VersionedRows", "batched", "embed_waiting", "find_model", "merge_batch", "merge_facts"]

_T = TypeVar("_T")

_BATCH_ROWS = 200
"""What the store writes in one transaction."""

VersionedRows = tuple[SourceVersion, Mapping[int, bytes]]
"""A version, and rows of one model by the places of its chunks."""


@attrs.define
class MergeTally:
    """What became of what was to be taken in."""

    sources: dict[Replacement, int] = attrs.field(factory=lambda: dict.fromkeys(Replacement, 0))
    chunks: int = 0
    vectors: int = 0
    facts: FactMerge = attrs.field(factory=FactMerge)


def find_model(open_embedder: Callable[[], AbstractContextManager[Embedder]] | None) -> ModelIdentity | None:
    """The model in use; `None` where the user wants none, or it cannot be opened: then texts wait for their vectors."""
    if open_embedder is None:
        return None
    try:
        with open_embedder() as embedder:
            return embedder.identity
    except ImprintError:  # unknown, blocked or broken: the embedder comes from a plugin
        return None


def embed_waiting(
    embed: Callable[[WorkspaceStore, Progress], object], store: WorkspaceStore, progress: Progress
) -> str:
    """Give what waits its vector; why that failed, or empty. What was taken in is found by its words in any case.

    Raises:
        StoreError: The store cannot be written.
        BusyError: Others kept it locked.
        WorkspaceDeletedError: The workspace was deleted meanwhile.
    """
    try:
        embed(store, progress)
    except (StoreError, BusyError, WorkspaceDeletedError):
        raise
    except ImprintError as error:
        return str(error)
    return ""


def batched(items: Iterable[_T], chunks: Callable[[_T], int]) -> Iterator[list[_T]]:
    """As many as the store writes in one transaction; a large one alone.

    Args:
        chunks: How many an item has.
    """
    batch: list[_T] = []
    rows = 0
    for one in items:
        size = max(chunks(one), 1)
        if batch and rows + size > _BATCH_ROWS:
            yield batch
            batch, rows = [], 0
        batch.append(one)
        rows += size
    if batch:
        yield batch


def merge_batch(
    store: VersionStore, batch: Sequence[VersionedRows], model: ModelIdentity | None, tally: MergeTally
) -> list[Replacement]:
    """Take some versions in; what became of each."""
    merges = store.merge_sources([version for version, _ in batch])
    written: dict[SourceId, Mapping[int, bytes]] = {}
    for (version, rows), merge in zip(batch, merges, strict=True):
        tally.sources[merge.outcome] += 1
        if merge.version is not None:
            tally.chunks += len(version.chunks)
            written[merge.version] = rows
    if model is not None:
        tally.vectors += store.merge_vectors(model, written)
    return [merge.outcome for merge in merges]


def merge_facts(
    store: VersionStore, facts: Iterable[FactVersion], tally: MergeTally, *, excluded: Container[str] = ()
) -> None:
    """Take facts in.

    Args:
        excluded: Keys of sources that were kept out; the facts drawn from them stay out too.
    """
    batch: list[FactVersion] = []
    for fact in facts:
        if fact.fact.source in excluded:
            tally.facts = _add(tally.facts, FactMerge(excluded=1))
            continue
        batch.append(fact)
        if len(batch) == _BATCH_ROWS:
            tally.facts = _add(tally.facts, store.merge_facts(batch))
            batch = []
    if batch:
        tally.facts = _add(tally.facts, store.merge_facts(batch))


def _add(one: FactMerge, other: FactMerge) -> FactMerge:
    return FactMerge(
        added=one.added + other.added,
        ended=one.ended + other.ended,
        known=one.known + other.known,
        excluded=one.excluded + other.excluded,
    )
