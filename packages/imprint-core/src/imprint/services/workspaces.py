"""Workspaces of this device: which one a directory uses, and making, choosing, assigning and deleting them."""

from contextlib import suppress
from pathlib import Path

import attrs

from imprint.domain.names import DEFAULT_WORKSPACE, find_name_fault, nearest_name, parse_workspace_name
from imprint.domain.resolution import Facts, Resolution, resolve
from imprint.domain.roots import Root, explain_root_refusal, find_root_refusal
from imprint.domain.sources import WorkspaceName
from imprint.domain.walks import Surroundings
from imprint.errors import BusyError, ImprintError, ProtectedWorkspaceError, RefusedRootError, UnknownWorkspaceError
from imprint.failpoints import reach
from imprint.protocols.clocks import Clock
from imprint.protocols.locks import WorkspaceLocks
from imprint.protocols.projects import ProjectFolders, WorkspaceFiles, WorkspaceSettings
from imprint.protocols.registry import Registry, WorkspaceRecord
from imprint.services.directories import DirectoryResolution, require_directory, require_recordable
from imprint.services.workspace_changes import Creation, Deletion, ProjectUse, Switch
from imprint.services.worktree_records import look_with_records, note_worktree

__all__ = ["Workspaces"]

_SESSION_PATIENCE_SECONDS = 0.2
"""Clients drop a server that is slow to start."""


