"""What is said of workspaces where a session begins."""

from pathlib import Path

from imprint.domain.notices import compose_notice, describe_resolution
from imprint.domain.sources import WorkspaceName
from imprint.errors import InvalidEnvironmentWorkspaceError
from imprint.services.workspaces import Workspaces

__all__ = ["begin_hooked_session"]


def begin_hooked_session(workspaces: Workspaces, directory: str) -> tuple[str, WorkspaceName | None]:
    """Begin the session of a directory: what it is to be told about its workspace, and the workspace.

    Args:
        directory: As the client spells it.

    Returns:
        Where the user's ``IMPRINT_WORKSPACE`` names no workspace, that; and no workspace.
    """
    try:
        resolved = workspaces.begin_session(Path(directory))
    except InvalidEnvironmentWorkspaceError as error:
        return f"{error}.", None
    notice = compose_notice(resolved.resolution, [record.name for record in workspaces.list()])
    return notice or f"This session uses {describe_resolution(resolved.resolution)}.", resolved.workspace
