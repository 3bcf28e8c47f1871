"""What a run over files did, as a value: for a sentence on a terminal, for ``--json``, for a tool's answer."""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum

import attrs

from imprint.domain.skips import SkipReason
from imprint.domain.sources import WorkspaceName
from imprint.errors import ImprintError

__all__ = ["Failure", "IngestReport", "Outcome", "Refusal", "RunTally", "sentence_of"]


class Outcome(StrEnum):
    """What became of a source; the keys of ``sources`` in a report."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    EXCLUDED = "excluded"
    REFUSED = "refused"
    FAILED = "failed"


@attrs.frozen
class Failure:
    """A source that could not be indexed, or a folder whose removals were held back."""

    source: str
    error: ImprintError

    @property
    def message(self) -> str:
        return sentence_of(self.error)


@attrs.frozen
class Refusal:
    """A file that the user may have expected to find, and why it was not indexed."""

    source: str
    reason: SkipReason


@attrs.frozen(kw_only=True)
class IngestReport:
    """What one workspace got out of an ingest or refresh.

    Attributes:
        reason: Why this workspace: a word of `imprint.domain.resolution.Reason`, or ``all``.
        sentence: The same for a person, naming the workspace.
        chunks: Number written by this run.
        skipped: Files and folders passed over on purpose, by reason.
        redactions: Secrets that were taken out of what was stored.
        embedding_failure: Why what was indexed is found by its words alone, until a later run embeds it.
        interrupted: Ctrl-C ended it; what was done is kept, and the next run goes on from there.
        dry_run: Nothing was written; the numbers say what would be.
    """

    workspace: WorkspaceName
    reason: str
    sentence: str
    sources: Mapping[Outcome, int]
    chunks: int
    seconds: float
    failures: tuple[Failure, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    skipped: Mapping[SkipReason, int] = attrs.field(factory=dict)
    redactions: int = 0
    embedding_failure: ImprintError | None = None
    interrupted: bool = False
    dry_run: bool = False

    @property
    def embedding_message(self) -> str:
        """The failure as a sentence; empty where there is none."""
        return sentence_of(self.embedding_failure) if self.embedding_failure else ""

    def as_json(self) -> dict[str, object]:
        """The object that ``--json`` prints."""
        return {
            "workspace": self.workspace,
            "reason": self.reason,
            "sources": {outcome.value: self.sources.get(outcome, 0) for outcome in Outcome},
            "chunks": self.chunks,
            "seconds": round(self.seconds, 3),
            "failures": [{"source": failure.source, "error": failure.message} for failure in self.failures],
            "refusals": [{"source": refusal.source, "reason": refusal.reason.value} for refusal in self.refusals],
            "skipped": {reason.value: count for reason, count in sorted(self.skipped.items())},
            "redactions": self.redactions,
            "embedding_failure": self.embedding_message,
            "interrupted": self.interrupted,
            "dry_run": self.dry_run,
        }


@attrs.define
class RunTally:
    """A report in the making."""

    sources: Counter[Outcome] = attrs.field(factory=Counter)
    skipped: Counter[SkipReason] = attrs.field(factory=Counter)
    failures: list[Failure] = attrs.field(factory=list)
    refusals: list[Refusal] = attrs.field(factory=list)
    chunks: int = 0
    redactions: int = 0

    def count(self, outcome: Outcome, number: int = 1) -> None:
        self.sources[outcome] += number

    def fail(self, source: str, error: ImprintError) -> None:
        self.sources[Outcome.FAILED] += 1
        self.failures.append(Failure(_printable(source), error))

    def skip(self, source: str, reason: SkipReason) -> None:
        if reason.is_told:
            self.sources[Outcome.REFUSED] += 1
            self.refusals.append(Refusal(_printable(source), reason))
        else:
            self.skipped[reason] += 1


def sentence_of(error: ImprintError) -> str:
    """An error and what to do about it, in one line."""
    return f"{error}; {error.hint}" if error.hint else str(error)


def _printable(path: str) -> str:
    """A path that can be written out: bytes of a name that are not UTF-8 are shown by their codes."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")
