"""Backups as files, and what one of them puts back."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from imprint.domain.backups import BackupManifest
from imprint.domain.roots import Root
from imprint.domain.sources import WorkspaceName
from imprint.protocols.progress import Progress

__all__ = ["BackupContent", "BackupFiles"]


class BackupContent(Protocol):
    """What a backup holds, unpacked and found sound; nothing was changed yet."""

    @property
    def manifest(self) -> BackupManifest: ...

    @property
    def workspaces(self) -> tuple[WorkspaceName, ...]:
        """Those that lived when it was made, in name order."""
        ...

    @property
    def roots(self) -> tuple[Root, ...]:
        """The roots of those workspaces."""
        ...

    def mend_registry(self) -> str:
        """Set a registry aside that is too damaged to be read; where to, or empty where it is sound.

        Raises:
            DataFolderError: The operating system does not let it be moved.
        """
        ...

    def adopt_registry(self) -> None:
        """Take over the workspaces with their roots, and unite the exclusions, in one transaction.

        Raises:
            StoreError: The registry cannot be written.
        """
        ...

    def restore_store(self, workspace: WorkspaceName) -> str:
        """Put the store of a workspace back, but for what is excluded; one transaction for whoever uses it.

        What was there is kept until the new content is found sound, and comes back if it is not.

        Returns:
            Where a store was set aside that was too damaged to restore anything into; else empty.

        Raises:
            StoreBusyError: Others kept the store locked.
            StoreError: The store cannot be written.
            DataFolderError: The operating system does not let a damaged one be moved.
        """
        ...


class BackupFiles(Protocol):
    """Backups on disk; the device's lock is held for whatever is asked of it."""

    def write(self, path: Path, progress: Progress, *, created_at: str) -> BackupManifest:
        """Write a backup: the stores first, the registry last.

        Raises:
            TargetExistsError: Something is there.
            UnwritableFileError: The operating system refuses; nothing is left.
            StoreDamagedError: A store is not sound, and a backup of it would help nobody.
            StoreError: A store cannot be read, or there is no room for its copy.
        """
        ...

    def open(self, path: Path, progress: Progress) -> AbstractContextManager[BackupContent]:
        """Unpack a backup, and give it only if all of it is sound.

        Raises:
            MissingPathError: Nothing is there.
            UnreadableFileError: It is no regular file, or the operating system refuses it.
            ArchiveDamagedError: It is not whole, or not ours.
            ArchiveTooNewError: A newer program wrote it.
            NoRoomError: There is no room for what it unpacks to and for what it replaces.
        """
        ...
