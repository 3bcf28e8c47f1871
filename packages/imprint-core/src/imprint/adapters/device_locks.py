"""The lock of a whole device: for what must not meet another of its kind in the middle."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.adapters.held_files import hold_file
from imprint.errors import DeviceLockHeldError
from imprint.failpoints import reach

__all__ = ["FileDeviceLock"]


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
        self.folder.make()
        release = hold_file(self.folder.device_lock_file, wait_seconds=wait_seconds)
        if release is None:
            raise DeviceLockHeldError(str(self.folder.path))
        try:
            yield
        finally:
            release()
