"""The plugin: group ``imprint.embedders``, name ``memvec``."""

from contextlib import AbstractContextManager, nullcontext

from imprint.errors import ModelUnavailableError
from imprint.plugins import Embedder, EmbedderInfo, EmbedderSettings, hookimpl


@hookimpl
def describe_embedder() -> EmbedderInfo:
    """Say what this model is."""
    return EmbedderInfo(name="memvec", summary="The embedded default: English and code, 256 dimensions, works offline")


@hookimpl
def open_embedder(settings: EmbedderSettings) -> AbstractContextManager[Embedder]:
    """Load the weights that this package carries."""
    if settings.model:
        raise ModelUnavailableError(
            settings.model,
            "the embedder 'memvec' always uses its own weights",
            remedy="leave the model empty, or choose the embedder 'model2vec' for a model of your own",
        )
    from imprint_memvec.embedder import load_embedder

    return nullcontext(load_embedder())
