"""What learning from conversations did, as a value."""

import attrs

from imprint.domain.sources import WorkspaceName
from imprint.errors import ImprintError
from imprint.services.indexing_reports import IngestReport, Outcome, RunTally, sentence_of
from imprint.services.model_readings import ModelReader

__all__ = ["ConversationVerdict", "LearnReport", "LearnTally"]


@attrs.frozen(kw_only=True)
class ConversationVerdict:
    """A conversation, and what becomes of it in this workspace.

    Attributes:
        source: The key it goes by, or would.
        path: Of its transcript.
        workspaces: Those of this device that may learn from it.
        reason: Why these, as a sentence.
    """

    client: str
    source: str
    path: str
    title: str
    outcome: Outcome
    workspaces: tuple[WorkspaceName, ...]
    reason: str

    def as_json(self) -> dict[str, object]:
        """The object that ``--json`` prints."""
        return {
            "client": self.client,
            "source": self.source,
            "path": self.path,
            "title": self.title,
            "outcome": self.outcome.value,
            "workspaces": list(self.workspaces),
            "reason": self.reason,
        }


@attrs.frozen(kw_only=True)
class LearnReport(IngestReport):
    """What one workspace learned. Sources are conversations; those refused belong to other workspaces.

    Attributes:
        older: Transcripts that were not looked into, since they ended before the moment that was asked for.
        untold: Those that were left alone, since nothing tells in which directory they were held.
        conversations: Each conversation of a dry run.
        model_failures: Conversations that rules read, since the language model failed.
        model_failure: Its last failure.
    """

    older: int = 0
    untold: int = 0
    model_failures: int = 0
    model_failure: ImprintError | None = None
    conversations: tuple[ConversationVerdict, ...] = ()

    @property
    def model_message(self) -> str:
        """The model's last failure as a sentence; empty where there is none."""
        return sentence_of(self.model_failure) if self.model_failure else ""

    def as_json(self) -> dict[str, object]:
        found = {
            **super().as_json(),
            "older": self.older,
            "untold": self.untold,
            "model_failures": self.model_failures,
            "model_failure": self.model_message,
        }
        if self.dry_run:
            found["conversations"] = [conversation.as_json() for conversation in self.conversations]
        return found


@attrs.define
class LearnTally(RunTally):
    """A report in the making."""

    older: int = 0
    untold: int = 0
    model_failures: int = 0
    model_failure: ImprintError | None = None
    conversations: list[ConversationVerdict] = attrs.field(factory=list)

    def note_reader(self, reader: ModelReader | None) -> None:
        """Take over how often a model failed so far."""
        if reader:
            self.model_failures, self.model_failure = reader.failures, reader.last_failure
