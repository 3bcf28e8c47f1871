"""The queue of background work, and the right to work it off."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from imprint.domain.jobs import Job, JobRequest, JobState
from imprint.domain.sources import WorkspaceName

__all__ = ["JobQueue", "WorkerLock"]


class JobQueue(Protocol):
    """Jobs on disk, shared by every process of the device."""

    def begin_work(self) -> None:
        """Say that a worker is there, before it looks at anything: what is queued after that needs another start."""
        ...

    def add(self, request: JobRequest, kind: str) -> bool:
        """Queue a job; false where the same one waits already, which is due then, and counts its looks anew."""
        ...

    def list(self, *states: JobState) -> Sequence[Job]:
        """The jobs in these states (none named: all), oldest first."""
        ...

    def unplaced(self) -> Sequence[Job]:
        """Those that wait and have no workspace yet, oldest first."""
        ...

    def find(self, id: int) -> Job | None: ...

    def fix_workspace(self, id: int, workspace: WorkspaceName) -> None:
        """Say where a job works, once and for all; one that has its workspace keeps it."""
        ...

    def take(self) -> Job | None:
        """Begin the oldest job that is due and has its workspace; its attempt counts from here."""
        ...

    def settle(self, id: int, state: JobState, *, error: str = "", rest_seconds: float = 0) -> None:
        """Say what became of a job that was begun; one that was cancelled meanwhile stays so."""
        ...

    def cancel(self, select: Callable[[Job], bool]) -> Sequence[Job]:
        """Cancel the jobs that are chosen, of those that wait, run or failed; they are given back as they are now."""
        ...

    def recover(self) -> int:
        """Take up what a dead worker had begun, to be called by the only one there is; how many those were."""
        ...

    def prune(self, *, keep: int) -> None:
        """Forget the oldest jobs that are over, but for so many, and the calls of hooks."""
        ...


class WorkerLock(Protocol):
    """Held by the one worker of a data folder, and let go by the operating system when that ends."""

    def hold(self) -> AbstractContextManager[bool]:
        """Try to hold it, without waiting; whether it is held."""
        ...
