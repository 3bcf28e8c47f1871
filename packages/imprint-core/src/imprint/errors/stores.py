"""Errors of databases, indexes, the data folder and its locks."""

import attrs

from imprint.errors.branches import BusyError, StoreError

__all__ = [
    "DataFolderError",
    "IndexNotWrittenError",
    "LockHeldError",
    "StoreBusyError",
    "StoreDamagedError",
    "StoreFullError",
    "StoreReadOnlyError",
    "StoreTooNewError",
    "StoreUnavailableError",
    "UnsupportedSqliteError",
]


@attrs.define
class StoreDamagedError(StoreError):
    """A file is not a healthy database of Imprint."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"the database {self.path} is damaged: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "restore a backup, or move the file away and ingest again; what it held stays readable where it is"


@attrs.define
class StoreTooNewError(StoreError):
    """A newer program wrote the database; nothing in it was touched."""

    path: str
    found: int
    supported: int

    def __str__(self) -> str:
        return f"the database {self.path} has schema {self.found}; this program knows up to {self.supported}"

    @property
    def hint(self) -> str | None:
        return "upgrade Imprint here too, or name another folder with --data-dir"


@attrs.define
class StoreFullError(StoreError):
    """The disk is full; the transaction was undone."""

    path: str

    def __str__(self) -> str:
        return f"there is no space left to write {self.path}; what was stored before is intact"

    @property
    def hint(self) -> str | None:
        return "make room on the disk and repeat the command: it goes on where it stopped"


@attrs.define
class StoreReadOnlyError(StoreError):
    """The database or its folder cannot be written."""

    path: str

    def __str__(self) -> str:
        return f"{self.path} cannot be written"

    @property
    def hint(self) -> str | None:
        return "check the permissions of the data folder, or name another with --data-dir"


@attrs.define
class StoreUnavailableError(StoreError):
    """The database cannot be opened or read."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"the database {self.path} cannot be used: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "check the disk and the permissions of the data folder, or name another with --data-dir"


@attrs.define
class UnsupportedSqliteError(StoreError):
    """The SQLite that Python was built with cannot do what the store needs."""

    version: str
    missing: str

    def __str__(self) -> str:
        return f"this Python's SQLite {self.version} has no {self.missing}"

    @property
    def hint(self) -> str | None:
        return "use a Python with SQLite 3.37 or newer and FTS5, such as those of python.org or uv"


@attrs.define
class StoreBusyError(BusyError):
    """Other processes kept the database's write lock for longer than we wait."""

    path: str

    def __str__(self) -> str:
        return f"other processes are writing to {self.path}"

    @property
    def hint(self) -> str | None:
        return "try again in a moment"


@attrs.define
class LockHeldError(BusyError):
    """Another process does long work on the workspace.

    Attributes:
        pid: Of the holder; 0 where it is not known.
        since: UTC ISO 8601 with ``Z``.
    """

    workspace: str
    pid: int = 0
    activity: str = ""
    since: str = ""

    def __str__(self) -> str:
        if not self.pid:
            return f'another process is working on workspace "{self.workspace}"'
        return f'process {self.pid} is working on workspace "{self.workspace}": {self.activity} since {self.since}'

    @property
    def hint(self) -> str | None:
        return "wait until it is done, then try again"


@attrs.define
class DataFolderError(StoreError):
    """The data folder cannot be made or used."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"the data folder {self.path} cannot be used: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "name a folder that you can write with --data-dir or IMPRINT_DATA_DIR"


@attrs.define
class IndexNotWrittenError(StoreError):
    """A derived index file could not be written; the store is whole, and search goes on without the file."""

    folder: str
    reason: str

    def __str__(self) -> str:
        return f"no index file could be written to {self.folder}: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "make room on the disk, or make the folder writable; the next ingest tries again"
