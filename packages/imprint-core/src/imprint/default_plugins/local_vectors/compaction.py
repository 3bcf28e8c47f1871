"""How new files are written and come to be seen.

A file is written under a new name, synced and renamed; its name and digest are published through the feed; only then
are the files of earlier generations deleted. Where another process maps one of these, POSIX lets it go on, and Windows
refuses the deletion, so a later compaction tries again.
"""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final
from uuid import uuid4

from imprint.default_plugins.local_vectors.flat_files import write_flat_file
from imprint.default_plugins.local_vectors.graphs import build_graph
from imprint.default_plugins.local_vectors.policies import FLAT, GRAPH, find_useless_files
from imprint.default_plugins.local_vectors.segments import Segment
from imprint.default_plugins.local_vectors.verification import digest_of_file
from imprint.errors import IndexNotWrittenError
from imprint.failpoints import reach
from imprint.plugins import Generation, VectorFeed

__all__ = ["publish_flat", "publish_graph", "sweep"]

_ATTEMPTS: Final = 3


def publish_flat(folder: Path, feed: VectorFeed) -> bool:
    """Write the feed's rows to a new generation; false where rows kept going while it was written."""
    for _ in range(_ATTEMPTS):
        epoch, position = feed.epoch, feed.position()

        def write(path: Path, epoch: str = epoch, position: int = position) -> int | None:
            return write_flat_file(path, feed.batches(), feed.model, position=position, epoch=epoch)

        if _publish(folder, feed, FLAT, write, position=position, epoch=epoch):
            return True
    return False


def publish_graph(folder: Path, feed: VectorFeed, flat: Generation, base: Segment) -> bool:
    """Build a graph of a flat generation's rows; false where one of them went meanwhile."""

    def write(path: Path) -> int:
        build_graph(path, base)
        return len(base)

    return _publish(folder, feed, GRAPH, write, position=flat.position, epoch=flat.epoch)


def sweep(folder: Path, feed: VectorFeed) -> None:
    """Delete the files that are of no use."""
    for path in find_useless_files(feed, folder):
        reach("index.unlink")
        with suppress(OSError):
            path.unlink()


def _publish(
    folder: Path, feed: VectorFeed, backend: str, write: Callable[[Path], int | None], *, position: int, epoch: str
) -> bool:
    temporary = folder / f"{uuid4().hex}.tmp"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        rows = write(temporary)
        reach("index.written")
        if rows is None:
            return False
        digest = _sync(temporary)
        reach("index.synced")
        previous = feed.generation(backend)
        number = previous.number + 1 if previous else 1
        path = temporary.replace(folder / f"{backend}-{number}-{digest[:16]}")
        reach("index.renamed")
        _sync_folder(folder)
    except (OSError, RuntimeError) as error:
        raise IndexNotWrittenError(str(folder), str(error)) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    generation = Generation(
        number=number, backend=backend, file=path.name, digest=digest, position=position, epoch=epoch, rows=rows
    )
    if feed.publish(generation):
        reach("index.published")
        return True
    reach("index.refused")
    with suppress(OSError):
        path.unlink()
    return False


def _sync(path: Path) -> str:
    """Bring a file's bytes to the disk and hash them."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())
        return digest_of_file(file)


def _sync_folder(folder: Path) -> None:
    """Bring a new name to the disk; Windows has no such call, and needs none."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
