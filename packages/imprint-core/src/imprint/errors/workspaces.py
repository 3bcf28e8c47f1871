"""Errors of workspaces: their names, the folders approved for them, and project files."""

import attrs

from imprint.errors.branches import ImprintError, RefusedError, UnknownNameError, UsageError
from imprint.errors.quoting import escaped

__all__ = [
    "InvalidEnvironmentWorkspaceError",
    "InvalidPathError",
    "InvalidWorkspaceNameError",
    "OutsideRootsError",
    "ProjectFileRefusedError",
    "ProjectFileUnwritableError",
    "ProtectedWorkspaceError",
    "RefusedRootError",
    "RootOverlapError",
    "UnknownRootError",
    "UnknownWorkspaceError",
    "WorkspaceDeletedError",
]


@attrs.define
class UnknownWorkspaceError(UnknownNameError):
    """No workspace of this device has this name."""

    name: str
    known: tuple[str, ...]
    nearest: str | None = None

    def __str__(self) -> str:
        return f'no workspace is named "{escaped(self.name)}"; known: {", ".join(self.known)}'

    @property
    def hint(self) -> str | None:
        return f'did you mean "{self.nearest}"?' if self.nearest else "run 'imprint workspace create NAME' to make one"


@attrs.define
class InvalidWorkspaceNameError(UsageError):
    """No workspace can have this name.

    Attributes:
        reason: A word of `imprint.domain.names.NameFault`.
        explanation: The same as the second half of a sentence.
        suggestion: A spelling that would do, where there is an obvious one.
    """

    name: str
    reason: str
    explanation: str
    suggestion: str | None = None

    def __str__(self) -> str:
        return f'"{escaped(self.name)}" cannot be a workspace name: {self.explanation}'

    @property
    def hint(self) -> str | None:
        return f'did you mean "{self.suggestion}"?' if self.suggestion else None


@attrs.define
class InvalidEnvironmentWorkspaceError(UnknownNameError):
    """The environment names a workspace that cannot be or does not exist; nothing else is tried instead."""

    variable: str
    value: str
    known: tuple[str, ...]
    nearest: str | None = None

    def __str__(self) -> str:
        return (
            f'the environment variable {self.variable} names no workspace of this device: "{escaped(self.value)}"; '
            f"known: {', '.join(self.known)}"
        )

    @property
    def hint(self) -> str | None:
        return f'set {self.variable} to "{self.nearest}" or unset it' if self.nearest else f"unset {self.variable}"


@attrs.define
class ProtectedWorkspaceError(RefusedError):
    """This workspace always exists."""

    name: str

    def __str__(self) -> str:
        return f'workspace "{self.name}" always exists and cannot be deleted'


@attrs.define
class WorkspaceDeletedError(UnknownNameError):
    """The workspace was deleted while somebody was about to write to it."""

    name: str

    def __str__(self) -> str:
        return f'workspace "{self.name}" was deleted; nothing was written to it'


@attrs.define
class InvalidPathError(UsageError):
    """This text is no path that can be used here."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f'"{escaped(self.path)}" cannot be used: {self.reason}'


@attrs.define
class RootOverlapError(RefusedError):
    """A folder would be shared with other workspaces, and nobody confirmed that.

    Attributes:
        conflicts: Every (workspace, root) whose root contains the folder, equals it or lies in it.
    """

    workspace: str
    path: str
    conflicts: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        others = "; ".join(f'{escaped(root)} of workspace "{workspace}"' for workspace, root in self.conflicts)
        return (
            f'{escaped(self.path)} overlaps {others}; adding it to workspace "{self.workspace}" shares what is in both'
        )

    @property
    def hint(self) -> str | None:
        return "repeat with --allow-overlap to share it"


@attrs.define
class RefusedRootError(RefusedError):
    """A folder too wide to be a root.

    Attributes:
        reason: A word of `imprint.domain.roots.RootRefusal`.
        explanation: The same as the second half of a sentence.
        overridable: Whether the way it was asked for has a switch to insist.
    """

    path: str
    reason: str
    explanation: str
    overridable: bool = False

    def __str__(self) -> str:
        return f"{escaped(self.path)} is not taken as a root: {self.explanation}"

    @property
    def hint(self) -> str | None:
        if self.overridable:
            return "repeat with --allow-home to insist"
        return "choose a folder inside it, or insist with 'imprint roots add --allow-home'"


@attrs.define
class OutsideRootsError(RefusedError):
    """A target that no approved root of the workspace contains.

    Attributes:
        folder: What could be approved for it; empty where that is a home or wider.
    """

    workspace: str
    path: str
    roots: tuple[str, ...]
    folder: str

    def __str__(self) -> str:
        inside = ", ".join(escaped(root) for root in self.roots) or "none yet"
        return f'{escaped(self.path)} is outside the roots of workspace "{self.workspace}" ({inside})'

    @property
    def hint(self) -> str | None:
        if not self.folder:
            return "a home or a folder above one is too wide to be approved; choose a folder inside it"
        folder = escaped(self.folder)
        return (
            f"give it a workspace of its own: 'cd {folder}', then 'imprint workspace use NAME'; "
            f"or let it into this one: 'imprint roots add {folder} --workspace {self.workspace}'"
        )


@attrs.define
class UnknownRootError(UnknownNameError):
    """The workspace has no such root.

    Attributes:
        known: The roots it has.
        owners: Other workspaces, of which the folder is a root.
    """

    workspace: str
    path: str
    known: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f'{escaped(self.path)} is no root of workspace "{self.workspace}"'

    @property
    def hint(self) -> str | None:
        if self.owners:
            commands = " or ".join(
                f"'imprint roots remove {escaped(self.path)} --workspace {owner}'" for owner in self.owners
            )
            return f"it is a root of {', '.join(self.owners)}: run {commands}"
        return f"its roots: {', '.join(escaped(root) for root in self.known)}" if self.known else "it has no roots"


@attrs.define
class ProjectFileRefusedError(RefusedError):
    """A project file that is not written, because of what lies in its place."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} was not written: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "move away what is there and repeat"


@attrs.define
class ProjectFileUnwritableError(ImprintError):
    """The operating system did not let the project file be written."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{escaped(self.path)} could not be written: {escaped(self.reason)}"
