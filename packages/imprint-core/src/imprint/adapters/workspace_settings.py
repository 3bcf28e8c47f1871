"""The settings that name a workspace, as the services of workspaces see them."""

from collections.abc import Callable

import attrs

from imprint.adapters.config_files import ConfigFile
from imprint.domain.settings import Settings
from imprint.domain.sources import WorkspaceName

__all__ = ["ConfiguredWorkspaces"]

_KEYS = ("workspace.unassigned", "workspace.inbox")


@attrs.frozen
class ConfiguredWorkspaces:
    """Meets `imprint.protocols.projects.WorkspaceSettings`.

    Attributes:
        file: Where a setting is reset; no other layer can name a workspace.
        load: Gives the settings in force.
    """

    file: ConfigFile
    load: Callable[[], Settings]

    @property
    def unassigned(self) -> str:
        return self.load().workspace.unassigned

    @property
    def inbox(self) -> str:
        return self.load().workspace.inbox

    def forget_workspace(self, name: WorkspaceName) -> tuple[str, ...]:
        values = self.file.layer().values
        return tuple(key for key in _KEYS if values.get(key) == name and self.file.unset(key))
