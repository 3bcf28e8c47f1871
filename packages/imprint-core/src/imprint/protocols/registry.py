"""The device's own record: workspaces, the active one, approved roots, exclusions, git worktrees."""

from collections.abc import Collection, Sequence
from typing import Protocol

import attrs

from imprint.domain.purge import Exclusion
from imprint.domain.roots import Root
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.worktrees import Worktree

__all__ = ["Exclusion", "ProjectAssignment", "Registry", "RootAddition", "WorkspaceRecord"]


@attrs.frozen(kw_only=True)
class WorkspaceRecord:
    """A workspace of this device."""

    name: WorkspaceName
    created_at: str
    active: bool


@attrs.frozen
class RootAddition:
    """What became of a root that was to be added; ``added`` is false when it was there already."""

    root: Root
    added: bool


@attrs.frozen(kw_only=True)
class ProjectAssignment:
    """What became of a folder given to a workspace.

    Attributes:
        created: The workspace is new.
        added: The folder became a root; false when a root of the workspace contained it already.
    """

    created: bool
    added: bool


class Registry(Protocol):
    """Each method is one transaction; writers serialize on the database's write lock."""

    def workspaces(self) -> tuple[WorkspaceRecord, ...]:
        """In name order; `default` always exists."""
        ...

    def create_workspace(self, name: WorkspaceName) -> bool:
        """False when it existed already."""
        ...

    def switch_workspace(self, name: WorkspaceName) -> None:
        """Make it the active one.

        Raises:
            UnknownWorkspaceError: No workspace has this name.
        """
        ...

    def mark_deleted(self, name: WorkspaceName) -> None:
        """Mark a workspace as deleted, drop its roots, keep its exclusions; the active one becomes `default`.

        Raises:
            UnknownWorkspaceError: No workspace has this name.
            ProtectedWorkspaceError: `default` cannot be deleted.
        """
        ...

    def life(self, name: WorkspaceName) -> str | None:
        """Names one life of a workspace: made anew under its old name it has another; `None` while it has none."""
        ...

    def is_live(self, name: WorkspaceName) -> bool:
        """Whether the workspace exists and is not marked deleted."""
        ...

    def roots(self) -> tuple[Root, ...]:
        """Of every workspace, in path order."""
        ...

    def add_root(self, root: Root, *, allow_overlap: bool = False) -> RootAddition:
        """Approve a folder; the overlap is checked inside the transaction.

        Raises:
            RootOverlapError: It overlaps roots of other workspaces and sharing was not confirmed.
            UnknownWorkspaceError: No workspace has this name.
        """
        ...

    def bind_first_root(self, root: Root, *, allow_overlap: bool = False) -> tuple[Root, ...]:
        """Approve a folder if and only if its workspace has no root yet; the workspace's roots afterwards."""
        ...

    def assign_project(self, root: Root, *, allow_overlap: bool = False) -> ProjectAssignment:
        """Create the root's workspace if it is new, and approve the folder unless a root of it contains the folder.

        All in one transaction. The overlap is checked only when a root is to be added: where a root of the workspace
        contains the folder already, every sharing that touches the folder was confirmed when the roots were added.

        Raises:
            RootOverlapError: It overlaps roots of other workspaces and sharing was not confirmed; nothing was created.
        """
        ...

    def remove_root(self, workspace: WorkspaceName, path: CanonicalPath) -> None:
        """Raises:
        UnknownRootError: The workspace has no such root.
        """
        ...

    def exclusions(self, workspace: WorkspaceName) -> tuple[Exclusion, ...]:
        """In the order of their targets, extended to the recorded worktrees."""
        ...

    def excluded_turns(self, workspace: WorkspaceName, numbers: Collection[int]) -> frozenset[int]:
        """Those of some turns that were purged with a conversation: copies of them stay out of other ones."""
        ...

    def add_exclusion(self, exclusion: Exclusion, *, turns: Collection[int] = ()) -> bool:
        """False when all of it was there; one grows when it is added again as recursive, with conversations or turns.

        Args:
            turns: Numbers of what was said in the conversations that it covers.
        """
        ...

    def remove_exclusions(self, workspace: WorkspaceName, targets: Sequence[str]) -> int: ...

    def worktrees(self) -> tuple[Worktree, ...]:
        """Every linked worktree that was recorded, whether it is still there or not; in path order."""
        ...

    def record_worktree(self, worktree: Worktree, *, patience_seconds: float = 5.0) -> bool:
        """Remember what a worktree stands for, after it is gone too; false when it was recorded so already.

        Args:
            patience_seconds: How long other writers are waited for.
        """
        ...

    def forget_worktree(self, folder: CanonicalPath) -> None:
        """A folder is no linked worktree any more; one that was not recorded is no error."""
        ...
