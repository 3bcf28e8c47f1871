"""Projects on disk, as the services see them: what lies around a directory, and the project file."""

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import Surroundings
from imprint.domain.worktrees import Worktree

__all__ = ["ProjectFolders", "WorkspaceFiles", "WorkspaceSettings"]


class ProjectFolders(Protocol):
    """Looks at directories; only `write_project_file` changes anything."""

    def homes_around(self, place: CanonicalPath) -> tuple[CanonicalPath, ...]:
        """The homes that end a walk from a place: the user's, and that of another system that the place belongs to."""
        ...

    def canonical(self, path: Path) -> CanonicalPath:
        """Absolute, links resolved, true case; of a path that is gone the longest existing prefix is resolved."""
        ...

    def look_around(self, directory: Path | None) -> Surroundings:
        """What the walk from a directory finds; a file stands for its folder. Never raises, never waits."""
        ...

    def look_back(self, directory: Path | None, worktrees: Iterable[Worktree]) -> Surroundings:
        """Like `look_around`, and of a directory that is gone what the walk from its place finds now.

        Args:
            worktrees: Linked worktrees that are remembered; they count for directories that are gone.
        """
        ...

    def check_writable(self, folder: CanonicalPath) -> None:
        """Raises:
        ProjectFileRefusedError: What lies in the place of the folder's project file must not be replaced.
        """
        ...

    def write_project_file(self, folder: CanonicalPath, workspace: WorkspaceName) -> bool:
        """Write the folder's project file, whole or not at all; false when it says so already.

        Raises:
            ProjectFileRefusedError: What lies in its place must not be replaced.
            ProjectFileUnwritableError: The operating system refused.
        """
        ...


class WorkspaceSettings(Protocol):
    """The settings that name a workspace."""

    @property
    def unassigned(self) -> str:
        """``workspace.unassigned``; empty: not set."""
        ...

    @property
    def inbox(self) -> str:
        """``workspace.inbox``; empty: not set."""
        ...

    def forget_workspace(self, name: WorkspaceName) -> tuple[str, ...]:
        """Reset those that name a workspace; the keys that were reset."""
        ...


class WorkspaceFiles(Protocol):
    """The files of workspaces in the data folder."""

    def exist(self, workspace: WorkspaceName) -> bool:
        """Whether anything of it is left."""
        ...

    def remove(self, workspace: WorkspaceName) -> None:
        """Remove everything of it, the workspace's lock being held; nothing left is no error."""
        ...
