"""The lock of the one background worker of a data folder."""

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.errors import DataFolderError

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
        import filelock  # as in `locks`

        self.folder.make()
        path = self.folder.path / "jobs.lock"
        lock = filelock.FileLock(path, mode=0o600)
        try:
            lock.acquire(blocking=False)
        except filelock.Timeout:
            yield False
            return
        except OSError as error:
            raise DataFolderError(str(path), error.strerror or str(error)) from error
        try:
            yield True
        finally:
            lock.release()
