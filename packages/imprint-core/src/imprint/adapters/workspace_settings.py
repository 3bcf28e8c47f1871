"""The settings that name a workspace, in the configuration file."""

import attrs

from imprint.adapters.config_files import ConfigFile
from imprint.domain.claims import INBOX_SETTING
from imprint.domain.resolution import UNASSIGNED_SETTING
from imprint.domain.settings import WorkspaceSection
from imprint.domain.sources import WorkspaceName

__all__ = ["ConfiguredWorkspaces"]


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
        values = {UNASSIGNED_SETTING: self.unassigned, INBOX_SETTING: self.inbox}
        return tuple(key for key, value in values.items() if value == name and self.config.unset(key))
