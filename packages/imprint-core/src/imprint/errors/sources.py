"""Errors of files and other sources."""

import attrs

from imprint.errors.branches import RefusedError, SourceError, UsageError
from imprint.errors.quoting import escaped

__all__ = [
    "ExcludedSourceError",
    "FileChangedError",
    "FileTooLargeError",
    "MissingPathError",
    "RemovalsHeldBackError",
    "SkippedPathError",
    "UnreadableFileError",
]


@attrs.define
class ExcludedSourceError(RefusedError):
    """A purge excluded this source from the workspace."""

    target: str
    workspace: str

    def __str__(self) -> str:
        return f'{escaped(self.target)} was purged from workspace "{self.workspace}" and is excluded from it'

    @property
    def hint(self) -> str | None:
        there = f"--workspace {self.workspace}"
        return (
            f"run 'imprint exclusions list {there}' to see the exclusion, "
            f"'imprint exclusions restore TARGET {there}' to lift it"
        )


@attrs.define
class MissingPathError(UsageError):
    """Nothing is at a path that was asked for."""

    path: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} does not exist"

    @property
    def hint(self) -> str | None:
        return "check the spelling; a path is relative to the current directory"


@attrs.define
class UnreadableFileError(SourceError):
    """A file is missing, not regular, or the operating system refuses to read it."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} cannot be read: {self.reason}"


@attrs.define
class FileTooLargeError(SourceError):
    """A file is larger than the limit."""

    path: str
    size: int
    limit: int

    def __str__(self) -> str:
        return f"{escaped(self.path)} has {self.size:,} bytes, more than {self.limit:,}"

    @property
    def hint(self) -> str | None:
        return "raise 'ingest.max_file_bytes' to index it"


@attrs.define
class FileChangedError(SourceError):
    """A file changed each time it was read."""

    path: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} changed while it was read"

    @property
    def hint(self) -> str | None:
        return "run 'imprint refresh' once it is written"


@attrs.define
class RemovalsHeldBackError(SourceError):
    """Too much of a folder seems to be gone to believe it; nothing of it was removed.

    Attributes:
        reason: ``missing``, ``empty`` or ``many``.
        gone: Number of sources that would have been removed, out of ``known``.
    """

    path: str
    reason: str
    gone: int
    known: int

    def __str__(self) -> str:
        what = {"missing": "is missing", "empty": "holds nothing to index"}.get(self.reason, "has lost a lot")
        return f"{escaped(self.path)} {what}: {self.gone:,} of its {self.known:,} sources would go; none was removed"

    @property
    def hint(self) -> str | None:
        return "mount or restore the folder, or run 'imprint refresh --accept-removals'"


@attrs.define
class SkippedPathError(RefusedError):
    """A path that was asked for, and that a scan of its root passes over, so that a refresh would drop it again."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} is not indexed: {self.reason}"

    @property
    def hint(self) -> str | None:
        if self.reason == "ignored":
            return "an ignore rule covers it; a line with '!' in an .imprintignore file overrides the rule"
        return None
