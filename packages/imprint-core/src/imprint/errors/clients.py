"""Errors of the AI tools that are connected: their configuration, their hooks, their transcripts."""

import attrs

from imprint.errors.branches import BusyError, ImprintError, RefusedError, SourceError, UnknownNameError, UsageError
from imprint.errors.quoting import escaped

__all__ = [
    "ClientFileChangedError",
    "ClientFileUnreadableError",
    "ClientFileUnwritableError",
    "ClientNotFoundError",
    "InvalidClientFileError",
    "InvalidHookPayloadError",
    "TranscriptTooLargeError",
    "TranscriptUnreadableError",
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
