"""Diagnosis of what nobody watches: background work, clients, their hooks, and the model that reads conversations."""

from collections.abc import Iterable, Iterator, Sequence

from imprint.domain.jobs import Job, JobState
from imprint.errors import ImprintError
from imprint.services.connect import ClientState, ClientStatus
from imprint.services.diagnose import Finding, State

__all__ = ["check_clients", "check_hooks", "check_jobs", "check_language_model"]


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


def check_clients(statuses: Iterable[ClientStatus]) -> Iterator[Finding]:
    """Say which clients are connected, and what each of them waits for: nothing of it is broken."""
    told = list(statuses)
    names = [status.address for status in told if status.state in (ClientState.CONNECTED, ClientState.INCOMPLETE)]
    yield Finding(part="clients", state=State.OK, message=f"connected: {', '.join(names) or 'none'}")
    for status in told:
        part = f"client {status.address}"
        if status.state is ClientState.INCOMPLETE:
            message = "what is registered with it is not what would be now"
            remedy = f"run 'imprint clients connect {status.address}'"
            yield Finding(part=part, state=State.PENDING, message=message, remedy=remedy)
        if status.error is not None:
            yield Finding(part=part, state=State.PENDING, message=str(status.error), remedy=status.error.hint or "")
        for note in status.notes:
            state = State.OK if status.state is ClientState.DISCONNECTED else State.PENDING
            yield Finding(part=part, state=state, message=note.text)


def check_language_model(
    model: str, *, faults: Sequence[str] = (), log: str = "", refusal: ImprintError | None = None
) -> Finding:
    """Say who reads conversations, and that rules stand in.

    Args:
        model: The chosen one; empty where none is.
        faults: Of the last day.
        refusal: Why it cannot be asked at all.
    """
    part = "language model"
    if refusal is not None:
        return Finding(part=part, state=State.PROBLEM, message=str(refusal), remedy=refusal.hint or "")
    if not model:
        return Finding(part=part, state=State.OK, message="none is set: rules read conversations")
    if not faults:
        return Finding(part=part, state=State.OK, message=f"{model}; it did not fail in the last day")
    message = f"{model} failed {len(faults)} times in the last day, and rules read instead; the last time: {faults[-1]}"
    remedy = f"see that the program runs and knows the model; remove {log} when it is solved"
    return Finding(part=part, state=State.PROBLEM, message=message, remedy=remedy)
