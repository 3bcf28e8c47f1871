"""What connecting a client needs of this device, besides the client's files as they are."""

from contextlib import AbstractContextManager
from typing import Protocol

from imprint.domain.plans import ConnectionRecord, FileEdit, RunCommand
from imprint.domain.sources import CanonicalPath

__all__ = ["ClientFileWriter", "ConnectionRecords"]


class ConnectionRecords(Protocol):
    """What was done to each client's files, kept on this device."""

    def hold(self) -> AbstractContextManager[None]:
        """Keep other processes from connecting meanwhile.

        Raises:
            ClientsBusyError: One is at it, and does not end soon.
            DataFolderError: The data folder cannot be used.
        """
        ...

    def find(self, client: str) -> ConnectionRecord | None:
        """What is on record about a client.

        Raises:
            ConnectionRecordDamagedError: It cannot be read.
        """
        ...

    def save(self, client: str, record: ConnectionRecord) -> None:
        """Note what is about to be done, whole or not at all.

        Raises:
            DataFolderError: It cannot be written.
        """
        ...

    def drop(self, client: str) -> None:
        """Forget a client that is connected no more; backups stay."""
        ...

    def back_up(self, client: str, edit: FileEdit) -> None:
        """Keep a copy of a file as it is before an edit. The oldest copies go.

        Raises:
            DataFolderError: It cannot be written.
        """
        ...


class ClientFileWriter(Protocol):
    """Carries plans out."""

    def missing_folders(self, path: CanonicalPath) -> tuple[CanonicalPath, ...]:
        """The folders above a file that are still to be made, outermost first."""
        ...

    def write(self, edit: FileEdit) -> None:
        """Make an edit, whole or not at all: through symbolic links, the file's mode kept.

        Raises:
            ClientFileChangedError: The file is no longer what it was when the edit was planned.
            ClientFileUnreadableError: It cannot be read.
            ClientFileUnwritableError: The operating system refuses.
        """
        ...

    def run(self, command: RunCommand) -> None:
        """Run a client's own command.

        Raises:
            ClientCommandFailedError: It could not be started, or says that it failed.
        """
        ...

    def remove_empty_folder(self, folder: CanonicalPath) -> None:
        """Remove a folder if nothing is in it."""
        ...
