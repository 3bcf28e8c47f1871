"""The lock of a whole device: for what must not meet another of its kind in the middle."""

from collections.abc import Iterator
from contextlib import contextmanager

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
        reach("device-lock.acquired")
        try:
            yield
        finally:
            lock.release()
