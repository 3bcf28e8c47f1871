"""What a long-lived process keeps open between calls: the embedder with its weights, and the vector indexes.

Stores are opened anew for each call, each by the thread that uses it. An index outlives them: it talks to a feed that
is pointed at the store of whoever uses it, and is used by one thread at a time.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING

import attrs

from imprint.domain.sources import ChunkId, WorkspaceName
from imprint.protocols.embedders import Embedder, ModelIdentity
from imprint.protocols.vectors import Generation, VectorBackend, VectorBatch, VectorFeed
from imprint.services.search import BackendOpener, EmbedderOpener

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix, Vector

__all__ = ["KeptOpen"]

_MOST_INDEXES = 8
"""Each may map a file; of more the one that was longest not used is let go."""


class KeptOpen:
    """Shared by the threads of a process. Close it when no thread uses it any more."""

    def __init__(self) -> None:
        """Open nothing yet."""
        self._lock = threading.Lock()
        self._resources = ExitStack()
        self._embedder: _GuardedEmbedder | None = None
        self._indexes: dict[tuple[WorkspaceName, ModelIdentity], _KeptIndex] = {}

    @contextmanager
    def embedder(self, open_embedder: EmbedderOpener) -> Iterator[Embedder]:
        """The embedder, opened by the first who asks.

        Raises:
            PluginError: It cannot be opened; the next who asks tries again.
        """
        with self._lock:
            if self._embedder is None:
                self._embedder = _GuardedEmbedder(self._resources.enter_context(open_embedder()))
        yield self._embedder

    @contextmanager
    def index(self, workspace: WorkspaceName, feed: VectorFeed, open_backend: BackendOpener) -> Iterator[VectorBackend]:
        """The index of a workspace and model, for one thread at a time.

        It is let go of after an error, since nobody knows what state that left it in.
        """
        while True:
            index = self._find(workspace, feed.model)
            with index.lock:
                if index.is_gone:
                    continue  # It was let go of between being found and being locked.
                try:
                    yield index.open(workspace, feed, open_backend)
                except BaseException:
                    index.close()
                    raise
                finally:
                    index.feed.current = None
                return

    def close(self) -> None:
        """Let go of everything."""
        for index in self._indexes.values():
            with index.lock:
                index.close()
        self._resources.close()

    def _find(self, workspace: WorkspaceName, model: ModelIdentity) -> "_KeptIndex":
        key = workspace, model
        with self._lock:
            index = self._indexes.pop(key, None) or _KeptIndex(_PointedFeed(model))
            if len(self._indexes) >= _MOST_INDEXES:
                self._let_one_go()
            self._indexes[key] = index
            return index

    def _let_one_go(self) -> None:
        """Close the index that was longest not used, passing over those in use: nobody is waited for here."""
        for key, index in self._indexes.items():
            if index.lock.acquire(blocking=False):
                try:
                    del self._indexes[key]
                    index.is_gone = True
                    index.close()
                finally:
                    index.lock.release()
                return


@attrs.define(eq=False)
class _GuardedEmbedder:
    """One text batch at a time: what a plugin caches while it embeds need not be safe with threads."""

    _embedder: Embedder
    _lock: threading.Lock = attrs.field(factory=threading.Lock)

    @property
    def identity(self) -> ModelIdentity:
        return self._embedder.identity

    def embed_documents(self, texts: Sequence[str]) -> "Matrix":
        with self._lock:
            return self._embedder.embed_documents(texts)

    def embed_query(self, text: str) -> "Vector":
        with self._lock:
            return self._embedder.embed_query(text)


@attrs.define(eq=False)
class _PointedFeed:
    """Meets `imprint.protocols.vectors.VectorFeed` through the feed it is pointed at."""

    model: ModelIdentity
    current: VectorFeed | None = None

    @property
    def epoch(self) -> str:
        return self._target.epoch

    def position(self) -> int:
        return self._target.position()

    def count(self) -> int:
        return self._target.count()

    def batches(self, after: int = 0, *, size: int = 10_000) -> Iterator[VectorBatch]:
        return self._target.batches(after, size=size)

    def rows(self, ids: Sequence[ChunkId]) -> VectorBatch:
        return self._target.rows(ids)

    def generation(self, backend: str) -> Generation | None:
        return self._target.generation(backend)

    def publish(self, generation: Generation) -> bool:
        return self._target.publish(generation)

    @property
    def _target(self) -> VectorFeed:
        assert self.current is not None, "the index is used by somebody who did not ask for it"
        return self.current


@attrs.define(eq=False)
class _KeptIndex:
    """An index that is opened by who uses it first.

    Attributes:
        is_gone: It was let go of, and is not to be opened again.
    """

    feed: _PointedFeed
    lock: threading.Lock = attrs.field(factory=threading.Lock)
    is_gone: bool = False
    _opened: AbstractContextManager[VectorBackend] | None = None
    _backend: VectorBackend | None = None

    def open(self, workspace: WorkspaceName, feed: VectorFeed, open_backend: BackendOpener) -> VectorBackend:
        """Point the index at a feed, opening it where it is not open."""
        self.feed.current = feed
        if self._backend is None:
            opened = open_backend(workspace, self.feed)
            self._backend = opened.__enter__()
            self._opened = opened
        return self._backend

    def close(self) -> None:
        opened, self._opened, self._backend = self._opened, None, None
        if opened is not None:
            opened.__exit__(None, None, None)
