"""The settings that name a workspace, in the configuration file."""

import attrs

from imprint.adapters.config_files import ConfigFile
from imprint.domain.claims import INBOX_SETTING
from imprint.domain.resolution import UNASSIGNED_SETTING
from imprint.domain.setting_sections import WorkspaceSection
from imprint.domain.sources import WorkspaceName

__all__ = ["ConfiguredWorkspaces"]

_KEYS = (UNASSIGNED_SETTING, INBOX_SETTING)


@attrs.frozen
class ConfiguredWorkspaces:
    """Meets `imprint.protocols.projects.WorkspaceSettings`."""

    config: ConfigFile
    section: WorkspaceSection

    @property
    def unassigned(self) -> str:
        return self.section.unassigned

    @property
    def inbox(self) -> str:
        return self.section.inbox

    def forget_workspace(self, name: WorkspaceName) -> tuple[str, ...]:
        # Read anew: another process may have set one since this one began.
        values = self.config.values()
        return tuple(key for key in _KEYS if values.get(key) == name and self.config.unset(key))
