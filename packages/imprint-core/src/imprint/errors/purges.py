"""Forgetting for good."""

import attrs

from imprint.errors.branches import RefusedError, UsageError
from imprint.errors.quoting import escaped

__all__ = ["FolderTargetError", "StaleDigestError", "UnnamedWorkspaceError"]


@attrs.define
class StaleDigestError(RefusedError):
    """What a purge would take is not what was reviewed; nothing was changed."""

    target: str
    given: str
    found: str

    def __str__(self) -> str:
        return f"what a purge of {escaped(self.target)} would take is no longer what was reviewed; nothing was changed"

    @property
    def hint(self) -> str | None:
        return "preview the purge again, look at what it takes, and apply it with the new digest"


@attrs.define
class FolderTargetError(UsageError):
    """A folder, or a key's prefix, is to be purged, and that is not said; nothing was changed.

    Attributes:
        sources: How many sources a recursive purge would take.
    """

    target: str
    sources: int

    def __str__(self) -> str:
        number = f"{self.sources:,} source" + ("" if self.sources == 1 else "s")
        return f"{escaped(self.target)} is a folder; purged recursively, it would take {number}"

    @property
    def hint(self) -> str | None:
        return "repeat with --recursive to see them"


@attrs.define
class UnnamedWorkspaceError(UsageError):
    """What cannot be undone needs its workspace spelled out; nothing was changed.

    Attributes:
        workspace: The one that would be used.
    """

    action: str
    workspace: str

    def __str__(self) -> str:
        return f"{self.action} needs the workspace spelled out"

    @property
    def hint(self) -> str | None:
        return f"write --workspace {self.workspace} if that is the one"
