"""Diagnosis of what nobody watches: background work, and clients' hooks."""

from collections.abc import Sequence

from imprint.domain.jobs import Job, JobState
from imprint.services.diagnose import Finding, State

__all__ = ["check_hooks", "check_jobs"]


def check_jobs(jobs: Sequence[Job]) -> Finding:
    """Say what waits and what failed for good."""
    part = "background work"
    failed = [job for job in jobs if job.state is JobState.FAILED]
    waiting = [job for job in jobs if not job.state.is_over]
    if failed:
        last = failed[-1]
        message = f"{len(failed)} jobs failed, the last one, {last.id}, with {last.error}"
        return Finding(
            part=part,
            state=State.PROBLEM,
            message=message,
            remedy=f"run 'imprint jobs show {last.id}'; 'imprint learn' takes in what was missed, "
            "'imprint jobs cancel --failed' takes them off the list",
        )
    if waiting:
        return Finding(
            part=part, state=State.PENDING, message=f"{len(waiting)} jobs wait", remedy="run 'imprint jobs run'"
        )
    return Finding(part=part, state=State.OK, message="nothing waits")


def check_hooks(faults: Sequence[str], log: str) -> Finding:
    """Say what clients were not told.

    Args:
        faults: Of the last day.
    """
    if not faults:
        return Finding(part="hooks", state=State.OK, message="none failed in the last day")
    message = f"{len(faults)} calls failed in the last day, the last one: {faults[-1]}"
    return Finding(part="hooks", state=State.PROBLEM, message=message, remedy=f"see {log}; remove it when it is solved")
