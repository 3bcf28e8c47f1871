"""Background work: jobs are given their workspace, done one after the other, and tried again where that may help."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import attrs

from imprint.domain.jobs import Job, JobRequest, JobState, after_absence, after_failure, retry_seconds
from imprint.domain.names import DEFAULT_WORKSPACE
from imprint.domain.purge import Exclusion, is_key_excluded
from imprint.domain.resolution import Reason
from imprint.domain.sources import WorkspaceName
from imprint.errors import (
    ImprintError,
    PluginError,
    RefusedError,
    UnknownJobError,
    UnknownNameError,
    UsageError,
    WorkspaceDeletedError,
)
from imprint.protocols.jobs import JobQueue, WorkerLock
from imprint.protocols.progress import Progress
from imprint.services.learn import Learning
from imprint.services.learning_reports import LearnReport
from imprint.services.workspaces import Workspaces

__all__ = ["Jobs"]

_FINAL = (UsageError, UnknownNameError, RefusedError, WorkspaceDeletedError, PluginError)
"""What the next attempt would meet again."""

_KEPT = 200
"""Jobs that are over and still listed."""

_LOOK_SECONDS = 0.5
"""While a job rests, others may be queued."""


@attrs.frozen(kw_only=True)
class Jobs:
    """The use cases.

    Attributes:
        learning: Composed when the first job needs it.
        spellings: The paths that a client may list a transcript under, by the one that its hook was told.
        wait: Let so many seconds pass.
    """

    queue: JobQueue
    lock: WorkerLock
    workspaces: Workspaces
    learning: Callable[[], Learning]
    spellings: Callable[[str], Sequence[Path]]
    wait: Callable[[float], None]

    def list(self) -> Sequence[Job]:
        """Every job that is known still, oldest first."""
        return self.queue.list()

    def find(self, id: int) -> Job:
        """One job.

        Raises:
            UnknownJobError: There is none of this number.
        """
        job = self.queue.find(id)
        if job is None:
            raise UnknownJobError(id)
        return job

    def cancel(self, ids: Iterable[int]) -> Sequence[Job]:
        """Cancel jobs that wait, run or failed; what a running one has stored stays. Those that were cancelled.

        Raises:
            UnknownJobError: There is none of such a number; nothing was cancelled.
        """
        wanted = {self.find(id).id for id in ids}
        return self.queue.cancel(lambda job: job.id in wanted)

    def cancel_failed(self) -> Sequence[Job]:
        """Give up the jobs that failed for good."""
        return self.queue.cancel(lambda job: job.state is JobState.FAILED)

    def cancel_excluded(self, exclusion: Exclusion) -> Sequence[Job]:
        """Cancel the jobs about transcripts that an exclusion keeps out of its workspace."""

        def is_kept_out(job: Job) -> bool:
            source = job.request.source
            keys = [source] if job.request.names_conversation else [str(path) for path in self.spellings(source)]
            return job.workspace in ("", exclusion.workspace) and any(
                is_key_excluded(key, (exclusion,)) for key in keys
            )

        return self.queue.cancel(is_kept_out)

    def run(self, progress: Progress) -> Iterator[Job]:
        """Work the queue off, giving each job after each attempt; nothing where another process does it.

        Whatever was queued before this call has its workspace from here on, even where another does the work.

        Raises:
            StoreError: The queue cannot be read or written.
        """
        self.queue.begin_work()
        self._fix_workspaces()
        while True:
            with self.lock.hold() as held:
                if not held:
                    return
                self.queue.recover()
                yield from self._drain(progress)
                self.queue.prune(keep=_KEPT)
            # Whoever queued a job in the moment before the lock was let go has seen it held.
            if not self.queue.list(JobState.QUEUED):
                return

    def _drain(self, progress: Progress) -> Iterator[Job]:
        while True:
            self._fix_workspaces()
            job = self.queue.take()
            if job is not None:
                yield self._attempt(job, progress)
            elif self.queue.list(JobState.QUEUED):
                self.wait(_LOOK_SECONDS)
            else:
                return

    def _attempt(self, job: Job, progress: Progress) -> Job:
        name = ""
        try:
            report = self._learn(job, progress)
            error = next((failure.error for failure in report.failures), None)
            state = JobState.DONE if any(report.sources.values()) else after_absence(job.attempts)
        except ImprintError as raised:
            error = raised
        except KeyboardInterrupt:
            self.queue.settle(job.id, JobState.QUEUED)
            raise
        if error is not None:
            name = type(error).__name__
            state = after_failure(job.attempts, is_final=isinstance(error, _FINAL))
        rest = retry_seconds(job.attempts) if state is JobState.QUEUED else 0
        self.queue.settle(job.id, state, error=name, rest_seconds=rest)
        return self.queue.find(job.id) or job

    def _learn(self, job: Job, progress: Progress) -> LearnReport:
        self._require_same_workspace(job)
        resolution = self.workspaces.selected(job.workspace)
        client, source, cwd = job.request.client, job.request.source, job.request.cwd
        is_key = job.request.names_conversation
        report = self.learning().learn(
            resolution,
            progress,
            clients=(client,),
            paths=() if is_key else self.spellings(source),
            conversations=(source,) if is_key else (),
            cwd=cwd,
        )
        if report.interrupted:
            raise KeyboardInterrupt
        return report

    def _require_same_workspace(self, job: Job) -> None:
        """A workspace that was made anew under its name is not the one that the job was queued for.

        The first hook of a device comes before its registry, and so before the workspace that cannot be deleted.
        """
        for record in self.workspaces.list():
            if record.name == job.workspace != DEFAULT_WORKSPACE and record.created_at > job.created:
                raise WorkspaceDeletedError(job.workspace)

    def _fix_workspaces(self) -> None:
        for job in self.queue.unplaced():
            try:
                self.queue.fix_workspace(job.id, self._choose(job.request))
            except ImprintError as error:
                self.queue.settle(job.id, JobState.FAILED, error=type(error).__name__)

    def _choose(self, request: JobRequest) -> WorkspaceName:
        """The workspace that a session in the directory used when the job was queued.

        Raises:
            InvalidEnvironmentWorkspaceError: ``IMPRINT_WORKSPACE`` named none.
        """
        then = attrs.evolve(self.workspaces, environment=request.environment)
        found = then.which(Path(request.cwd) if request.cwd else None, is_session=True)
        if found.resolution.reason is Reason.ACTIVE and request.active:
            return WorkspaceName(request.active)
        return found.workspace
