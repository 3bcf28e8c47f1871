"""The embedder and the vector backend that the settings choose, opened when a service asks for them."""

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.domain.setting_sections import Settings
from imprint.domain.sources import WorkspaceName
from imprint.plugins.registry import PluginRegistry
from imprint.plugins.values import EmbedderSettings
from imprint.protocols.embedders import Embedder, ModelIdentity
from imprint.protocols.vectors import VectorBackend, VectorBackendSettings, VectorFeed

if TYPE_CHECKING:
    from imprint.services.kept_open import KeptOpen

__all__ = ["ChosenPlugins"]

_DIGEST_IN_NAMES = 16
"""So many characters of a model's digest name the folder of its index."""


@attrs.frozen
class ChosenPlugins:
    """Opens them.

    Attributes:
        kept: Where a long-lived process keeps what is worth keeping open.
    """

    settings: Settings
    plugins: PluginRegistry
    data_folder: DataFolder
    kept: "KeptOpen | None" = None

    @property
    def embedder_opener(self) -> Callable[[], AbstractContextManager[Embedder]] | None:
        """`None` where the settings name no embedder."""
        return self._open_embedder if self.settings.embedder.plugin else None

    def open_backend(self, workspace: WorkspaceName, feed: VectorFeed) -> AbstractContextManager[VectorBackend]:
        """Open the index of a workspace over the vectors of one model."""
        chosen = self.settings.vectors
        settings = VectorBackendSettings(
            folder=self._index_folder(workspace, feed.model),
            feed=feed,
            snapshot_threshold=chosen.snapshot_threshold,
        )
        handle = self.plugins.load("vector_backends", chosen.backend)
        opened: AbstractContextManager[VectorBackend] = handle.call("open_vector_backend", settings=settings)
        return opened

    def open_searched_backend(
        self, workspace: WorkspaceName, feed: VectorFeed
    ) -> AbstractContextManager[VectorBackend]:
        """The same for a search, which a long-lived process keeps open."""
        if self.kept:
            return self.kept.index(workspace, feed, self.open_backend)
        return self.open_backend(workspace, feed)

    def delete_index(self, workspace: WorkspaceName, model: ModelIdentity) -> None:
        """Delete the derived files of a model."""
        shutil.rmtree(self._index_folder(workspace, model), ignore_errors=True)

    def _open_embedder(self) -> AbstractContextManager[Embedder]:
        return self.kept.embedder(self._open_new_embedder) if self.kept else self._open_new_embedder()

    def _open_new_embedder(self) -> AbstractContextManager[Embedder]:
        chosen = self.settings.embedder
        handle = self.plugins.load("embedders", chosen.plugin)
        opened: AbstractContextManager[Embedder] = handle.call(
            "open_embedder", settings=EmbedderSettings(model=chosen.model)
        )
        return opened

    def _index_folder(self, workspace: WorkspaceName, model: ModelIdentity) -> Path:
        return self.data_folder.index(workspace) / self.settings.vectors.backend / model.digest[:_DIGEST_IN_NAMES]
