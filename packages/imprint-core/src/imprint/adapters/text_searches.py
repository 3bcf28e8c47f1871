"""Looking for texts in the files of the data folder, byte for byte.

A process of its own reads the files: on POSIX, closing a file drops the locks that SQLite holds on it in the same
process, and another process would take the database for unused.
"""

import mmap
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.adapters.worker_processes import WorkerProcesses, serve_tasks
from imprint.domain.sources import WorkspaceName
from imprint.errors import DataFolderError

__all__ = ["DataFolderSearch", "serve"]

_PROGRAM = "from imprint.adapters.text_searches import serve; serve()"


@attrs.frozen
class DataFolderSearch:
    """Meets `imprint.protocols.purges.TextSearch`."""

    folder: DataFolder

    def find(self, workspace: WorkspaceName, texts: Sequence[str]) -> Sequence[tuple[str, str]]:
        files = [str(path) for path in self._files(workspace)]
        (found,) = WorkerProcesses(count=1, program=_PROGRAM, setup=None).map([(tuple(texts), tuple(files))])
        if found is None:
            raise DataFolderError(str(self.folder.path), "its files could not be searched")
        return list(found)

    def _files(self, workspace: WorkspaceName) -> Iterator[Path]:
        others = self.folder.workspace(workspace).parent
        for place, folders, names in os.walk(self.folder.path):
            if Path(place) == others:
                folders[:] = [name for name in folders if name == workspace]
            yield from (Path(place, name) for name in sorted(names))


def serve() -> None:
    """What the process runs."""
    serve_tasks(lambda _: lambda task: _find(*task))


def _find(texts: Sequence[str], files: Sequence[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name in files:
        # An empty file cannot be mapped, and a file may go while it is looked for.
        with (
            suppress(OSError, ValueError),
            Path(name).open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
        ):
            found += [(text, name) for text in texts if data.find(text.encode()) >= 0]
    return found
