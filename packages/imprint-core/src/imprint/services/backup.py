"""Backup: all that a device remembers becomes one file, while others go on writing."""

from pathlib import Path

import attrs

from imprint.domain.backups import BackupManifest
from imprint.protocols.backups import BackupFiles
from imprint.protocols.clocks import Clock
from imprint.protocols.locks import DeviceLock
from imprint.protocols.progress import Progress

__all__ = ["Backup"]


@attrs.frozen(kw_only=True)
class Backup:
    """The use case.

    Attributes:
        patience_seconds: How long to wait for a move, another backup or a restore.
    """

    backups: BackupFiles
    device_lock: DeviceLock
    clock: Clock
    patience_seconds: float = 60.0

    def run(self, path: Path, progress: Progress) -> BackupManifest:
        """Write a backup of every workspace and of what the device has approved and excluded.

        Raises:
            TargetExistsError: Something is at the path already; it was left alone.
            UnwritableFileError: The operating system refuses; nothing is left.
            DeviceLockHeldError: A move, another backup or a restore took longer than our patience.
            StoreDamagedError: A store is not sound, and a backup of it would help nobody.
            StoreError: A store cannot be read, or there is no room for its copy.
        """
        try:
            with self.device_lock.hold(wait_seconds=self.patience_seconds):
                return self.backups.write(path, progress, created_at=self.clock.now())
        finally:
            progress.finish()
