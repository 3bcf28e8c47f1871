"""Locks between processes: one long job a workspace."""

from contextlib import AbstractContextManager
from typing import Protocol

import attrs

from imprint.domain.sources import WorkspaceName

__all__ = ["DeviceLock", "LockHolder", "WorkspaceLocks"]


@attrs.frozen(kw_only=True)
class LockHolder:
    """Who holds a lock."""

    pid: int
    activity: str
    since: str


class WorkspaceLocks(Protocol):
    """A lock shows its holder and dies with its process."""

    def hold(self, workspace: WorkspaceName, activity: str, *, wait_seconds: float = 0) -> AbstractContextManager[None]:
        """Hold the workspace's lock.

        Raises:
            LockHeldError: Another process holds it still after the wait.
        """
        ...

    def holder(self, workspace: WorkspaceName) -> LockHolder | None: ...


class DeviceLock(Protocol):
    """What touches several workspaces at once: a move, a backup, a restore. One at a time on a device.

    Whoever wants workspaces' locks too takes this one first.
    """

    def hold(self, *, wait_seconds: float) -> AbstractContextManager[None]:
        """Hold the device's lock.

        Raises:
            DeviceLockHeldError: Another process holds it still after the wait.
        """
        ...

    def sweep(self) -> None:
        """Delete what a killed backup or restore left in the data folder: copies of stores. Cheap if there are none."""
        ...
