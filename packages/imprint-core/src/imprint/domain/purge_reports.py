"""What a purge would do or did, and what is left of it, as values: for a terminal, for ``--json``, for a tool."""

from enum import StrEnum

import attrs

from imprint.domain.purge import Exclusion
from imprint.domain.sources import SourceKey, WorkspaceName

__all__ = ["PendingWork", "PurgeCheck", "PurgeReport", "PurgeVerification", "exclusion_as_json"]


class PendingWork(StrEnum):
    """What is still to be done after a purge; the rows are gone already."""

    INDEX = "index"
    WAL = "wal"
    SCRUB = "scrub"

    @property
    def explanation(self) -> str:
        """What it means, as the rest of a sentence about a store."""
        return {
            PendingWork.INDEX: "index files made before the purge are not deleted yet",
            PendingWork.WAL: "its journal is not emptied yet",
            PendingWork.SCRUB: "its file is not written anew yet, so deleted text may lie in gaps",
        }[self]


@attrs.frozen(kw_only=True)
class PurgeReport:
    """A purge, previewed or applied.

    Attributes:
        digest: Of the selection that was previewed, or that the application began with.
        sources: Every source that would go or went.
        linked_facts: Number of facts drawn from one of them.
        orphan_facts: Number of facts drawn from a source of the target that is not stored.
        late: Number of sources that arrived between the enumeration and the transaction; they went too.
        pending: What could not be finished; the next to open the store does it.
        exclusion: What keeps the target out; `None` in a preview of a target that is not excluded.
    """

    workspace: WorkspaceName
    target: str
    recursive: bool
    applied: bool
    digest: str
    sources: tuple[SourceKey, ...] = ()
    chunks: int = 0
    vectors: int = 0
    linked_facts: int = 0
    orphan_facts: int = 0
    late: int = 0
    pending: tuple[PendingWork, ...] = ()
    exclusion: Exclusion | None = None

    def as_json(self) -> dict[str, object]:
        """The object that ``--json`` prints."""
        return {
            "workspace": self.workspace,
            "target": self.target,
            "recursive": self.recursive,
            "applied": self.applied,
            "digest": self.digest,
            "sources": list(self.sources),
            "chunks": self.chunks,
            "vectors": self.vectors,
            "facts": {"linked": self.linked_facts, "orphan": self.orphan_facts},
            "late": self.late,
            "pending": [work.value for work in self.pending],
            "exclusion": exclusion_as_json(self.exclusion) if self.exclusion else None,
        }


@attrs.frozen(kw_only=True)
class PurgeCheck:
    """One thing that must hold after a purge."""

    name: str
    passed: bool
    detail: str


@attrs.frozen(kw_only=True)
class PurgeVerification:
    """Whether anything of a purged target is left.

    Attributes:
        exclusion: What keeps it out; `None` where nothing does.
        untouched: What a purge never touches, in words.
    """

    workspace: WorkspaceName
    target: str
    recursive: bool
    checks: tuple[PurgeCheck, ...]
    exclusion: Exclusion | None
    untouched: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        return all(check.passed for check in self.checks)

    def as_json(self) -> dict[str, object]:
        """The object that ``--json`` prints."""
        return {
            "workspace": self.workspace,
            "target": self.target,
            "recursive": self.recursive,
            "clean": self.is_clean,
            "checks": [attrs.asdict(check) for check in self.checks],
            "exclusion": exclusion_as_json(self.exclusion) if self.exclusion else None,
            "untouched": list(self.untouched),
        }


def exclusion_as_json(exclusion: Exclusion) -> dict[str, object]:
    """The object that ``exclusions list --json`` prints."""
    return {
        "workspace": exclusion.workspace,
        "target": exclusion.target,
        "recursive": exclusion.recursive,
        "added": exclusion.added_at,
        "conversations": len(exclusion.conversations),
    }
