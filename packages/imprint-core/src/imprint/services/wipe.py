"""Wipe: a workspace forgets everything, at once and for good."""

import attrs

from imprint.domain.names import nearest_name
from imprint.domain.purge_reports import PendingWork
from imprint.domain.sources import WorkspaceName
from imprint.errors import UnknownWorkspaceError
from imprint.failpoints import reach
from imprint.protocols.locks import DeviceLock, WorkspaceLocks
from imprint.protocols.registry import Registry
from imprint.protocols.stores import StoreCounts, StoreOpener

__all__ = ["Wipe", "WipeReport"]

_NOTHING = StoreCounts(sources={}, chunks=0, vectors=0, pending=0, facts=0, bytes=0)


@attrs.frozen(kw_only=True)
class WipeReport:
    """What a wipe takes or took.

    Attributes:
        held: What the workspace held before.
        unfinished: What could not be finished; the next to open the store does it.
    """

    workspace: WorkspaceName
    held: StoreCounts
    unfinished: tuple[PendingWork, ...] = ()


@attrs.frozen(kw_only=True)
class Wipe:
    """The use cases. The workspace itself stays, and so do its roots and exclusions.

    Attributes:
        patience_seconds: How long to wait for other long work, writers and readers.
    """

    registry: Registry
    stores: StoreOpener
    locks: WorkspaceLocks
    device_lock: DeviceLock
    patience_seconds: float = 10.0

    def preview(self, workspace: WorkspaceName) -> WipeReport:
        """Say what a wipe would take; changes nothing.

        Raises:
            UnknownWorkspaceError: There is none of this name.
            StoreError: The store cannot be read.
        """
        self._require_live(workspace)
        if not self.stores.exists(workspace):
            return WipeReport(workspace=workspace, held=_NOTHING)
        with self.stores.open(workspace) as store:
            return WipeReport(workspace=workspace, held=store.counts())

    def apply(self, workspace: WorkspaceName) -> WipeReport:
        """Delete every source, fact and vector in one transaction; no text is left in any file once all is finished.

        Raises:
            UnknownWorkspaceError: There is none of this name.
            LockHeldError: Other work on the workspace took longer than our patience; nothing was changed.
            StoreBusyError: Others kept the store's write lock; nothing was changed.
            WorkspaceDeletedError: The workspace was deleted meanwhile.
            StoreError: The store cannot be read or written.
        """
        self._require_live(workspace)
        if not self.stores.exists(workspace):
            return WipeReport(workspace=workspace, held=_NOTHING)
        with (
            self.locks.hold(workspace, "wipe", wait_seconds=self.patience_seconds),
            self.stores.open(workspace) as store,
        ):
            held = store.counts()
            store.wipe()
            reach("wipe.emptied")
            store.finish_purges(patience_seconds=self.patience_seconds)
            self.device_lock.sweep()
            return WipeReport(workspace=workspace, held=held, unfinished=store.unfinished_purges())

    def _require_live(self, workspace: WorkspaceName) -> None:
        if not self.registry.is_live(workspace):
            known = tuple(record.name for record in self.registry.workspaces())
            raise UnknownWorkspaceError(workspace, known, nearest_name(workspace, known))
