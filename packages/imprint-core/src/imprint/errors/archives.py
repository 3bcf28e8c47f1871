"""Bundles, backups, and moves between workspaces."""

import attrs

from imprint.errors.branches import BusyError, RefusedError, StoreError, UnknownNameError, UsageError
from imprint.errors.quoting import escaped

__all__ = [
    "ArchiveDamagedError",
    "ArchiveTooNewError",
    "DeviceLockHeldError",
    "NoRoomError",
    "NothingToMoveError",
    "OversizedRecordError",
    "SameWorkspaceError",
    "SourceConflictError",
    "TargetExistsError",
    "UnwritableFileError",
]


@attrs.define
class ArchiveDamagedError(StoreError):
    """A bundle or backup is not whole, or was not written by Imprint; nothing was changed.

    Attributes:
        what: ``bundle`` or ``backup``.
    """

    path: str
    what: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} is no {self.what} that can be used: {escaped(self.reason)}"

    @property
    def hint(self) -> str | None:
        return f"take another copy of the {self.what}; nothing was taken from this one"


@attrs.define
class ArchiveTooNewError(StoreError):
    """A newer program wrote the bundle or backup; nothing was changed."""

    path: str
    what: str
    found: int
    supported: int

    def __str__(self) -> str:
        return (
            f"the {self.what} {escaped(self.path)} has format {self.found}; this program knows up to {self.supported}"
        )

    @property
    def hint(self) -> str | None:
        return "upgrade Imprint here too"


@attrs.define
class NoRoomError(StoreError):
    """The disk has less room than what is to be unpacked; nothing was changed."""

    path: str
    needed: int
    free: int

    def __str__(self) -> str:
        return f"{escaped(self.path)} unpacks to {self.needed:,} bytes, and {self.free:,} are free where they would go"

    @property
    def hint(self) -> str | None:
        return "make room on the disk, or name another folder with --data-dir"


@attrs.define
class OversizedRecordError(StoreError):
    """A passage or fact is larger than what a bundle can hold; nothing was written."""

    path: str
    size: int
    limit: int

    def __str__(self) -> str:
        return f"{escaped(self.path)} was not written: a passage or fact of {self.size:,} bytes fits into no bundle"

    @property
    def hint(self) -> str | None:
        return "'imprint backup' takes everything, whatever its size"


@attrs.define
class TargetExistsError(RefusedError):
    """Something is already where a file was to be written; it was left alone."""

    path: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} exists already and is not overwritten"

    @property
    def hint(self) -> str | None:
        return "name another file, or move this one away"


@attrs.define
class UnwritableFileError(StoreError):
    """The operating system did not let a file be written; nothing of it is left."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} could not be written: {escaped(self.reason)}"

    @property
    def hint(self) -> str | None:
        return "make room on the disk, check the folder's permissions, or name another place"


@attrs.define
class SameWorkspaceError(UsageError):
    """Nothing can be moved from a workspace to itself."""

    workspace: str

    def __str__(self) -> str:
        return f'workspace "{self.workspace}" is named on both sides of the move'

    @property
    def hint(self) -> str | None:
        return "name two different workspaces with --from and --to"


@attrs.define
class NothingToMoveError(UnknownNameError):
    """Neither workspace holds anything of what is to be moved.

    Attributes:
        chosen: What was asked for, in the words of the command line.
    """

    workspace: str
    chosen: str

    def __str__(self) -> str:
        return f'workspace "{self.workspace}" holds nothing of {escaped(self.chosen)}'

    @property
    def hint(self) -> str | None:
        return f"'imprint sources --workspace {self.workspace}' lists what it holds"


@attrs.define
class SourceConflictError(RefusedError):
    """The other workspace has something else of the same name, written by hand; nothing was changed."""

    source: str
    workspace: str

    def __str__(self) -> str:
        return f'workspace "{self.workspace}" has another {escaped(self.source)}, and a move overwrites nothing'

    @property
    def hint(self) -> str | None:
        return f"forget one of the two: 'imprint forget {escaped(self.source)} --workspace {self.workspace}'"


@attrs.define
class DeviceLockHeldError(BusyError):
    """Another process moves between workspaces, backs up or restores."""

    path: str

    def __str__(self) -> str:
        return f"another process moves between workspaces, backs up or restores in {escaped(self.path)}"

    @property
    def hint(self) -> str | None:
        return "wait until it is done, then try again"
