"""The plugin: group ``imprint.embedders``, name ``memvec``."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING

from imprint.errors import ModelUnavailableError
from imprint.plugins import Embedder, EmbedderInfo, EmbedderSettings, ModelIdentity, hookimpl
from imprint_memvec.identity import IDENTITY

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix, Vector


@hookimpl
def describe_embedder() -> EmbedderInfo:
    """Say what this model is."""
    return EmbedderInfo(
        name="memvec",
        summary="The embedded default: English and code, 256 dimensions, works offline",
        shareable=True,
    )


@hookimpl
def open_embedder(settings: EmbedderSettings) -> AbstractContextManager[Embedder]:
    """Offer the model that this package carries."""
    if settings.model:
        raise ModelUnavailableError(
            settings.model,
            "the embedder 'memvec' always uses its own weights",
            remedy="leave the model empty, or choose the embedder 'model2vec' for a model of your own",
        )
    return nullcontext(_LazyEmbedder())


class _LazyEmbedder:
    """Loads the weights at the first text: to find that there is nothing to embed, the identity is enough."""

    @property
    def identity(self) -> ModelIdentity:
        return IDENTITY

    def embed_documents(self, texts: Sequence[str]) -> "Matrix":
        return self._loaded.embed_documents(texts)

    def embed_query(self, text: str) -> "Vector":
        return self._loaded.embed_query(text)

    @cached_property
    def _loaded(self) -> Embedder:
        from imprint_memvec.embedder import load_embedder

        return load_embedder()
