"""Locks of workspaces: files that the operating system unlocks when their holder ends, however it ends."""

import contextlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.adapters.held_files import hold_file
from imprint.domain.sources import WorkspaceName
from imprint.errors import LockHeldError
from imprint.failpoints import reach
from imprint.protocols.clocks import Clock
from imprint.protocols.locks import LockHolder

__all__ = ["FileLocks"]

_LEAST_WAIT_SECONDS = 0.2
"""Somebody who only asks for the holder has the lock for an instant; that is not worth an error."""


@attrs.frozen
class FileLocks:
    """Meets `imprint.protocols.locks.WorkspaceLocks`.

    The holder is named in a file beside the lock, since Windows lets nobody read a locked one. That file counts only
    while the lock is held: what a killed process leaves says nothing.
    """

    folder: DataFolder
    clock: Clock

    @contextmanager
    def hold(self, workspace: WorkspaceName, activity: str, *, wait_seconds: float = 0) -> Iterator[None]:
        """Hold the workspace's lock.

        Raises:
            LockHeldError: It is held still after the wait.
            DataFolderError: The lock's file cannot be made.
        """
        self.folder.make_workspace(workspace)
        reach("lock.wanted")
        with self._acquired(workspace, max(wait_seconds, _LEAST_WAIT_SECONDS)):
            reach("lock.acquired")
            holder = LockHolder(pid=os.getpid(), activity=activity, since=self.clock.now())
            named = self._holder_file(workspace)
            try:
                with contextlib.suppress(OSError):  # A full disk: the lock counts, its holder's name is a courtesy.
                    named.write_text(json.dumps(attrs.asdict(holder)), encoding="utf-8")
                reach("lock.named")
                yield
            finally:
                reach("lock.released")
                with contextlib.suppress(OSError):
                    named.unlink(missing_ok=True)

    def holder(self, workspace: WorkspaceName) -> LockHolder | None:
        """Who holds the lock, with pid 0 where that cannot be told; `None` when nobody does."""
        if not self.folder.has(self.folder.lock_file(workspace)):
            return None
        try:
            with self._acquired(workspace, 0):
                return None
        except LockHeldError as error:
            return LockHolder(pid=error.pid, activity=error.activity, since=error.since)

    @contextmanager
    def _acquired(self, workspace: WorkspaceName, wait_seconds: float) -> Iterator[None]:
        release = hold_file(self.folder.lock_file(workspace), wait_seconds=wait_seconds)
        if release is None:
            raise self._held(workspace)
        try:
            yield
        finally:
            release()

    def _held(self, workspace: WorkspaceName) -> LockHeldError:
        try:
            named = json.loads(self._holder_file(workspace).read_text(encoding="utf-8"))
            return LockHeldError(workspace, int(named["pid"]), str(named["activity"]), str(named["since"]))
        except (OSError, ValueError, KeyError, TypeError):
            return LockHeldError(workspace)

    def _holder_file(self, workspace: WorkspaceName) -> Path:
        return self.folder.lock_file(workspace).with_suffix(".holder")
