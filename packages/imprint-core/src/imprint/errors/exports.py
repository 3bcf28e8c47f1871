"""Errors of the files in which services give out an account's conversations."""

import attrs

from imprint.errors.branches import RefusedError, SourceError
from imprint.errors.quoting import escaped

__all__ = ["ExportDamagedError", "ExportRefusedError", "ExportUnknownError"]


@attrs.define
class ExportRefusedError(RefusedError):
    """A file is built to do harm, or beyond what an export can be; nothing was read from it."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} is refused: {escaped(self.reason)}"

    @property
    def hint(self) -> str | None:
        return "ask the service for a new export, and give the file as it comes"


@attrs.define
class ExportDamagedError(SourceError):
    """An export is not whole; the conversations before that place were learned."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} cannot be read: {escaped(self.reason)}"

    @property
    def hint(self) -> str | None:
        return "download it again; what was learned from it stays"


@attrs.define
class ExportUnknownError(SourceError):
    """A file holds no conversation that a plugin knows."""

    path: str
    known: tuple[str, ...]

    def __str__(self) -> str:
        return f"{escaped(self.path)} holds no conversations of {' or '.join(self.known)}"

    @property
    def hint(self) -> str | None:
        return "give the ZIP file, the folder it was unpacked to, or its conversations.json"
