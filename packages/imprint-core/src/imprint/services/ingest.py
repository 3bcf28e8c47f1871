"""Ingest: files and folders become searchable in the workspace of their own directory."""

from collections.abc import Sequence
from pathlib import Path

import attrs

from imprint.domain.paths import contains
from imprint.domain.purge import is_key_excluded
from imprint.domain.roots import explain_root_refusal, find_root_refusal
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.errors import (
    ExcludedSourceError,
    RefusedRootError,
    SkippedPathError,
    UnreadableFileError,
)
from imprint.protocols.files import FoundFolder, SkippedEntry
from imprint.protocols.progress import Progress
from imprint.services.indexed_worktrees import IndexedPlaces, find_indexed_places
from imprint.services.indexing import Indexing
from imprint.services.indexing_plans import IndexingPlan, deepest_root
from imprint.services.indexing_reports import IngestReport
from imprint.services.workspace_roots import Target, WorkspaceRoots

__all__ = ["Ingest"]


@attrs.frozen
class Ingest:
    """The use case."""

    indexing: Indexing
    roots: WorkspaceRoots

    def ingest(
        self,
        paths: Sequence[Path],
        progress: Progress,
        *,
        explicit: str = "",
        project: str = "",
        allow_overlap: bool = False,
        dry_run: bool = False,
    ) -> tuple[IngestReport, ...]:
        """Index files and folders; what a folder holds no longer is dropped. One report a workspace.

        Every workspace and every approval is settled before the first lock is waited for. An interrupted run ends the
        whole; its report is the last.

        Args:
            paths: Absolute.
            explicit: The workspace, whatever the directories say.
            project: The project's name, whatever manifests say.
            allow_overlap: Share the first root with workspaces whose roots overlap it.
            dry_run: Tell what would be done; nothing is written.

        Raises:
            InvalidPathError: A path is relative.
            MissingPathError: Nothing is there.
            SkippedPathError: A rule or its nature keeps a path out.
            UnreadableFileError: The operating system refuses it.
            ExcludedSourceError: A path was purged from its workspace.
            OutsideRootsError: No root of its workspace contains a path.
            RefusedRootError: A path would be the first root, and is too wide.
            RootOverlapError: A path would be the first root, and is not shared.
            UnknownWorkspaceError: ``explicit`` names none.
            InvalidEnvironmentWorkspaceError: ``IMPRINT_WORKSPACE`` names none.
        """
        groups: dict[WorkspaceName, list[Target]] = {}
        for path in paths:
            target = self.roots.resolve_target(path, explicit=explicit)
            groups.setdefault(target.workspace, []).append(target)
        planned = {workspace: self._find_places(targets) for workspace, targets in groups.items()}
        if not dry_run:
            for targets in groups.values():
                for target in targets:
                    self.roots.admit(target, allow_overlap=allow_overlap)
        reports: list[IngestReport] = []
        for workspace, targets in groups.items():
            plan = IndexingPlan(
                workspace=workspace,
                reason=targets[0].resolved.resolution.reason.value,
                sentence=targets[0].resolved.sentence,
                activity="ingest",
                targets=tuple(target.path for target in targets),
                roots=planned[workspace].all,
                worktrees=planned[workspace].worktrees,
                project=project,
                dry_run=dry_run,
            )
            reports.append(self.indexing.run(plan, progress))
            if reports[-1].interrupted:
                break
        return tuple(reports)

    def _find_places(self, targets: Sequence[Target]) -> IndexedPlaces:
        """The roots that one workspace's targets will lie in; refuses what may not be ingested, and writes nothing."""
        first = targets[0]
        exclusions = self.indexing.registry.exclusions(first.workspace)
        roots = tuple(
            root.path for root in self.indexing.registry.roots() if root.workspace == first.workspace
        ) or self._first_roots(first)
        worktrees = [target.worktree for target in targets]
        places = find_indexed_places(self.indexing, self.roots, first.workspace, roots, worktrees)
        for target in targets:
            if not any(contains(root, target.place) for root in roots):
                self.indexing.files.look(target.path, root=target.path)  # A misspelt path is told as one.
                raise self.roots.outside(target, roots)
            if any(is_key_excluded(str(place), exclusions) for place in (target.path, target.place)):
                raise ExcludedSourceError(str(target.path), target.workspace)
            looked = self.indexing.files.look(target.path, root=deepest_root(target.path, places.all))
            if isinstance(looked, SkippedEntry):
                if looked.is_failure:
                    raise UnreadableFileError(looked.path, looked.detail or looked.reason.value)
                raise SkippedPathError(looked.path, looked.reason.value)
        return places

    def _first_roots(self, target: Target) -> tuple[CanonicalPath, ...]:
        """The root that a first ingest binds: the folder itself, a file's folder."""
        looked = self.indexing.files.look(target.path, root=target.path)
        folder = target.place if isinstance(looked, FoundFolder) else target.place.parent
        refusal = find_root_refusal(folder, self.roots.workspaces.projects.homes_around(folder))
        if refusal is not None:
            raise RefusedRootError(str(folder), refusal.value, explain_root_refusal(refusal))
        return (folder,)
