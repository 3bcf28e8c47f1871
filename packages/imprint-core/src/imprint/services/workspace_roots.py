"""Approved folders: listing, adding and removing them, and whether a target may be ingested."""

from collections.abc import Iterable
from pathlib import Path

import attrs

from imprint.domain.paths import same_place
from imprint.domain.roots import Admission, Root, admits, explain_root_refusal, find_root_refusal
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.worktrees import Worktree, stand_in
from imprint.errors import InvalidPathError, OutsideRootsError, RefusedRootError, UnknownRootError
from imprint.protocols.registry import RootAddition
from imprint.services.directories import DirectoryResolution, require_directory, require_recordable
from imprint.services.workspaces import Workspaces

__all__ = ["Target", "WorkspaceRoots"]


@attrs.frozen
class Target:
    """A file or folder that somebody wants ingested or refreshed, and the workspace of its directory.

    Attributes:
        path: Canonical; may be gone.
    """

    path: CanonicalPath
    resolved: DirectoryResolution

    @property
    def worktree(self) -> Worktree | None:
        """The linked git worktree it lies in."""
        return self.resolved.surroundings.worktree

    @property
    def place(self) -> CanonicalPath:
        """What roots are asked about: in a linked worktree the same place in the main one."""
        return stand_in(self.path, (self.worktree,)) if self.worktree else self.path

    @property
    def workspace(self) -> WorkspaceName:
        return self.resolved.workspace


@attrs.frozen
class WorkspaceRoots:
    """The use cases. A workspace is chosen as `Workspaces.selected` chooses it."""

    workspaces: Workspaces

    def list(self, *, explicit: str = "") -> tuple[Root, ...]:
        """The roots of a workspace, in path order."""
        return self._of(self.workspaces.selected(explicit).workspace)

    def add(
        self, directory: Path, *, explicit: str = "", allow_overlap: bool = False, allow_home: bool = False
    ) -> RootAddition:
        """Approve a folder; one that is approved already is a success. In a linked worktree it is that of the main one.

        Raises:
            InvalidPathError: There is no such directory.
            RefusedRootError: A file-system root, a home or a directory above one, and ``allow_home`` does not insist.
            RootOverlapError: It overlaps roots of other workspaces, and ``allow_overlap`` does not confirm sharing.
        """
        workspace = self.workspaces.selected(explicit).workspace
        surroundings = self.workspaces.projects.look_around(directory)
        path = require_directory(directory, surroundings)
        if surroundings.directory is None or not same_place(
            surroundings.directory, self.workspaces.projects.canonical(directory)
        ):
            raise InvalidPathError(str(directory), "it is no directory")
        if not allow_home:
            self._refuse_wide(path, overridable=True)
        return self.workspaces.registry.add_root(self._root(workspace, path, "roots-add"), allow_overlap=allow_overlap)

    def remove(self, directory: Path, *, explicit: str = "") -> Root:
        """Take a folder's approval back; what is indexed stays. The folder may be gone.

        Raises:
            UnknownRootError: The workspace has no such root.
        """
        workspace = self.workspaces.selected(explicit).workspace
        for root in self._at(directory):
            if root.workspace == workspace:
                return self._remove(root)
        wanted = self.workspaces.projects.canonical(directory)
        known = tuple(str(root.path) for root in self._of(workspace))
        raise UnknownRootError(workspace, str(wanted), known, self._owners(directory))

    def resolve_target(self, path: Path, *, explicit: str = "") -> Target:
        """The workspace of a target's own directory (a file's folder), wherever the command was typed.

        Raises:
            InvalidPathError: The path is relative, or its name is not UTF-8.
            UnknownWorkspaceError: ``explicit`` names none.
            InvalidEnvironmentWorkspaceError: ``IMPRINT_WORKSPACE`` names none.
        """
        if not path.is_absolute():
            raise InvalidPathError(str(path), "it is relative")
        target = require_recordable(self.workspaces.projects.canonical(path))
        return Target(target, self.workspaces.which(path, explicit=explicit))

    def admission(self, target: Target) -> Admission:
        """Whether the target's workspace takes it in; changes nothing."""
        return admits(target.place, self._of(target.workspace))

    def admit(self, target: Target, *, allow_overlap: bool = False) -> None:
        """Let a target be ingested, or refuse it. The first target of a workspace binds its directory as a root.

        Raises:
            InvalidPathError: It would be the first, and is not there.
            OutsideRootsError: No root of its workspace contains it.
            RefusedRootError: It would be the first, and its directory is too wide.
            RootOverlapError: It would be the first, and overlaps roots of other workspaces.
        """
        roots = self._of(target.workspace)
        if admits(target.place, roots) is Admission.FIRST:
            folder = require_directory(Path(target.path), target.resolved.surroundings)
            self._refuse_wide(folder, overridable=False)
            root = self._root(target.workspace, folder, "first-ingest")
            # Another process may bind first: its roots come back and decide.
            roots = self.workspaces.registry.bind_first_root(root, allow_overlap=allow_overlap)
        if admits(target.place, roots) is not Admission.INSIDE:
            raise self.outside(target, tuple(root.path for root in roots))
        self.workspaces.note_worktree(target.resolved.surroundings)

    def outside(self, target: Target, roots: Iterable[CanonicalPath]) -> OutsideRootsError:
        """What to raise for a target that none of its workspace's roots contains."""
        place = target.resolved.surroundings.place
        is_wide = place is None or find_root_refusal(place, self.workspaces.projects.homes_around(place)) is not None
        return OutsideRootsError(
            target.workspace, str(target.path), tuple(map(str, roots)), "" if is_wide else str(place)
        )

    def _owners(self, directory: Path) -> tuple[WorkspaceName, ...]:
        """The workspaces that have this folder as a root, in name order."""
        return tuple(sorted({root.workspace for root in self._at(directory)}))

    def _at(self, directory: Path) -> tuple[Root, ...]:
        """The roots of any workspace at a folder; those that it names itself come before the one it stands in for."""
        roots = self.workspaces.registry.roots()
        wanted = self.workspaces.projects.canonical(directory)
        place = self.workspaces.projects.look_around(directory).place
        # Where a root was, there may be a link to elsewhere now: the root's own spelling means it still.
        named = [root for root in roots if same_place(root.path, wanted) or str(root.path) == str(directory)]
        return (*named, *(root for root in roots if place is not None and same_place(root.path, place)))

    def _remove(self, root: Root) -> Root:
        self.workspaces.registry.remove_root(root.workspace, root.path)
        return root

    def _of(self, workspace: WorkspaceName) -> tuple[Root, ...]:
        return tuple(root for root in self.workspaces.registry.roots() if root.workspace == workspace)

    def _root(self, workspace: WorkspaceName, path: CanonicalPath, how: str) -> Root:
        return Root(workspace=workspace, path=path, how=how, added_at=self.workspaces.clock.now())

    def _refuse_wide(self, path: CanonicalPath, *, overridable: bool) -> None:
        refusal = find_root_refusal(path, self.workspaces.projects.homes_around(path))
        if refusal is not None:
            raise RefusedRootError(str(path), refusal.value, explain_root_refusal(refusal), overridable)
