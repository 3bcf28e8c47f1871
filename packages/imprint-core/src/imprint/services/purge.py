"""Purge: a source is forgotten for good, and kept out."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress

import attrs

from imprint.domain.names import nearest_name
from imprint.domain.purge import Exclusion, extend_exclusion, path_of
from imprint.domain.purge_reports import PurgeReport
from imprint.domain.purge_selections import Selection
from imprint.domain.sources import WorkspaceName
from imprint.errors import (
    EmptyTextError,
    FolderTargetError,
    LockHeldError,
    StaleDigestError,
    UnknownWorkspaceError,
)
from imprint.failpoints import reach
from imprint.protocols.clocks import Clock
from imprint.protocols.locks import DeviceLock, WorkspaceLocks
from imprint.protocols.purges import Deletion, PurgeStore, PurgeTargets
from imprint.protocols.registry import Registry
from imprint.protocols.stores import StoreOpener

__all__ = ["Purge"]


def _cancel_none(exclusion: Exclusion) -> None:
    """For those who have no queue."""
    del exclusion


@attrs.frozen(kw_only=True)
class Purge:
    """The use cases.

    A target is an absolute path or a logical source key. Where the place that a path leads to holds nothing of the
    workspace, and the path as it is written does (a folder that was moved and left a link), the latter is meant.

    Attributes:
        cancel_jobs: Takes back what is queued about what is kept out.
        patience_seconds: How long other long work, writers and readers are waited for once the rows are gone; what
            could not be done then is pending.
    """

    registry: Registry
    stores: StoreOpener
    locks: WorkspaceLocks
    device_lock: DeviceLock
    targets: PurgeTargets
    clock: Clock
    cancel_jobs: Callable[[Exclusion], None] = _cancel_none
    patience_seconds: float = 2.0

    def preview(self, workspace: WorkspaceName, target: str, *, recursive: bool = False) -> PurgeReport:
        """Say what a purge would take; changes nothing.

        Raises:
            UnknownWorkspaceError: There is none of this name.
            EmptyTextError: The target is empty.
            FolderTargetError: The target is a folder or a key's prefix, and ``recursive`` does not say so.
            StoreError: The store cannot be read.
        """
        self._require_live(workspace)
        with self._open(workspace) as store:
            found = self._aim(store, workspace, target, recursive=recursive)
        return self._report(found, found.selection)

    def apply(self, workspace: WorkspaceName, target: str, *, recursive: bool = False, digest: str = "") -> PurgeReport:
        """Keep a target out, then delete all there is of it: sources, full text, vectors, facts.

        The exclusion is committed before any lock is waited for, and stays whatever happens later: a purge that failed
        or was killed is repeated. A target of which nothing is stored is kept out likewise.

        Args:
            digest: Of the preview that was reviewed; empty: nothing was.

        Raises:
            UnknownWorkspaceError: There is none of this name.
            EmptyTextError: The target is empty.
            FolderTargetError: The target is a folder or a key's prefix, and ``recursive`` does not say so.
            StaleDigestError: The digest is of something else; nothing was changed.
            StoreBusyError: Others kept the store's write lock; the exclusion holds, the rest is to be repeated.
            WorkspaceDeletedError: The workspace was deleted meanwhile.
            StoreError: The store cannot be read or written.
        """
        self._require_live(workspace)
        with self._open(workspace) as store:
            found = self._aim(store, workspace, target, recursive=recursive)
        seen = found.selection
        if digest and digest != seen.digest:
            raise StaleDigestError(seen.exclusion.target, digest, seen.digest)
        self._record_worktree(seen.exclusion.target)
        # What comes in goes by the place that a path leads to, whatever it was stored under.
        kept_out = dict.fromkeys((seen.exclusion.target, self.spellings(target)[0]))
        self._keep_out(seen.exclusion, found.turns, kept_out)
        reach("purge.excluded")
        # Asked again: the first ingest of all may have made the store since.
        with self._open(workspace) as store:
            if store is None:
                return attrs.evolve(self._report(Deletion(selection=seen), seen), applied=True)
            gone = store.purge(seen.exclusion)
            if gone.selection.exclusion != seen.exclusion or gone.turns - found.turns:  # what arrived meanwhile
                self._keep_out(gone.selection.exclusion, gone.turns, kept_out)
            reach("purge.deleted")
            self.device_lock.sweep()
            with suppress(LockHeldError), self.locks.hold(workspace, "purge", wait_seconds=self.patience_seconds):
                store.finish_purges(patience_seconds=self.patience_seconds)
            return attrs.evolve(self._report(gone, seen), applied=True, pending=store.unfinished_purges())

    def spellings(self, target: str) -> tuple[str, ...]:
        """The forms a target may be stored under, the one to prefer first.

        Raises:
            EmptyTextError: The target is empty.
        """
        target = target.encode("utf-8", "replace").decode()
        if not target.strip():
            raise EmptyTextError("target")
        places = [place for place in (self.targets.canonical(target), path_of(target)) if place is not None]
        return tuple(dict.fromkeys(map(str, places))) or (target,)

    def find_exclusion(self, workspace: WorkspaceName, target: str) -> Exclusion | None:
        """The exclusion that a purge of this target left, if any."""
        return next((one for one in self.registry.exclusions(workspace) if one.target == target), None)

    def exclusion_of(self, workspace: WorkspaceName, spelling: str, *, recursive: bool) -> Exclusion:
        """What a purge of this target would leave: a place in a git worktree is covered in all of its worktrees."""
        exclusion = Exclusion(workspace=workspace, target=spelling, recursive=recursive, added_at="")
        path = path_of(spelling)
        around = self.targets.find_worktree(path) if path is not None else None
        known = self.registry.worktrees()
        return extend_exclusion(exclusion, known if around is None else (*known, around))

    def _require_live(self, workspace: WorkspaceName) -> None:
        if not self.registry.is_live(workspace):
            known = tuple(record.name for record in self.registry.workspaces())
            raise UnknownWorkspaceError(workspace, known, nearest_name(workspace, known))

    @contextmanager
    def _open(self, workspace: WorkspaceName) -> Iterator[PurgeStore | None]:
        """The store, none being made for a workspace that holds nothing yet."""
        if self.stores.exists(workspace):
            with self.stores.open(workspace) as store:
                yield store
        else:
            yield None

    def _aim(self, store: PurgeStore | None, workspace: WorkspaceName, target: str, *, recursive: bool) -> Deletion:
        """Choose the spelling that is meant, and enumerate what it selects."""
        found: list[Deletion] = []
        for spelling in self.spellings(target):
            found.append(_enumerate(store, self.exclusion_of(workspace, spelling, recursive=recursive)))
            if not recursive:
                self._refuse_folder(store, found[-1].selection)
        return next((one for one in found if one.selection.sources or one.selection.facts), found[0])

    def _keep_out(self, exclusion: Exclusion, turns: Collection[int], targets: Iterable[str]) -> None:
        for target in targets:
            one = attrs.evolve(exclusion, target=target, added_at=self.clock.now())
            self.registry.add_exclusion(one, turns=turns)
            self.cancel_jobs(one)

    def _record_worktree(self, target: str) -> None:
        """So that the exclusion covers the other worktrees in every later run."""
        path = path_of(target)
        around = self.targets.find_worktree(path) if path is not None else None
        if around is not None:
            self.registry.record_worktree(around)

    def _refuse_folder(self, store: PurgeStore | None, selection: Selection) -> None:
        exclusion = selection.exclusion
        path = path_of(exclusion.target)
        below = _enumerate(store, attrs.evolve(exclusion, recursive=True)).selection.keys
        is_folder = exclusion.target.endswith("/") if path is None else self.targets.is_folder(path)
        if is_folder or (below and not selection.sources):
            raise FolderTargetError(exclusion.target, len(below))

    def _report(self, deletion: Deletion, seen: Selection) -> PurgeReport:
        selection, exclusion = deletion.selection, seen.exclusion
        return PurgeReport(
            workspace=exclusion.workspace,
            target=exclusion.target,
            recursive=exclusion.recursive,
            applied=False,
            digest=seen.digest,
            sources=selection.keys,
            chunks=deletion.chunks,
            vectors=deletion.vectors,
            linked_facts=len(selection.linked),
            orphan_facts=len(selection.orphans),
            late=selection.count_newer(seen),
            exclusion=self.find_exclusion(exclusion.workspace, exclusion.target),
        )


def _enumerate(store: PurgeStore | None, exclusion: Exclusion) -> Deletion:
    return store.enumerate_target(exclusion) if store else Deletion(selection=Selection(exclusion=exclusion))
