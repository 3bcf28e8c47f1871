"""Linked git worktrees whose files a workspace holds: what roots approve of them, and what is refreshed with them."""

from collections.abc import Iterable
from pathlib import Path

import attrs

from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import DirectoryProblem
from imprint.domain.worktrees import Worktree, place_in
from imprint.services.indexing import Indexing
from imprint.services.workspace_roots import WorkspaceRoots

__all__ = ["IndexedPlaces", "find_indexed_places"]


@attrs.frozen
class IndexedPlaces:
    """Where the files of a workspace lie.

    Attributes:
        roots: The workspace's.
        linked: What stands for them in linked worktrees.
        worktrees: These worktrees.
    """

    roots: tuple[CanonicalPath, ...]
    linked: tuple[CanonicalPath, ...]
    worktrees: tuple[Worktree, ...]

    @property
    def all(self) -> tuple[CanonicalPath, ...]:
        return tuple(dict.fromkeys((*self.roots, *self.linked)))


def find_indexed_places(
    indexing: Indexing,
    roots: WorkspaceRoots,
    workspace: WorkspaceName,
    approved: tuple[CanonicalPath, ...],
    targeted: Iterable[Worktree | None] = (),
) -> IndexedPlaces:
    """What of linked worktrees belongs to a run over a workspace.

    Args:
        approved: The workspace's roots.
        targeted: Worktrees that the run was asked for. Those from which the workspace holds files already belong to it
            too, unless what lies there now is no worktree of its main repository any more.
    """
    recorded = [one for one in indexing.registry.worktrees() if any(place_in(one, root) for root in approved)]
    held: list[Worktree] = []
    if recorded and indexing.stores.exists(workspace):
        with indexing.stores.open(workspace) as store:
            held = [one for one in recorded if store.file_states(one.folder) and _is_still(one, roots)]
    worktrees = tuple(dict.fromkeys((*(one for one in targeted if one is not None), *held)))
    linked = (place_in(worktree, root) for worktree in worktrees for root in approved)
    return IndexedPlaces(approved, tuple(dict.fromkeys(place for place in linked if place is not None)), worktrees)


def _is_still(worktree: Worktree, roots: WorkspaceRoots) -> bool:
    """One that is gone is: only then its files can be missed."""
    around = roots.workspaces.projects.look_around(Path(worktree.folder))
    return around.worktree == worktree or around.problem is DirectoryProblem.DELETED
