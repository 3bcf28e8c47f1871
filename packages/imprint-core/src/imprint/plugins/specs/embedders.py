"""Group ``imprint.embedders``: text becomes vectors."""

from contextlib import AbstractContextManager

from imprint.plugins.specs import hookspec
from imprint.plugins.values import EmbedderInfo, EmbedderSettings
from imprint.protocols.embedders import Embedder

__all__ = ["describe_embedder", "open_embedder"]


@hookspec(firstresult=True)
def describe_embedder() -> EmbedderInfo:
    """Say what this embedder is. Pure, and without heavy imports: listing plugins calls it.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def open_embedder(settings: EmbedderSettings) -> AbstractContextManager[Embedder]:
    """Load a model and give it back as a context manager; leaving it frees what was loaded.

    Import what is heavy here, in the body. Without ``settings.model`` it must work with no network at all.

    Args:
        settings: Which model to load.

    Raises:
        ImprintError: A typed error of yours goes to the user as it is; any other exception becomes a
            `PluginCallError` that names the plugin.

    .. versionadded:: 0.1
    """
