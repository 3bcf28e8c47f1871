"""Group ``imprint.vector_backends``: indexes over the vectors that the store holds."""

from contextlib import AbstractContextManager

from imprint.plugins.specs import hookspec
from imprint.plugins.values import VectorBackendInfo
from imprint.protocols.vectors import VectorBackend, VectorBackendSettings

__all__ = ["describe_vector_backend", "open_vector_backend"]


@hookspec(firstresult=True)
def describe_vector_backend() -> VectorBackendInfo:
    """Say what this backend is. Pure, and without heavy imports: listing plugins calls it.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def open_vector_backend(settings: VectorBackendSettings) -> AbstractContextManager[VectorBackend]:
    """Open the index of one workspace and one model; leaving the context manager closes it.

    Opening must not depend on the number of vectors. Nothing in ``settings.folder`` is to be trusted: it may be
    missing, damaged, of another version, or written before the store was restored (``settings.feed.epoch`` changed).
    What the feed holds is the truth, and a backend that distrusts its files answers from the feed.

    Args:
        settings: The folder for derived files, the feed, and from how many vectors on an approximate index pays.

    Raises:
        ImprintError: A typed error of yours goes to the user as it is; any other exception becomes a
            `PluginCallError` that names the plugin.

    .. versionadded:: 0.1
    """
