"""Group ``imprint.vector_backends``, name ``local``: exact search in one flat file, and a graph where it is large.

* `kernels`: dot products, rounding to bytes, the best of many scores.
* `segments`: rows in memory or in a mapped file, searched exactly.
* `flat_files`: an immutable segment on disk.
* `graphs`: an immutable usearch graph on disk.
* `verification`: a file's digest, checked once.
* `compaction`: how new files are written and published.
* `index`: all of these, following a feed.
* `policies`: when new files are worth writing.
* `backend`: the light front, which loads the others when it must.
"""

from contextlib import AbstractContextManager, closing

from imprint.default_plugins.local_vectors.backend import LocalVectors
from imprint.plugins import VectorBackend, VectorBackendInfo, VectorBackendSettings, hookimpl


@hookimpl
def describe_vector_backend() -> VectorBackendInfo:
    """Say what this backend is."""
    return VectorBackendInfo(
        name="local", summary="Exact search in one memory-mapped file, with a usearch graph above the threshold"
    )


@hookimpl
def open_vector_backend(settings: VectorBackendSettings) -> AbstractContextManager[VectorBackend]:
    """Open it; nothing is read before the first search."""
    return closing(LocalVectors(settings))
