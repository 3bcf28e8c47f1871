"""What a workspace holds, and what is going on in it."""

from collections.abc import Callable

import attrs

from imprint.domain.purge_reports import PendingWork
from imprint.domain.roots import Root
from imprint.domain.sources import WorkspaceName
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.locks import LockHolder, WorkspaceLocks
from imprint.protocols.registry import Registry
from imprint.protocols.stores import StoreCounts, StoreOpener

__all__ = ["Overview", "WorkspaceOverview"]

_NOTHING = StoreCounts(sources={}, chunks=0, vectors=0, pending=0, facts=0, bytes=0)


@attrs.frozen(kw_only=True)
class WorkspaceOverview:
    """One workspace at one moment.

    Attributes:
        models: With the number of vectors each has made.
        running: Who does long work on it.
        clients: Those that this device has connected, whatever the workspace.
        unfinished: What is still to be done after purges.
    """

    workspace: WorkspaceName
    counts: StoreCounts
    models: tuple[tuple[ModelIdentity, int], ...]
    roots: tuple[Root, ...]
    running: LockHolder | None
    unfinished: tuple[PendingWork, ...] = ()
    clients: tuple[str, ...] = ()


@attrs.frozen
class Overview:
    """The use case; it changes nothing and makes no store."""

    registry: Registry
    stores: StoreOpener
    locks: WorkspaceLocks
    connected_clients: Callable[[], tuple[str, ...]]

    def of(self, workspace: WorkspaceName) -> WorkspaceOverview:
        """Look at one workspace.

        Raises:
            StoreError: Its store cannot be read.
        """
        counts = _NOTHING
        models: tuple[tuple[ModelIdentity, int], ...] = ()
        unfinished: tuple[PendingWork, ...] = ()
        if self.stores.exists(workspace):
            with self.stores.open(workspace) as store:
                counts = store.counts()
                models = tuple(store.models().items())
                unfinished = store.unfinished_purges()
        return WorkspaceOverview(
            workspace=workspace,
            counts=counts,
            models=models,
            roots=tuple(root for root in self.registry.roots() if root.workspace == workspace),
            running=self.locks.holder(workspace),
            unfinished=unfinished,
            clients=self.connected_clients(),
        )
