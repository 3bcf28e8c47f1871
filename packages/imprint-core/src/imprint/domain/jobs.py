"""Background work: what a job is, and when one that failed is tried again.

Tuples, without anything heavy: a client's hook queues a job on every answer of the model.
"""

from enum import StrEnum
from typing import NamedTuple

from imprint.domain.conversations import conversation_key

__all__ = [
    "LEARN",
    "MOST_ATTEMPTS",
    "Job",
    "JobRequest",
    "JobState",
    "after_absence",
    "after_failure",
    "retry_seconds",
]

LEARN = "learn"
"""The kind of job that learns from one conversation."""

MOST_ATTEMPTS = 4

_MOST_LOOKS = 3
"""For a conversation that is not there."""

_RETRY_SECONDS = (1.0, 5.0, 25.0)


class JobState(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self not in (JobState.QUEUED, JobState.RUNNING)


class JobRequest(NamedTuple):
    """What a hook asks for.

    Attributes:
        client: Name of the client whose conversation it is.
        source: The transcript's path, or the conversation's key where the client told none.
        cwd: The session's directory; empty where the client told none.
        environment: What ``IMPRINT_WORKSPACE`` said.
        active: The workspace that was active; whatever is switched to later does not redirect the job.
    """

    client: str
    source: str
    cwd: str = ""
    environment: str = ""
    active: str = ""

    @property
    def names_conversation(self) -> bool:
        """Whether the source is a conversation's key."""
        return self.source.startswith(conversation_key(self.client, ""))


class Job(NamedTuple):
    """A piece of work. Paths and ids, never text.

    Attributes:
        workspace: Fixed before any work begins; empty until it is.
        attempts: How often it was begun.
        due: Not to be begun before: seconds since the epoch.
        error: Name of the error that ended the last attempt; empty where none did.
        created: UTC ISO 8601, as are all moments.
        changed: When its state last changed.
    """

    id: int
    kind: str
    request: JobRequest
    workspace: str
    state: JobState
    attempts: int
    due: float
    error: str
    created: str
    changed: str

    def as_json(self) -> dict[str, object]:
        """The object that ``jobs list --json`` prints."""
        return {
            "id": self.id,
            "kind": self.kind,
            "workspace": self.workspace,
            "source": self.request.source,
            "state": self.state.value,
            "error": self.error or None,
            "created": self.created,
        }

    def details_as_json(self) -> dict[str, object]:
        """The object that ``jobs show --json`` prints."""
        return {
            **self.as_json(),
            "client": self.request.client,
            "attempts": self.attempts,
            "changed": self.changed,
        }


def retry_seconds(attempts: int) -> float:
    """How long a job rests that failed for the so-manieth time."""
    return _RETRY_SECONDS[min(attempts, len(_RETRY_SECONDS)) - 1]


def after_failure(attempts: int, *, is_final: bool) -> JobState:
    """What becomes of a job that failed for the so-manieth time.

    Args:
        is_final: The error will be the same next time.
    """
    return JobState.FAILED if is_final or attempts >= MOST_ATTEMPTS else JobState.QUEUED


def after_absence(attempts: int) -> JobState:
    """What becomes of a job whose conversation was not there for the so-manieth time.

    Some clients write it a moment after they have called, and some never: then there is nothing to be done.
    """
    return JobState.DONE if attempts >= _MOST_LOOKS else JobState.QUEUED
