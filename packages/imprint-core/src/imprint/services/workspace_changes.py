"""What became of a workspace, or of a project that was assigned to one."""

import attrs

from imprint.domain.sources import CanonicalPath, WorkspaceName

__all__ = ["Creation", "Deletion", "ProjectUse", "Switch"]


@attrs.frozen
class Creation:
    """``created`` is false when the workspace existed already."""

    workspace: WorkspaceName
    created: bool


@attrs.frozen
class Switch:
    """``changed`` is false when it was the active workspace already."""

    workspace: WorkspaceName
    changed: bool


@attrs.frozen(kw_only=True)
class Deletion:
    """What became of a workspace.

    Attributes:
        settings: Keys of the settings that named it and were reset.
        files_removed: False while another process still holds its files; deleting again removes them.
    """

    workspace: WorkspaceName
    settings: tuple[str, ...]
    files_removed: bool


@attrs.frozen(kw_only=True)
class ProjectUse:
    """What ``use`` did. Nothing changed when none of the three holds.

    Attributes:
        folder: The project's folder, which holds ``.imprint`` now.
        created: The workspace is new.
        root_added: The folder became a root of the workspace.
        file_written: The project file was written; committing it is the user's choice.
    """

    workspace: WorkspaceName
    folder: CanonicalPath
    created: bool
    root_added: bool
    file_written: bool
