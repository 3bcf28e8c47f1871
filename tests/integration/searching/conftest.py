"""Search on a real device: real store, embedder and vector backend."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import attrs
import pytest

import imprint_memvec.plugin as memvec
from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.registry_db import SqliteRegistry, open_registry
from imprint.adapters.store_db import SqliteStoreOpener
from imprint.default_plugins import local_vectors
from imprint.domain.identifiers import embedding_text, index_text, to_embed
from imprint.domain.sources import Chunk, ChunkId, Source, WorkspaceName
from imprint.plugins import Embedder, EmbedderSettings, VectorBackend, VectorBackendSettings, VectorFeed
from imprint.protocols.text_indexes import ChunkFilter
from imprint.services.reading import Reading
from imprint.services.search import Search, SearchReport, SearchRequest
from imprint.testing.fakes import FixedClock

DEFAULT = WorkspaceName("default")
NOW = "2026-06-03T12:00:00.000Z"


class RushingClock(SystemClock):
    """A clock by which there is always time enough: bulk writes make no pauses."""

    _seconds = 0.0

    def monotonic(self) -> float:
        self._seconds += 1
        return self._seconds


@attrs.define
class Searcher:
    """A data folder that is filled and searched."""

    folder: DataFolder
    registry: SqliteRegistry
    embedders_opened: int = 0

    @property
    def stores(self) -> SqliteStoreOpener:
        return SqliteStoreOpener(self.folder, self.registry, RushingClock())

    @property
    def reading(self) -> Reading:
        return Reading(self.stores)

    @property
    def search(self) -> Search:
        return Search(self.stores, self._open_embedder, self._open_backend, FixedClock(NOW))

    def add(self, source: Source, *chunks: Chunk, workspace: WorkspaceName = DEFAULT) -> None:
        self.registry.create_workspace(workspace)
        with self.stores.open(workspace) as store:
            store.replace_source(source, [(chunk, index_text(chunk, source)) for chunk in chunks])

    def embed(self, workspace: WorkspaceName = DEFAULT) -> None:
        with self.stores.open(workspace) as store, memvec.open_embedder(EmbedderSettings()) as embedder:
            while pending := store.pending(embedder.identity, after=ChunkId(0), limit=500):
                texts = [embedding_text(to_embed(item.chunk, item.source)) for item in pending]
                store.add_vectors(embedder.identity, [item.id for item in pending], embedder.embed_documents(texts))

    def find(
        self,
        query: str,
        *,
        workspaces: Iterable[WorkspaceName] = (DEFAULT,),
        limit: int = 8,
        where: ChunkFilter | None = None,
    ) -> SearchReport:
        request = SearchRequest(query=query, workspaces=tuple(workspaces), limit=limit, where=where or ChunkFilter())
        return self.search.run(request)

    def texts(self, query: str, **options: object) -> list[str]:
        return [result.passage.chunk.text for result in self.find(query, **options).results]  # type: ignore[arg-type]

    def _open_embedder(self) -> AbstractContextManager[Embedder]:
        self.embedders_opened += 1
        return memvec.open_embedder(EmbedderSettings())

    def _open_backend(self, workspace: WorkspaceName, feed: VectorFeed) -> AbstractContextManager[VectorBackend]:
        settings = VectorBackendSettings(folder=self.folder.index(workspace), feed=feed)
        return local_vectors.open_vector_backend(settings)


@pytest.fixture
def searcher(tmp_path: Path) -> Iterator[Searcher]:
    folder = DataFolder(tmp_path / "data")
    with open_registry(folder, RushingClock()) as registry:
        yield Searcher(folder, registry)


@pytest.fixture
def embedded(searcher: Searcher) -> Callable[..., Searcher]:
    """Fill the default workspace with sources and their vectors."""

    def embedded(*sources: tuple[Source, Chunk]) -> Searcher:
        for source, chunk in sources:
            searcher.add(source, chunk)
        searcher.embed()
        return searcher

    return embedded
