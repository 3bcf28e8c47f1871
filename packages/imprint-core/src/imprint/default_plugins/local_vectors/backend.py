"""The backend: light until something is searched or worth writing."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from imprint.default_plugins.local_vectors.policies import Policy
from imprint.plugins import ChunkId, VectorBackendSettings, VectorHit
from imprint.protocols.vectors import IndexNotice

if TYPE_CHECKING:
    from imprint.default_plugins.local_vectors.index import VectorIndex
    from imprint.protocols.embedders import Vector

__all__ = ["LocalVectors"]


class LocalVectors:
    """Meets `imprint.protocols.vectors.VectorBackend` and `SupportsNotices`; loads numpy when it must."""

    def __init__(self, settings: VectorBackendSettings) -> None:
        self._settings = settings

    def search(self, query: "Vector", limit: int, *, among: Sequence[ChunkId] | None = None) -> list[VectorHit]:
        return self._index.search(query, limit, among=among)

    def scores(self, query: "Vector", ids: Sequence[ChunkId]) -> list[VectorHit]:
        return self._index.scores(query, ids)

    def compact(self) -> bool:
        settings = self._settings
        is_due = Policy(settings.snapshot_threshold).may_be_due(settings.feed, settings.folder)
        return is_due and self._index.compact()

    def notices(self) -> tuple[IndexNotice, ...]:
        return self._index.notices() if self._is_open else ()

    def close(self) -> None:
        if self._is_open:
            self._index.close()
            del self._index

    @property
    def _is_open(self) -> bool:
        return "_index" in vars(self)

    @cached_property
    def _index(self) -> "VectorIndex":
        from imprint.default_plugins.local_vectors.index import VectorIndex

        return VectorIndex(self._settings)
