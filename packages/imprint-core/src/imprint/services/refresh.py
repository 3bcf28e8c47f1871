"""Refresh: what changed is indexed again, what is gone is dropped. A tree that did not change costs a scan."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import attrs

from imprint.domain.paths import contains
from imprint.domain.purge import is_key_excluded
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.errors import ExcludedSourceError, MissingPathError
from imprint.protocols.progress import Progress
from imprint.services.indexed_worktrees import find_indexed_places
from imprint.services.indexing import Indexing
from imprint.services.indexing_plans import IndexingPlan, deepest_root
from imprint.services.indexing_reports import IngestReport
from imprint.services.workspace_roots import Target, WorkspaceRoots

__all__ = ["Refresh"]


@attrs.frozen
class Refresh:
    """The use case. It approves nothing: what is refreshed lies in a root already."""

    indexing: Indexing
    roots: WorkspaceRoots

    def refresh_paths(
        self, paths: Sequence[Path], progress: Progress, *, explicit: str = "", accept_removals: bool = False
    ) -> tuple[IngestReport, ...]:
        """Refresh files and folders, each in the workspace of its own directory. One report a workspace.

        Args:
            paths: Absolute; may be gone.
            explicit: The workspace, whatever the directories say.
            accept_removals: Believe that much of a folder is gone.

        Raises:
            InvalidPathError: A path is relative.
            MissingPathError: Nothing is there, and nothing of it is indexed.
            ExcludedSourceError: A path was purged from its workspace.
            OutsideRootsError: No root of its workspace contains a path.
            UnknownWorkspaceError: ``explicit`` names none.
            InvalidEnvironmentWorkspaceError: ``IMPRINT_WORKSPACE`` names none.
        """
        groups: dict[WorkspaceName, list[Target]] = {}
        for path in paths:
            target = self.roots.resolve_target(path, explicit=explicit)
            self._check(target)
            groups.setdefault(target.workspace, []).append(target)
        plans = [
            self._plan(
                workspace,
                targets,
                reason=targets[0].resolved.resolution.reason.value,
                sentence=targets[0].resolved.sentence,
                accept_removals=accept_removals,
            )
            for workspace, targets in groups.items()
        ]
        return self._run(plans, progress)

    def refresh_workspace(
        self, directory: Path | None, progress: Progress, *, explicit: str = "", accept_removals: bool = False
    ) -> tuple[IngestReport, ...]:
        """Refresh every root of the workspace that a directory uses, and the linked worktrees it holds files of.

        Raises:
            UnknownWorkspaceError: ``explicit`` names none.
            InvalidEnvironmentWorkspaceError: ``IMPRINT_WORKSPACE`` names none.
        """
        resolved = self.roots.workspaces.which(directory, explicit=explicit)
        plan = self._plan(
            resolved.workspace,
            None,
            reason=resolved.resolution.reason.value,
            sentence=resolved.sentence,
            accept_removals=accept_removals,
        )
        return self._run([plan], progress)

    def refresh_all(
        self, progress: Progress, *, accept_removals: bool = False, announce: Callable[[str], None] = lambda _: None
    ) -> tuple[IngestReport, ...]:
        """Refresh every root of every workspace that has one.

        Args:
            announce: Told of each workspace, and why it is among them, before anything is done.
        """
        plans = [
            self._plan(
                record.name,
                None,
                reason="all",
                sentence=f'workspace "{record.name}" — one of all that have a root',
                accept_removals=accept_removals,
            )
            for record in self.roots.workspaces.list()
            if self._roots_of(record.name)
        ]
        for plan in plans:
            announce(plan.sentence)
        return self._run(plans, progress)

    def _run(self, plans: Iterable[IndexingPlan], progress: Progress) -> tuple[IngestReport, ...]:
        reports: list[IngestReport] = []
        for plan in plans:
            reports.append(self.indexing.run(plan, progress))
            if reports[-1].interrupted:
                break
        return tuple(reports)

    def _plan(
        self,
        workspace: WorkspaceName,
        targets: Sequence[Target] | None,
        *,
        reason: str,
        sentence: str,
        accept_removals: bool,
    ) -> IndexingPlan:
        """Without targets: everything of the workspace."""
        roots, worktrees = self._roots_of(workspace), [target.worktree for target in targets or ()]
        places = find_indexed_places(self.indexing, self.roots, workspace, roots, worktrees)
        return IndexingPlan(
            workspace=workspace,
            reason=reason,
            sentence=sentence,
            activity="refresh",
            targets=places.all if targets is None else tuple(target.path for target in targets),
            roots=places.all,
            worktrees=places.worktrees,
            accept_removals=accept_removals,
        )

    def _roots_of(self, workspace: WorkspaceName) -> tuple[CanonicalPath, ...]:
        return tuple(root.path for root in self.indexing.registry.roots() if root.workspace == workspace)

    def _check(self, target: Target) -> None:
        roots = self._roots_of(target.workspace)
        if not any(contains(root, target.place) for root in roots):
            self.indexing.files.look(target.path, root=target.path)  # A misspelt path is told as one.
            raise self.roots.outside(target, roots)
        exclusions = self.indexing.registry.exclusions(target.workspace)
        if any(is_key_excluded(str(place), exclusions) for place in (target.path, target.place)):
            raise ExcludedSourceError(str(target.path), target.workspace)
        self.roots.workspaces.note_worktree(target.resolved.surroundings)
        places = find_indexed_places(self.indexing, self.roots, target.workspace, roots, [target.worktree])
        try:
            self.indexing.files.look(target.path, root=deepest_root(target.path, places.all))
        except MissingPathError:
            if not self._is_known(target):
                raise

    def _is_known(self, target: Target) -> bool:
        if not self.indexing.stores.exists(target.workspace):
            return False
        with self.indexing.stores.open(target.workspace) as store:
            return bool(store.file_states(target.path))
