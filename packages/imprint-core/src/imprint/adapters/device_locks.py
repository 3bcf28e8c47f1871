"""The lock of a whole device: for what must not meet another of its kind in the middle."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.errors import DataFolderError, DeviceLockHeldError
from imprint.failpoints import reach

__all__ = ["FileDeviceLock"]

_POLL_SECONDS = 0.02


@attrs.frozen
class FileDeviceLock:
    """Meets `imprint.protocols.locks.DeviceLock`. The operating system unlocks it when its holder ends, however."""

    folder: DataFolder

    @contextmanager
    def hold(self, *, wait_seconds: float) -> Iterator[None]:
        with self._held(wait_seconds):
            reach("device-lock.acquired")
            yield

    def sweep(self) -> None:
        if self.folder.copies.exists():
            with suppress(DeviceLockHeldError), self._held(0):  # Else they are somebody's, who deletes them himself.
                shutil.rmtree(self.folder.copies, ignore_errors=True)

    @contextmanager
    def _held(self, wait_seconds: float) -> Iterator[None]:
        import filelock  # 50 ms that only those pay who lock

        self.folder.make()
        path = self.folder.device_lock_file
        lock = filelock.FileLock(path, mode=0o600)
        try:
            lock.acquire(timeout=wait_seconds, poll_interval=_POLL_SECONDS)
        except filelock.Timeout as error:
            raise DeviceLockHeldError(str(self.folder.path)) from error
        except OSError as error:
            raise DataFolderError(str(path), error.strerror or str(error)) from error
        try:
            yield
        finally:
            lock.release()
