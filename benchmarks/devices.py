"""A device for a benchmark: real store, embedder, backend and search, kept open as a long-lived process does."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path

import imprint_memvec.plugin as memvec
from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.registry_db import SqliteRegistry, open_registry
from imprint.adapters.store_db import SqliteStore, SqliteStoreOpener
from imprint.default_plugins import local_vectors
from imprint.domain.identifiers import index_text, to_embed
from imprint.domain.sources import Chunk, ChunkId, Source, WorkspaceName
from imprint.plugins import Embedder, EmbedderSettings, VectorBackend, VectorBackendSettings, VectorFeed
from imprint.services.parallel_embedding import embed_parts
from imprint.services.search import Search

__all__ = ["Device", "open_device"]

_BATCH = 2_000


class HurriedClock(SystemClock):
    """A clock by which bulk writes make no pauses for others: nobody else is there."""

    def __init__(self) -> None:
        self._seconds = 0.0

    def monotonic(self) -> float:
        self._seconds += 1
        return self._seconds


class Device:
    """A data folder and what a process keeps open of it."""

    def __init__(self, folder: DataFolder, registry: SqliteRegistry, closing: ExitStack) -> None:
        self.folder = folder
        self.registry = registry
        self.opener = SqliteStoreOpener(folder, registry, HurriedClock())
        self.embedder: Embedder = closing.enter_context(memvec.open_embedder(EmbedderSettings()))
        self.search = Search(self, lambda: nullcontext(self.embedder), self._open_backend, SystemClock())
        self._closing = closing
        self._stores: dict[WorkspaceName, SqliteStore] = {}
        self._backends: dict[WorkspaceName, VectorBackend] = {}

    def open(self, workspace: WorkspaceName) -> AbstractContextManager[SqliteStore]:
        """Open a workspace's store once; with `exists` this meets `imprint.protocols.stores.StoreOpener`."""
        if workspace not in self._stores:
            self.registry.create_workspace(workspace)
            self._stores[workspace] = self._closing.enter_context(self.opener.open(workspace))
        return nullcontext(self._stores[workspace])

    def exists(self, workspace: WorkspaceName) -> bool:
        return self.opener.exists(workspace)

    def fill(self, workspace: WorkspaceName, sources: Iterable[tuple[Source, list[Chunk]]]) -> None:
        """Store sources, embed them and write the index, as ingest does."""
        with self.open(workspace) as store:
            store.replace_sources(
                [(source, [(chunk, index_text(chunk, source)) for chunk in chunks]) for source, chunks in sources]
            )
            last = ChunkId(0)
            while pending := store.pending(self.embedder.identity, after=last, limit=_BATCH):
                rows = embed_parts(self.embedder, [to_embed(item.chunk, item.source) for item in pending])
                store.add_vectors(self.embedder.identity, [item.id for item in pending], rows)
                last = pending[-1].id
            with self._open_backend(workspace, store.feed(self.embedder.identity)) as backend:
                backend.compact()
            store.tidy()

    def _open_backend(self, workspace: WorkspaceName, feed: VectorFeed) -> AbstractContextManager[VectorBackend]:
        if workspace not in self._backends:
            settings = VectorBackendSettings(folder=self.folder.index(workspace), feed=feed)
            self._backends[workspace] = self._closing.enter_context(local_vectors.open_vector_backend(settings))
        return nullcontext(self._backends[workspace])


@contextmanager
def open_device(path: Path) -> Iterator[Device]:
    """Open a data folder, making it where it is missing."""
    with ExitStack() as closing:
        folder = DataFolder(path)
        registry = closing.enter_context(open_registry(folder, HurriedClock()))
        yield Device(folder, registry, closing)