@attrs.frozen(kw_only=True)
class Workspaces:
    """The use cases.

    Attributes:
        environment: The value of ``IMPRINT_WORKSPACE``.
        lock_patience_seconds: How long the files of a deleted workspace are waited for.
    """

    registry: Registry
    projects: ProjectFolders
    settings: WorkspaceSettings
    files: WorkspaceFiles
    locks: WorkspaceLocks
    clock: Clock
    environment: str = ""
    lock_patience_seconds: float = 10.0

    def which(self, directory: Path | None, *, explicit: str = "", is_session: bool = False) -> DirectoryResolution:
        """Which workspace a command or session in a directory uses; writes nothing.

        Raises:
            UnknownWorkspaceError: ``explicit`` names none.
            InvalidEnvironmentWorkspaceError: ``IMPRINT_WORKSPACE`` names none.
        """
        return self._resolve(
            look_with_records(self.registry, self.projects, directory), explicit, is_session=is_session
        )

    def begin_session(self, directory: Path | None) -> DirectoryResolution:
        """Which workspace a session that begins in a directory uses; a linked worktree is recorded, if it can be.

        Raises:
            InvalidEnvironmentWorkspaceError: ``IMPRINT_WORKSPACE`` names none.
        """
        resolved = self.which(directory, is_session=True)
        with suppress(ImprintError):  # A record is no reason to keep a session waiting or from starting.
            self.note_worktree(resolved.surroundings, patience_seconds=_SESSION_PATIENCE_SECONDS)
        return resolved

    def selected(self, explicit: str = "") -> Resolution:
        """The workspace of commands that never look at the shell's directory: explicit, environment, active.

        Raises:
            UnknownWorkspaceError: ``explicit`` names none.
            InvalidEnvironmentWorkspaceError: ``IMPRINT_WORKSPACE`` names none.
        """
        return self._resolve(Surroundings(directory=None), explicit, is_session=False).resolution

    def list(self) -> tuple[WorkspaceRecord, ...]:
        """Every workspace, in name order."""
        return self.registry.workspaces()

    def create(self, name: str) -> Creation:
        """Make a workspace; one that exists already is a success.

        Raises:
            InvalidWorkspaceNameError: The name cannot be one.
            LockHeldError: A deleted workspace of this name still has files that another process holds.
        """
        workspace = parse_workspace_name(name)
        self._remove_leftovers(workspace)
        return Creation(workspace, self.registry.create_workspace(workspace))

    def switch(self, name: str) -> Switch:
        """Make a workspace the active one.

        Raises:
            UnknownWorkspaceError: There is none of this name.
        """
        record = self._require_known(name)
        if not record.active:
            self.registry.switch_workspace(record.name)
        return Switch(record.name, changed=not record.active)

    def delete(self, name: str) -> Deletion:
        """Delete a workspace: marked first, so that nobody writes to it any more, then its settings, then its files.

        A deletion that was cut short is finished by repeating it.

        Raises:
            UnknownWorkspaceError: There is none of this name, nor anything left of one.
            ProtectedWorkspaceError: ``default`` stays.
        """
        unfinished = self._find_leftovers(name)
        if unfinished is None:
            workspace = self._require_known(name).name
            self.registry.mark_deleted(workspace)
            reach("workspace.marked-deleted")
        else:
            workspace = unfinished
        settings = self.settings.forget_workspace(workspace)
        with suppress(BusyError):
            self._remove_leftovers(workspace)
        return Deletion(workspace=workspace, settings=settings, files_removed=not self.files.exist(workspace))

    def check_deletable(self, name: str) -> WorkspaceName:
        """A workspace that `delete` would take, before anybody is asked whether it shall.

        Raises:
            UnknownWorkspaceError: There is none of this name, nor anything left of one.
            ProtectedWorkspaceError: ``default`` stays.
        """
        if name == DEFAULT_WORKSPACE:
            raise ProtectedWorkspaceError(name)
        return self._find_leftovers(name) or self._require_known(name).name

    def use(self, directory: Path | None, name: str, *, allow_overlap: bool = False, how: str = "use") -> ProjectUse:
        """Assign the project around a directory, or the directory itself, to a workspace, which is made if it is new.

        The folder is approved as a root unless a root of the workspace contains it already. Git is not touched.

        Raises:
            InvalidWorkspaceNameError: The name cannot be one.
            InvalidPathError: There is no such directory.
            RefusedRootError: A file-system root, a home, or a directory above one.
            RootOverlapError: Other workspaces' roots overlap the folder; nothing was changed.
            ProjectFileRefusedError: A link or no file lies in the project file's place; nothing was changed.
            ProjectFileUnwritableError: The folder was approved, but its project file could not be written.
        """
        workspace = parse_workspace_name(name)
        surroundings = self.projects.look_around(directory)
        folder = require_recordable(surroundings.project or require_directory(directory, surroundings))
        refusal = find_root_refusal(folder, self.projects.homes_around(folder))
        if refusal is not None:
            raise RefusedRootError(str(folder), refusal.value, explain_root_refusal(refusal))
        self.projects.check_writable(folder)
        self._remove_leftovers(workspace)
        root = Root(workspace=workspace, path=folder, how=how, added_at=self.clock.now())
        assignment = self.registry.assign_project(root, allow_overlap=allow_overlap)
        reach("project.assigned")
        self.note_worktree(surroundings)
        return ProjectUse(
            workspace=workspace,
            folder=folder,
            created=assignment.created,
            root_added=assignment.added,
            file_written=self.projects.write_project_file(folder, workspace),
        )

    def note_worktree(self, surroundings: Surroundings, *, patience_seconds: float = 5.0) -> None:
        """Record what a linked worktree stands for, so that it is known once the folder is gone; else nothing.

        To be called where something is written anyway, or a session begins. A folder that was one and is none now is
        forgotten.
        """
        note_worktree(self.registry, self.projects, surroundings, patience_seconds=patience_seconds)

    def _resolve(self, surroundings: Surroundings, explicit: str, *, is_session: bool) -> DirectoryResolution:
        records = self.registry.workspaces()
        facts = Facts(
            surroundings=surroundings,
            workspaces=tuple(record.name for record in records),
            active=next(record.name for record in records if record.active),
            roots=self.registry.roots(),
            explicit=explicit,
            environment=self.environment,
            is_session=is_session,
            unassigned=self.settings.unassigned,
        )
        return DirectoryResolution(surroundings, resolve(facts))

    def _require_known(self, name: str) -> WorkspaceRecord:
        records = self.registry.workspaces()
        for record in records:
            if record.name == name:
                return record
        known = tuple(record.name for record in records)
        raise UnknownWorkspaceError(name, known, nearest_name(name, known))

    def _find_leftovers(self, name: str) -> WorkspaceName | None:
        """A workspace of this name that was deleted while its files were in use."""
        if find_name_fault(name):
            return None
        workspace = WorkspaceName(name)
        return workspace if not self.registry.is_live(workspace) and self.files.exist(workspace) else None

    def _remove_leftovers(self, workspace: WorkspaceName) -> None:
        """Remove the files of a deleted workspace, so that a new one of its name does not inherit them."""
        if self._find_leftovers(workspace) is None:
            return
        with self.locks.hold(workspace, "delete", wait_seconds=self.lock_patience_seconds):
            if not self.registry.is_live(workspace):  # Another process may have made it anew meanwhile.
                self.files.remove(workspace)
