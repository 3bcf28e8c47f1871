"""What moves whole workspaces: between one another, to and from files, and away. A command pays for what it uses."""

from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from imprint.adapters.device_locks import FileDeviceLock

if TYPE_CHECKING:
    from imprint.adapters.backup_files import ZippedBackups
    from imprint.adapters.bundle_files import ZippedBundles
    from imprint.bootstrap.application import Application
    from imprint.services.backup import Backup
    from imprint.services.export import Export
    from imprint.services.importing import Import
    from imprint.services.move import Move
    from imprint.services.restore import Restore
    from imprint.services.wipe import Wipe

__all__ = ["Transfers"]


@attrs.define
class Transfers:
    """The services, for one application."""

    _application: "Application"

    @cached_property
    def export(self) -> "Export":
        from imprint.services.export import Export

        return Export(self._application._stores, self._bundles, self._application._clock)

    @cached_property
    def importing(self) -> "Import":
        from imprint.services.importing import Import

        return Import(
            stores=self._application._stores,
            locks=self._application._locks,
            bundles=self._bundles,
            clock=self._application._clock,
            open_embedder=self._application._chosen.embedder_opener,
            embed=self._application.embedding.run,
        )

    @cached_property
    def move(self) -> "Move":
        from imprint.services.move import Move

        return Move(
            registry=self._application._registry,
            stores=self._application._stores,
            locks=self._application._locks,
            device_lock=self._device_lock,
            open_embedder=self._application._chosen.embedder_opener,
            embed=self._application.embedding.run,
        )

    @cached_property
    def wipe(self) -> "Wipe":
        from imprint.services.wipe import Wipe

        return Wipe(
            registry=self._application._registry,
            stores=self._application._stores,
            locks=self._application._locks,
            device_lock=self._device_lock,
        )

    @cached_property
    def backup(self) -> "Backup":
        from imprint.services.backup import Backup

        return Backup(backups=self._backups, device_lock=self._device_lock, clock=self._application._clock)

    @cached_property
    def restore(self) -> "Restore":
        """Asking for it opens nothing: the registry may be what is to be restored."""
        from imprint.adapters.workspace_files import WorkspaceFolders
        from imprint.services.restore import Restore

        return Restore(
            registry=lambda: self._application._registry,
            stores=lambda: self._application._stores,
            backups=self._backups,
            files=WorkspaceFolders(self._application.data_folder),
            locks=self._application._locks,
            device_lock=self._device_lock,
            embed=lambda store, progress: self._application.embedding.run(store, progress),
        )

    @cached_property
    def _device_lock(self) -> FileDeviceLock:
        return FileDeviceLock(self._application.data_folder)

    @cached_property
    def _bundles(self) -> "ZippedBundles":
        from imprint.adapters.bundle_files import ZippedBundles

        return ZippedBundles(self._application.data_folder, program=_version())

    @cached_property
    def _backups(self) -> "ZippedBackups":
        from imprint.adapters.backup_files import ZippedBackups

        return ZippedBackups(
            folder=self._application.data_folder,
            registry=lambda: self._application._registry,
            stores=lambda: self._application._stores,
            clock=self._application._clock,
            program=_version(),
        )


def _version() -> str:
    """Of this program, for whoever reads a file that it wrote; empty where it runs uninstalled."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("imprint-core")
    except PackageNotFoundError:
        return ""
