"""Restore: the workspaces of a backup are again what they were, while others use them."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import attrs

from imprint.domain.backups import BackupManifest
from imprint.domain.roots import Root, overlapping_roots
from imprint.domain.sources import WorkspaceName
from imprint.failpoints import reach
from imprint.protocols.backups import BackupContent, BackupFiles
from imprint.protocols.locks import DeviceLock, WorkspaceLocks
from imprint.protocols.progress import Progress
from imprint.protocols.projects import WorkspaceFiles
from imprint.protocols.registry import Registry
from imprint.protocols.stores import StoreOpener, WorkspaceStore
from imprint.services.merging import embed_waiting

__all__ = ["Restore", "RestoreReport"]


@attrs.frozen(kw_only=True)
class RestoreReport:
    """What a restore did.

    Attributes:
        restored: Workspaces that are again what they were.
        untouched: Workspaces that the backup does not know; they stay as they are.
        set_aside: Databases that were too damaged to restore anything into, where they lie now.
        shared: Roots that came back, and overlap roots of untouched workspaces.
        embedding_failure: Why some are found by their words alone until a later run embeds them; else empty.
    """

    manifest: BackupManifest
    restored: tuple[WorkspaceName, ...]
    untouched: tuple[WorkspaceName, ...]
    set_aside: tuple[str, ...]
    shared: tuple[Root, ...]
    embedding_failure: str = ""


@attrs.frozen(kw_only=True)
class Restore:
    """The use case.

    Attributes:
        registry: Opens the registry, which may be damaged until it was mended; likewise ``stores``.
        embed: Gives every chunk that has none its vector, and writes the index anew.
        patience_seconds: How long to wait for other long work.
    """

    registry: Callable[[], Registry]
    stores: Callable[[], StoreOpener]
    backups: BackupFiles
    files: WorkspaceFiles
    locks: WorkspaceLocks
    device_lock: DeviceLock
    embed: Callable[[WorkspaceStore, Progress], object]
    patience_seconds: float = 60.0

    def run(self, path: Path, progress: Progress) -> RestoreReport:
        """Put a backup back. All of it is verified before anything is changed, and each store changes at one stroke.

        Exclusions are those of the backup and of today, and what they cover is not brought back. Workspaces that the
        backup does not know stay as they are. A restore that ends early, however it ends, is finished by repeating it.

        Raises:
            MissingPathError: Nothing is at the path.
            UnreadableFileError: It is no regular file, or the operating system refuses it.
            ArchiveDamagedError: It is not whole, or no backup; nothing was changed.
            ArchiveTooNewError: A newer program wrote it; nothing was changed.
            NoRoomError: There is no room for what it unpacks to; nothing was changed.
            DeviceLockHeldError: A move, a backup or another restore took longer than our patience; likewise.
            LockHeldError: Other work on one of the workspaces did; likewise.
            StoreBusyError: Others kept a store locked; what was restored is restored.
            StoreError: A store cannot be written; likewise.
        """
        try:
            with (
                self.device_lock.hold(wait_seconds=self.patience_seconds),
                self.backups.open(path, progress) as content,
                ExitStack() as held,
            ):
                for workspace in content.workspaces:
                    held.enter_context(self.locks.hold(workspace, "restore", wait_seconds=self.patience_seconds))
                return self._restore(content, progress)
        finally:
            progress.finish()

    def _restore(self, content: BackupContent, progress: Progress) -> RestoreReport:
        set_aside = [content.mend_registry()]
        registry = self.registry()
        known = {record.name for record in registry.workspaces()}
        for workspace in content.workspaces:
            if workspace not in known:  # It was deleted: what is left of it must not come to life again.
                self.files.remove(workspace)
        content.adopt_registry()
        reach("restore.adopted")
        for workspace in content.workspaces:
            set_aside.append(content.restore_store(workspace))
            reach("restore.store-restored")
        untouched = tuple(sorted(known - set(content.workspaces)))
        foreign = [root for root in registry.roots() if root.workspace in untouched]
        return RestoreReport(
            manifest=content.manifest,
            restored=content.workspaces,
            untouched=untouched,
            set_aside=tuple(filter(None, set_aside)),
            shared=tuple(root for root in content.roots if overlapping_roots(root, foreign)),
            embedding_failure=self._embed(content, progress),
        )

    def _embed(self, content: BackupContent, progress: Progress) -> str:
        """The texts are back; their vectors may be of another model, and their index is derived anew."""
        failures = []
        for workspace in content.workspaces:
            if self.stores().exists(workspace):
                with self.stores().open(workspace) as store:
                    failures.append(embed_waiting(self.embed, store, progress))
        return next(filter(None, failures), "")
