"""The plugin: group ``imprint.vector_backends``, name ``toy``. Light to import; numpy comes with the store."""

from collections.abc import Iterator
from contextlib import contextmanager

from imprint.plugins import VectorBackend, VectorBackendInfo, VectorBackendSettings, hookimpl


@hookimpl
def describe_vector_backend() -> VectorBackendInfo:
    """Say what this backend is."""
    return VectorBackendInfo(name="toy", summary="All vectors in memory, every search one matrix product")


@hookimpl
@contextmanager
def open_vector_backend(settings: VectorBackendSettings) -> Iterator[VectorBackend]:
    """Open a store over the feed. Nothing is written, so there is nothing to close."""
    from imprint_toy_store.store import ToyStore

    yield ToyStore(settings.feed)
