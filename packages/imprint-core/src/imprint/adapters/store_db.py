"""The store of a workspace in one SQLite file; its parts are the `store_` modules beside this one."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.adapters.sqlite_files import SqliteFile
from imprint.adapters.store_conversations import ConversationWriting
from imprint.adapters.store_facts import StoredFacts
from imprint.adapters.store_merging import VersionMerging
from imprint.adapters.store_redaction import StoredRedactions
from imprint.adapters.store_restoring import StoreRestoring
from imprint.adapters.store_schema import STORE_SCHEMA
from imprint.adapters.store_snapshots import SnapshotReading
from imprint.adapters.store_sources import SourceReading
from imprint.adapters.store_text import FullText
from imprint.adapters.store_vectors import StoredVectors
from imprint.adapters.store_wiping import StoreWiping
from imprint.domain.sources import WorkspaceName
from imprint.errors import LockHeldError, StoreDamagedError, WorkspaceDeletedError
from imprint.protocols.clocks import Clock
from imprint.protocols.registry import Registry

__all__ = ["SqliteStore", "SqliteStoreOpener"]


class SqliteStore(
    SourceReading,
    ConversationWriting,
    VersionMerging,
    SnapshotReading,
    FullText,
    StoredVectors,
    StoredFacts,
    StoreWiping,
    StoreRestoring,
    StoredRedactions,
):
    """Meets `imprint.protocols.stores.WorkspaceStore`."""

    def tidy(self) -> None:
        """After bulk work: sweep, and let SQLite tend its statistics and its journal."""
        self.sweep()
        self._file.tidy()


@attrs.frozen
class SqliteStoreOpener:
    """Meets `imprint.protocols.stores.StoreOpener`.

    Attributes:
        registry: Used by the stores for as long as they are open, from the same thread.
    """

    folder: DataFolder
    registry: Registry
    clock: Clock

    @contextmanager
    def open(self, workspace: WorkspaceName) -> Iterator[SqliteStore]:
        """Open a workspace's store, making it where it does not exist yet; never scans.

        Raises:
            WorkspaceDeletedError: The workspace was deleted, or never was.
            StoreError: The file cannot be used; the leaf says why.
        """
        life = self.registry.life(workspace)
        if life is None:
            raise WorkspaceDeletedError(workspace)
        if not self.exists(workspace):
            self.folder.make_workspace(workspace)
        file = SqliteFile(self.folder.store_file(workspace), STORE_SCHEMA)
        try:
            _check_owner(file, workspace)
            store = SqliteStore(file, workspace, self.registry, self.clock, life=life)
            if store.unfinished_purges():
                self._finish_purges(store)
            yield store
        finally:
            file.close()

    def _finish_purges(self, store: SqliteStore) -> None:
        """Do what purges left to be done, if nobody has to be waited for."""
        from imprint.adapters.locks import FileLocks

        locks = FileLocks(self.folder, self.clock)
        with suppress(LockHeldError):
            if locks.holder(store.workspace) is None:
                with locks.hold(store.workspace, "purge"):
                    store.finish_purges()

    def exists(self, workspace: WorkspaceName) -> bool:
        return self.folder.has(self.folder.store_file(workspace))


def _check_owner(file: SqliteFile, workspace: WorkspaceName) -> None:
    """Refuse a file that was put into the folder of another workspace; the first to open a new file names it."""
    query = "SELECT value FROM meta WHERE key = 'workspace'"
    with file.read() as connection:
        found = connection.execute(query).fetchone()
    if found is None:
        with file.write() as connection:
            connection.execute("INSERT OR IGNORE INTO meta VALUES ('workspace', ?)", (workspace,))
            found = connection.execute(query).fetchone()
    if found != (workspace,):
        raise StoreDamagedError(str(file.path), f"it belongs to workspace {found[0]!r}")
