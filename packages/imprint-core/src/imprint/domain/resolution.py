"""The one resolution: which workspace a command or a session in a directory uses, and why.

Every surface asks `resolve`. The first of these that gives a workspace decides: an explicit argument, the environment,
the nearest project file that this device approved, the deepest root, for sessions the setting
``workspace.unassigned``, the active workspace.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeAlias

import attrs

from imprint.domain.names import nearest_name
from imprint.domain.paths import contains
from imprint.domain.project_files import FoundProjectFile, ProjectFileFault
from imprint.domain.roots import Root, deepest_roots
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import Surroundings
from imprint.domain.worktrees import Worktree
from imprint.errors import InvalidEnvironmentWorkspaceError, UnknownWorkspaceError

__all__ = [
    "UNASSIGNED_SETTING",
    "WORKSPACE_VARIABLE",
    "Facts",
    "InvalidFileNote",
    "Note",
    "Proposal",
    "Reason",
    "Resolution",
    "TiedRootsNote",
    "UnknownSettingNote",
    "is_approved",
    "resolve",
]

WORKSPACE_VARIABLE = "IMPRINT_WORKSPACE"
UNASSIGNED_SETTING = "workspace.unassigned"


@attrs.frozen(kw_only=True)
class Facts:
    """All that a resolution depends on.

    Attributes:
        workspaces: The names this device knows.
        explicit: The argument of the command or tool call; empty: none.
        environment: The value of ``IMPRINT_WORKSPACE``; empty means the same as unset.
        is_session: An agent's session, not a command.
        unassigned: The value of the setting ``workspace.unassigned``; empty: not set.
    """

    surroundings: Surroundings
    workspaces: tuple[WorkspaceName, ...]
    active: WorkspaceName
    roots: tuple[Root, ...] = ()
    explicit: str = ""
    environment: str = ""
    is_session: bool = False
    unassigned: str = ""


class Reason(StrEnum):
    """What decided, in order of precedence."""

    EXPLICIT = "explicit"
    ENVIRONMENT = "environment"
    PROJECT_FILE = "project-file"
    ROOT = "root"
    UNASSIGNED_SETTING = "unassigned-setting"
    ACTIVE = "active"


@attrs.frozen
class Proposal:
    """What a valid project file proposes; without this device's approval it assigns nothing."""

    workspace: WorkspaceName
    file: CanonicalPath
    approved: bool


@attrs.frozen
class InvalidFileNote:
    """The nearest project file was ignored."""

    file: CanonicalPath
    fault: ProjectFileFault


@attrs.frozen
class TiedRootsNote:
    """The deepest root belongs to several workspaces, so it decided nothing."""

    root: CanonicalPath
    workspaces: tuple[WorkspaceName, ...]


@attrs.frozen
class UnknownSettingNote:
    """A setting names a workspace that this device does not know, so it decided nothing."""

    setting: str
    value: str


Note: TypeAlias = InvalidFileNote | TiedRootsNote | UnknownSettingNote


@attrs.frozen(kw_only=True)
class Resolution:
    """Which workspace, and why.

    Attributes:
        evidence: The path of the project file or root that decided, if one did.
        project: The project's folder, if the directory lies in one.
        worktree: The linked git worktree that the directory lies in; everything else speaks of the main one.
        notes: What was passed over on the way.
        needs_choice: There is a project, and neither the caller nor this device assigned it.
    """

    workspace: WorkspaceName
    reason: Reason
    evidence: CanonicalPath | None = None
    project: CanonicalPath | None = None
    worktree: Worktree | None = None
    proposal: Proposal | None = None
    notes: tuple[Note, ...] = ()
    needs_choice: bool = False


def resolve(facts: Facts) -> Resolution:
    """Answer which workspace is used.

    Raises:
        UnknownWorkspaceError: The explicit argument names no workspace of this device.
        InvalidEnvironmentWorkspaceError: ``IMPRINT_WORKSPACE`` names none.
    """
    proposal = _find_proposal(facts.surroundings.project_file, facts)
    notes: list[Note] = []
    workspace, reason, evidence = _decide(facts, proposal, notes)
    project = facts.surroundings.project
    unapproved = proposal is not None and not proposal.approved
    unassigned = reason in (Reason.UNASSIGNED_SETTING, Reason.ACTIVE)
    told = reason in (Reason.EXPLICIT, Reason.ENVIRONMENT)
    return Resolution(
        workspace=workspace,
        reason=reason,
        evidence=evidence,
        project=project,
        worktree=facts.surroundings.worktree,
        proposal=proposal,
        notes=tuple(notes),
        needs_choice=project is not None and not told and (unassigned or unapproved),
    )


def is_approved(file: FoundProjectFile, roots: Iterable[Root]) -> bool:
    """Whether a root **of the workspace it names** contains the folder of a project file."""
    return any(root.workspace == file.workspace and contains(root.path, file.folder) for root in roots)


_Decision: TypeAlias = tuple[WorkspaceName, Reason, CanonicalPath | None]


def _decide(facts: Facts, proposal: Proposal | None, notes: list[Note]) -> _Decision:
    file = facts.surroundings.project_file
    if file is not None and file.fault is not None:
        notes.append(InvalidFileNote(file.path, file.fault))
    if facts.explicit:
        return _require_explicit(facts), Reason.EXPLICIT, None
    if facts.environment:
        return _require_environment(facts), Reason.ENVIRONMENT, None
    if proposal is not None and proposal.approved:
        return proposal.workspace, Reason.PROJECT_FILE, proposal.file
    root = _find_deciding_root(facts, notes)
    if root is not None:
        return root.workspace, Reason.ROOT, root.path
    if facts.is_session and facts.unassigned:
        known = _find_known(facts.unassigned, facts)
        if known is not None:
            return known, Reason.UNASSIGNED_SETTING, None
        notes.append(UnknownSettingNote(UNASSIGNED_SETTING, facts.unassigned))
    return facts.active, Reason.ACTIVE, None


def _find_proposal(file: FoundProjectFile | None, facts: Facts) -> Proposal | None:
    if file is None or file.workspace is None:
        return None
    approved = file.workspace in facts.workspaces and is_approved(file, facts.roots)
    return Proposal(file.workspace, file.path, approved)


def _find_deciding_root(facts: Facts, notes: list[Note]) -> Root | None:
    place = facts.surroundings.place
    if place is None:
        return None
    known_roots = (root for root in facts.roots if root.workspace in facts.workspaces)
    deepest = deepest_roots(place, known_roots)
    owners = tuple(sorted({root.workspace for root in deepest}))
    if len(owners) > 1:
        notes.append(TiedRootsNote(deepest[0].path, owners))
        return None
    return deepest[0] if deepest else None


def _find_known(name: str, facts: Facts) -> WorkspaceName | None:
    return next((known for known in facts.workspaces if known == name), None)


def _require_explicit(facts: Facts) -> WorkspaceName:
    known = _find_known(facts.explicit, facts)
    if known is None:
        names = tuple(sorted(facts.workspaces))
        raise UnknownWorkspaceError(facts.explicit, names, nearest_name(facts.explicit, names))
    return known


def _require_environment(facts: Facts) -> WorkspaceName:
    known = _find_known(facts.environment, facts)
    if known is None:
        names = tuple(sorted(facts.workspaces))
        nearest = nearest_name(facts.environment, names)
        raise InvalidEnvironmentWorkspaceError(WORKSPACE_VARIABLE, facts.environment, names, nearest)
    return known
