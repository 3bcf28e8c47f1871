"""Claims: which workspaces may learn from a conversation, by the directories it was held in."""

from collections.abc import Collection, Mapping

import attrs

from imprint.domain.project_files import FoundProjectFile
from imprint.domain.resolution import is_approved
from imprint.domain.roots import Root, roots_containing
from imprint.domain.sources import CanonicalPath, WorkspaceName

__all__ = ["INBOX_SETTING", "Claims", "claimants", "transcript_allowed"]

INBOX_SETTING = "workspace.inbox"


@attrs.frozen(kw_only=True)
class Claims:
    """What this device says about directories. In a linked git worktree a directory is its place in the main one.

    Attributes:
        roots: Of every workspace.
        project_files: The nearest project file of each directory that has one.
        vanished: Directories that are gone. One may have been a worktree of anything, so where nobody claims it,
            nobody may learn from it.
        inbox: The value of the setting ``workspace.inbox``; empty: not set.
    """

    roots: tuple[Root, ...] = ()
    project_files: Mapping[CanonicalPath, FoundProjectFile] = attrs.field(factory=dict)
    vanished: frozenset[CanonicalPath] = frozenset()
    inbox: str = ""


def claimants(directory: CanonicalPath, claims: Claims) -> frozenset[WorkspaceName]:
    """The workspaces that claim a directory: the one its approved project file names, else all with a root above it."""
    file = claims.project_files.get(directory)
    if file is not None and file.workspace is not None and is_approved(file, claims.roots):
        return frozenset({file.workspace})
    return frozenset(root.workspace for root in roots_containing(directory, claims.roots))


def transcript_allowed(workspace: WorkspaceName, directories: Collection[CanonicalPath | None], claims: Claims) -> bool:
    """Whether a workspace may learn from a conversation.

    It may when each recorded directory is claimed by it or by none, and none that nobody claims has vanished. A
    conversation that records no directory at all belongs everywhere, or only to the inbox once there is one; one with a
    directory never goes to the inbox for that.

    Args:
        workspace: The one that would learn.
        directories: Every working directory the conversation records. `None` stands for a recorded text that is no
            place on this device; nobody claims it, yet it is not the same as no record.
        claims: What this device says about them.
    """
    if not directories:
        return not claims.inbox or claims.inbox == workspace
    return all(_is_open(directory, workspace, claims) for directory in directories if directory is not None)


def _is_open(directory: CanonicalPath, workspace: WorkspaceName, claims: Claims) -> bool:
    owners = claimants(directory, claims)
    return workspace in owners if owners else directory not in claims.vanished
