"""The lock of the one background worker of a data folder."""

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.adapters.held_files import hold_file

__all__ = ["FileWorkerLock"]


@attrs.frozen
class FileWorkerLock:
    """Meets `imprint.protocols.jobs.WorkerLock`: the operating system lets it go when its holder ends, however."""

    folder: DataFolder

    @contextmanager
    def hold(self) -> Iterator[bool]:
        """Try to hold it.

        Raises:
            DataFolderError: The lock's file cannot be made.
        """
        self.folder.make()
        release = hold_file(self.folder.path / "jobs.lock")
        try:
            yield release is not None
        finally:
            if release is not None:
                release()
