"""The layout of the data folder."""

import os
from pathlib import Path

import attrs

from imprint.domain.sources import WorkspaceName
from imprint.errors import DataFolderError

__all__ = ["INDEX_FOLDER", "DataFolder"]

INDEX_FOLDER = "index"
"""Beside a workspace's store."""

_PRIVATE = 0o700


@attrs.frozen
class DataFolder:
    """Where each file of this device lies. Asking for a place makes nothing."""

    path: Path

    @property
    def nearest(self) -> Path:
        """The data folder, or the folder above it in which it would be made."""
        return next(place for place in (self.path, *self.path.parents) if os.path.isdir(place))  # noqa: PTH112

    @property
    def registry_file(self) -> Path:
        return self.path / "registry.sqlite3"

    @property
    def copies(self) -> Path:
        """For copies of databases while a backup is made or restored; whoever holds the device's lock empties it."""
        return self.path / "copies"

    @property
    def set_aside(self) -> Path:
        """For databases that were too damaged to restore anything into them."""
        return self.path / "damaged"

    @property
    def device_lock_file(self) -> Path:
        return self.path / "device.lock"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def clients(self) -> Path:
        """For what was done to clients' files, and copies of them from before."""
        return self.path / "clients"

    def connection_record(self, client: str) -> Path:
        return self.clients / client / "record.json"

    def connected_clients(self) -> tuple[str, ...]:
        """The clients that a connection is on record of; none of their own files is looked at."""
        try:
            folders = sorted(self.clients.iterdir())
        except OSError:
            return ()
        return tuple(folder.name for folder in folders if self.connection_record(folder.name).is_file())

    def workspace(self, name: WorkspaceName) -> Path:
        return self.path / "workspaces" / name

    def store_file(self, name: WorkspaceName) -> Path:
        return self.workspace(name) / "store.sqlite3"

    def index(self, name: WorkspaceName) -> Path:
        """For derived files, which may be deleted at any time."""
        return self.workspace(name) / INDEX_FOLDER

    def lock_file(self, name: WorkspaceName) -> Path:
        return self.workspace(name) / "ingest.lock"

    def find_fault(self) -> str:
        """What keeps the data folder from being used, or lets others in; empty where all is well."""
        there = os.path.isdir(self.path)  # noqa: PTH112 (`Path` raises where a folder above is closed)
        place = self.path if there else self.nearest
        if not os.access(place, os.R_OK | os.W_OK | os.X_OK):
            return f"{place} cannot be written" + ("" if there else f", so {self.path} cannot be made")
        if there and os.name == "posix" and self.path.stat().st_mode & 0o077:
            return f"{self.path} can be read by others: its mode should be 0700"
        return ""

    def has(self, place: Path) -> bool:
        """Whether something is at a place of ours.

        Raises:
            DataFolderError: The operating system does not tell.
        """
        try:
            place.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError as error:
            raise DataFolderError(str(place), error.strerror or str(error)) from error
        return True

    def make(self) -> None:
        """Make the data folder, private to the user.

        Raises:
            DataFolderError: It cannot be made.
        """
        _make_private(self.path)

    def make_workspace(self, name: WorkspaceName) -> None:
        """Make a workspace's folder, private to the user.

        Raises:
            DataFolderError: It cannot be made.
        """
        self.make()
        _make_private(self.workspace(name))


def _make_private(folder: Path) -> None:
    try:
        missing = [place for place in (folder, *folder.parents) if not place.exists()]
        for place in reversed(missing):
            place.mkdir(mode=_PRIVATE, exist_ok=True)
        if not folder.is_dir():
            raise DataFolderError(str(folder), "it is not a folder")
    except OSError as error:
        raise DataFolderError(str(folder), error.strerror or str(error)) from error
