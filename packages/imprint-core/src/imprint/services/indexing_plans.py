"""What a run over files was asked to do."""

from collections.abc import Sequence

import attrs

from imprint.domain.paths import contains, depth
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.worktrees import Worktree

__all__ = ["IndexingPlan", "deepest_root", "outermost_root", "outermost_targets"]


@attrs.frozen(kw_only=True)
class IndexingPlan:
    """A run as it was decided before anything was waited for.

    Attributes:
        reason: Why this workspace; ``sentence`` says it to a person.
        activity: ``ingest`` or ``refresh``; shown by the lock.
        targets: Files and folders, canonical.
        roots: The workspace's, and what stands for them in linked worktrees that are indexed.
        worktrees: Those that targets lie in.
        project: Instead of what manifests say.
        accept_removals: Believe that much of a folder is gone.
        dry_run: Compare only; nothing is written, no lock taken, no store made.
    """

    workspace: WorkspaceName
    reason: str
    sentence: str
    activity: str
    targets: tuple[CanonicalPath, ...]
    roots: tuple[CanonicalPath, ...]
    worktrees: tuple[Worktree, ...] = ()
    project: str = ""
    accept_removals: bool = False
    dry_run: bool = False


def deepest_root(path: CanonicalPath, roots: Sequence[CanonicalPath]) -> CanonicalPath:
    """The root a path was most precisely approved with: rules above it have no say. Without one, the path itself."""
    return max((root for root in roots if contains(root, path)), key=depth, default=path)


def outermost_root(path: CanonicalPath, roots: Sequence[CanonicalPath]) -> CanonicalPath:
    """The widest root that holds a path: project names do not depend on how a run was started."""
    return min((root for root in roots if contains(root, path)), key=depth, default=path)


def outermost_targets(targets: Sequence[CanonicalPath]) -> list[CanonicalPath]:
    """The targets without those that lie in another."""
    kept: list[CanonicalPath] = []
    for target in sorted(dict.fromkeys(targets), key=depth):
        if not any(contains(outer, target) for outer in kept):
            kept.append(target)
    return kept
