"""Moves between workspaces: what is chosen, and what may go."""

from enum import StrEnum

import attrs

from imprint.domain.purge import Exclusion, is_excluded
from imprint.domain.roots import Root, roots_containing
from imprint.domain.sources import CanonicalPath, Source, SourceKey, WorkspaceName
from imprint.domain.versions import Standing, compare_versions

__all__ = ["MoveChoice", "MoveReport", "MoveVerdict", "judge_move", "roots_left_behind"]


@attrs.frozen(kw_only=True)
class MoveChoice:
    """What is to be moved; one of the fields is not empty.

    Attributes:
        source: A source's key, or a pattern of keys (``*`` crosses folders).
        kind: A source kind or a memory kind.
    """

    project: str = ""
    source: str = ""
    kind: str = ""

    def __str__(self) -> str:
        if self.project:
            return f"project {self.project}"
        return self.source or f"kind {self.kind}"


class MoveVerdict(StrEnum):
    """Whether a source may go to another workspace."""

    FREE = "free"
    CONFLICTING = "conflicting"
    EXCLUDED = "excluded"


def judge_move(
    source: Source,
    indexed_at: str,
    *,
    there: Source | None,
    there_indexed_at: str,
    exclusions: tuple[Exclusion, ...],
) -> MoveVerdict:
    """Whether a source may move.

    What can be read again from where it came meets another version of itself as anywhere: the newer is kept. What a
    person or an agent wrote exists nowhere else, so two that differ under one name stay where they are.

    Args:
        there: What the other workspace has under the same key.
        exclusions: Of the other workspace.
    """
    if is_excluded(source, exclusions):
        return MoveVerdict.EXCLUDED
    if there is None or source.path is not None or source.url:
        return MoveVerdict.FREE
    standing = compare_versions(
        ours=there, ours_indexed_at=there_indexed_at, theirs=source, theirs_indexed_at=indexed_at
    )
    return MoveVerdict.FREE if standing is Standing.SAME else MoveVerdict.CONFLICTING


def roots_left_behind(
    workspace: WorkspaceName, moved: tuple[CanonicalPath, ...], roots: tuple[Root, ...]
) -> tuple[CanonicalPath, ...]:
    """The roots of a workspace from which its next refresh would take in again what was moved away."""
    own = [root for root in roots if root.workspace == workspace]
    found = {root.path for path in moved for root in roots_containing(path, own)}
    return tuple(sorted(found, key=str))


@attrs.frozen(kw_only=True)
class MoveReport:
    """A move, done or to be done.

    Attributes:
        moved: Sources that went, or would go; also those that the other workspace had already.
        conflicting: Sources that stay, since the other workspace has something else of the same name.
        excluded: Sources that stay, since the other workspace keeps them out.
        late: Sources that stay, since they changed again and again meanwhile.
        roots: Of the workspace they left; its next refresh would take in again what lies there.
        embedding_failure: Why some are found by their words alone until a later run embeds them; else empty.
    """

    origin: WorkspaceName
    target: WorkspaceName
    dry_run: bool
    moved: tuple[SourceKey, ...] = ()
    conflicting: tuple[SourceKey, ...] = ()
    excluded: tuple[SourceKey, ...] = ()
    late: tuple[SourceKey, ...] = ()
    chunks: int = 0
    vectors: int = 0
    facts: int = 0
    roots: tuple[CanonicalPath, ...] = ()
    embedding_failure: str = ""

    def as_json(self) -> dict[str, object]:
        """The object that ``--json`` prints."""
        return {
            "from": self.origin,
            "to": self.target,
            "dry_run": self.dry_run,
            "sources": {
                "moved": len(self.moved),
                "conflicting": len(self.conflicting),
                "excluded": len(self.excluded),
                "late": len(self.late),
            },
            "chunks": self.chunks,
            "vectors": self.vectors,
            "facts": self.facts,
            "moved": list(self.moved),
            "left": [*self.conflicting, *self.excluded, *self.late],
            "roots": [str(root) for root in self.roots],
            "embedding_failure": self.embedding_failure,
        }
