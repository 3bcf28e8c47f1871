"""Errors of the AI tools that are connected: their configuration, their hooks, their transcripts."""

import attrs

from imprint.errors.branches import (
    BusyError,
    ImprintError,
    RefusedError,
    SourceError,
    StoreError,
    UnknownNameError,
    UsageError,
)
from imprint.errors.quoting import escaped

__all__ = [
    "ClientCommandFailedError",
    "ClientFileChangedError",
    "ClientFileUnreadableError",
    "ClientFileUnwritableError",
    "ClientNotFoundError",
    "ClientsBusyError",
    "ConnectionRecordDamagedError",
    "HomeUnreachableError",
    "InvalidClientFileError",
    "InvalidHookPayloadError",
    "NoClientFoundError",
    "ProgramNotFoundError",
    "TemporaryProgramError",
    "TranscriptTooLargeError",
    "TranscriptUnreadableError",
    "UnknownHomeError",
]


@attrs.define
class ClientNotFoundError(UnknownNameError):
    """There is such a client, but not in this home.

    Attributes:
        looked_for: The places that were looked at.
    """

    client: str
    looked_for: tuple[str, ...] = ()

    def __str__(self) -> str:
        looked = f": there is no {' and no '.join(self.looked_for)}" if self.looked_for else ""
        return f"{self.client} was not found{looked}"

    @property
    def hint(self) -> str | None:
        return "start it once, then run this again; 'imprint clients list' shows what was found"


@attrs.define
class NoClientFoundError(UnknownNameError):
    """Every client was asked for, and none is there."""

    def __str__(self) -> str:
        return "no client was found on this device"

    @property
    def hint(self) -> str | None:
        return "start one once, then run this again; 'imprint clients connect CLIENT' says where one is looked for"


@attrs.define
class UnknownHomeError(UnknownNameError):
    """No other system of this machine has such a home, or none that is running."""

    name: str
    known: tuple[str, ...] = ()

    def __str__(self) -> str:
        there = f"there is {', '.join(self.known)}" if self.known else "there is none besides this system's own"
        return f"no home is called {escaped(self.name)}: {there}"

    @property
    def hint(self) -> str | None:
        return (
            "a Linux distribution has to run: start it, then run this again; 'imprint clients list' shows what is found"
        )


@attrs.define
class HomeUnreachableError(RefusedError):
    """Clients of another system's home cannot start a program of this one."""

    home: str
    program: str

    def __str__(self) -> str:
        return f"clients in {self.home} cannot start {self.program}"

    @property
    def hint(self) -> str | None:
        return "install Imprint in that system itself"


@attrs.define
class InvalidClientFileError(RefusedError):
    """A client's configuration is not what the client would read; it is never overwritten."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path} was left alone: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "mend it in an editor, then run this again"


@attrs.define
class ClientFileUnreadableError(ImprintError):
    """A client's configuration is there and cannot be read."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path} cannot be read: {self.reason}"


@attrs.define
class ClientFileUnwritableError(ImprintError):
    """A client's configuration cannot be written."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path} cannot be written: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "what was done before it stays on record: run this again to finish, or 'imprint clients disconnect'"


@attrs.define
class ClientCommandFailedError(ImprintError):
    """A client's own command, which had to do a part of the work, failed."""

    command: str
    reason: str

    def __str__(self) -> str:
        return f"'{self.command}' failed: {self.reason}"


@attrs.define
class ClientsBusyError(BusyError):
    """Another process connects or disconnects clients."""

    def __str__(self) -> str:
        return "another imprint connects or disconnects clients"

    @property
    def hint(self) -> str | None:
        return "wait for it to end, then run this again"


@attrs.define
class ConnectionRecordDamagedError(StoreError):
    """What was noted when a client was connected cannot be read."""

    path: str

    def __str__(self) -> str:
        return f"{self.path} cannot be read"

    @property
    def hint(self) -> str | None:
        return "move it away; disconnecting then takes out what is recognisably Imprint's"


@attrs.define
class ProgramNotFoundError(ImprintError):
    """A program that clients are to start is not installed beside this one."""

    program: str
    looked_in: tuple[str, ...]

    def __str__(self) -> str:
        return f"there is no {self.program} in {' or '.join(self.looked_in)}"

    @property
    def hint(self) -> str | None:
        package = "imprint-mcp" if self.program == "imprint-mcp" else "imprint-cli"
        return f"install {package} into the environment that 'imprint' is installed in"


@attrs.define
class TemporaryProgramError(RefusedError):
    """This Imprint runs from a cache that is emptied one day; what clients start has to stay."""

    path: str

    def __str__(self) -> str:
        return f"this Imprint runs from a temporary environment ({self.path}), which clients cannot rely on"

    @property
    def hint(self) -> str | None:
        return "install it in a virtual environment that stays, then run this again"


@attrs.define
class ClientFileChangedError(BusyError):
    """Somebody wrote to a client's configuration between the plan and its application."""

    path: str

    def __str__(self) -> str:
        return f"{self.path} was changed meanwhile, and was left alone"

    @property
    def hint(self) -> str | None:
        return "run this again"


@attrs.define
class InvalidHookPayloadError(UsageError):
    """What a client sent to its hook lacks something, or has it in another type."""

    client: str
    event: str
    key: str

    def __str__(self) -> str:
        return f"{self.client} sent {escaped(self.event)} without a usable {self.key!r}"


@attrs.define
class TranscriptTooLargeError(SourceError):
    """A transcript is too large to be read whole."""

    path: str
    size: int
    limit: int

    def __str__(self) -> str:
        return f"{self.path} has {self.size:,} bytes; at most {self.limit:,} are read"


@attrs.define
class TranscriptUnreadableError(SourceError):
    """A transcript cannot be read."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path} cannot be read: {self.reason}"
