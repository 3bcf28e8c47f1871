"""What is said of workspaces where a session begins."""

from pathlib import Path
from typing import NamedTuple

from imprint.domain.notices import compose_notice, describe_resolution
from imprint.domain.sources import WorkspaceName
from imprint.errors import InvalidEnvironmentWorkspaceError
from imprint.services.workspaces import Workspaces

__all__ = ["SessionStatement", "begin_hooked_session"]


class SessionStatement(NamedTuple):
    """What a session is told about its workspace.

    Attributes:
        workspace: `None` where there is none.
        is_lasting: It follows from the directory, those above it, the registry and the settings alone.
    """

    text: str
    workspace: WorkspaceName | None = None
    is_lasting: bool = False


def begin_hooked_session(workspaces: Workspaces, directory: str) -> SessionStatement:
    """Begin the session of a directory: what it is to be told about its workspace, and the workspace.

    Args:
        directory: As the client spells it.

    Where the user's ``IMPRINT_WORKSPACE`` names no workspace, that is told.
    """
    try:
        resolved = workspaces.begin_session(Path(directory))
    except InvalidEnvironmentWorkspaceError as error:
        return SessionStatement(f"{error}.")
    notice = compose_notice(resolved.resolution, [record.name for record in workspaces.list()])
    return SessionStatement(
        notice or f"This session uses {describe_resolution(resolved.resolution)}.",
        resolved.workspace,
        is_lasting=resolved.surroundings.problem is None and resolved.surroundings.worktree is None,
    )
