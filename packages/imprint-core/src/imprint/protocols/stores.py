"""The store of one workspace: sources, chunks, full text, vectors, memories and facts.

One SQLite file meets all of these protocols; a service names only the ones it needs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple, Protocol

import attrs

from imprint.domain.facts import Fact, FactId, NewFact
from imprint.domain.indexing import IndexedText
from imprint.domain.sources import (
    CanonicalPath,
    Chunk,
    ChunkId,
    Source,
    SourceKey,
    StoredChunk,
    StoredSource,
    WorkspaceName,
)
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.purges import PurgeStore
from imprint.protocols.redactions import RedactionStore
from imprint.protocols.text_indexes import TextIndex
from imprint.protocols.transcripts import ConversationStore
from imprint.protocols.vectors import VectorFeed
from imprint.protocols.versions import Replacement, VersionStore

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix

__all__ = [
    "FactAddition",
    "FactStore",
    "FileState",
    "PendingChunk",
    "Replacement",
    "SourceStore",
    "StoreCounts",
    "StoreOpener",
    "VectorStore",
    "WorkspaceStore",
]


class FileState(NamedTuple):
    """What refresh compares: equal mtime and size mean unchanged. Tens of thousands at once: hence a tuple."""

    mtime_ns: int
    size: int
    digest: str


@attrs.frozen
class PendingChunk:
    """A chunk that has no vector of the wanted model yet."""

    id: ChunkId
    chunk: Chunk
    source: Source


@attrs.frozen(kw_only=True)
class StoreCounts:
    """What a workspace holds; ``pending`` counts the chunks that wait for a vector."""

    sources: Mapping[str, int]
    chunks: int
    vectors: int
    pending: int
    facts: int
    bytes: int


@attrs.frozen
class FactAddition:
    """What became of a fact that was to be recorded; ``added`` is false when it was known already, word for word.

    Attributes:
        redactions: Secrets that were taken out of it.
    """

    fact: Fact
    added: bool
    redactions: int = 0


class SourceStore(Protocol):
    """Sources and their chunks."""

    def find_source(self, key: SourceKey) -> StoredSource | None: ...

    def sources(self, *, kinds: Sequence[str] = (), glob: str = "", project: str = "") -> Iterator[StoredSource]:
        """In key order; no transaction is held between steps."""
        ...

    def file_states(self, folder: CanonicalPath) -> dict[SourceKey, FileState]:
        """Every file source at or below a folder."""
        ...

    def replace_source(self, source: Source, chunks: Sequence[tuple[Chunk, IndexedText]]) -> Replacement:
        """Write a source whole; readers see the old version or the new.

        The store's write lock is taken first, then the exclusions and the workspace's deletion mark are read anew.

        Raises:
            WorkspaceDeletedError: The workspace was deleted meanwhile.
        """
        ...

    def replace_sources(self, batch: Sequence[tuple[Source, Sequence[tuple[Chunk, IndexedText]]]]) -> list[Replacement]:
        """Several small sources in one transaction (at most 200 rows each transaction; the store splits)."""
        ...

    def touch_source(self, key: SourceKey, state: FileState) -> None:
        """Record a new mtime of a file whose content did not change."""
        ...

    def touch_sources(self, states: Mapping[SourceKey, FileState]) -> None:
        """`touch_source` for many, in bulk."""
        ...

    def remove_sources(self, keys: Iterable[SourceKey]) -> int:
        """Delete sources with all that hangs on them; unknown keys are passed over. The number removed."""
        ...

    def chunks(self, ids: Sequence[ChunkId]) -> list[StoredChunk]:
        """The live ones among these, in the order asked."""
        ...

    def source_chunks(self, key: SourceKey, *, start: int = 0, limit: int = -1) -> list[StoredChunk]:
        """The chunks of a source in order.

        Args:
            start: The first one's place, counted from 0.
            limit: How many at most; below 0: all.
        """
        ...

    def counts(self) -> StoreCounts: ...


class VectorStore(Protocol):
    """Vectors, whichever model made them."""

    def pending(self, model: ModelIdentity, *, after: ChunkId, limit: int) -> list[PendingChunk]:
        """Live chunks above an id that this model has not seen (neither a vector nor a note that it has none)."""
        ...

    def pending_bytes(self, model: ModelIdentity) -> int:
        """Size in UTF-8 of all that is pending; reads it, so not for every small write."""
        ...

    def add_vectors(self, model: ModelIdentity, ids: Sequence[ChunkId], rows: "Matrix") -> int:
        """Store rows as float16; zero rows are noted as having no vector; chunks deleted meanwhile are passed over."""
        ...

    def known_models(self) -> tuple[ModelIdentity, ...]:
        """Models that texts of this store were given to; cheap enough to ask before every search."""
        ...

    def models(self) -> dict[ModelIdentity, int]:
        """Models that have vectors here, with their number."""
        ...

    def drop_other_models(self, keep: ModelIdentity) -> int:
        """Delete the vectors of every other model; the number removed."""
        ...

    def feed(self, model: ModelIdentity) -> VectorFeed: ...


class FactStore(Protocol):
    """Facts with validity in time."""

    def facts(self, *, subject: str = "", predicate: str = "", at: str = "", history: bool = False) -> list[Fact]:
        """Facts valid at a moment (default: those not ended); ``history`` gives every one, oldest first."""
        ...

    def add_fact(self, fact: NewFact) -> FactAddition:
        """Record a fact, unless the same is known to hold from then or before until the same end.

        Raises:
            ExcludedSourceError: Its source was purged from the workspace.
            ReversedTimesError: It would end before it begins.
        """
        ...

    def end_fact(self, id: FactId, at: str) -> Fact:
        """Set the end of a fact's validity; one that ended before keeps its end. The fact as it is afterwards.

        Raises:
            UnknownFactError: No fact has this id.
            ReversedTimesError: It would end before it begins.
        """
        ...


class WorkspaceStore(
    SourceStore,
    TextIndex,
    VectorStore,
    FactStore,
    PurgeStore,
    VersionStore,
    ConversationStore,
    RedactionStore,
    Protocol,
):
    """One open store. Used by one thread; open another for another."""

    @property
    def workspace(self) -> WorkspaceName: ...

    def tidy(self) -> None:
        """Maintenance after bulk work; never needed for right answers."""
        ...

    def close(self) -> None: ...


class StoreOpener(Protocol):
    """Where stores come from."""

    def open(self, workspace: WorkspaceName) -> AbstractContextManager[WorkspaceStore]:
        """Open a workspace's store, making it where it does not exist yet; never scans.

        Raises:
            WorkspaceDeletedError: The workspace was deleted, or never was.
            StoreDamagedError: The file is not a healthy database of ours.
            StoreTooNewError: A newer program wrote it.
        """
        ...

    def exists(self, workspace: WorkspaceName) -> bool: ...
