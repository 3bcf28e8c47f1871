"""Settings, written down: one that names a workspace takes those of this device only."""

from collections.abc import Callable

import attrs

from imprint.domain.names import nearest_name
from imprint.domain.setting_sections import SettingValue
from imprint.domain.settings import find_spec, parse_value
from imprint.errors import UnknownWorkspaceError
from imprint.protocols.registry import Registry
from imprint.protocols.settings import SettingsFile

__all__ = ["Configuration", "SettingChange"]


@attrs.frozen(kw_only=True)
class SettingChange:
    """A setting that the file gives now; ``changed`` is false when it did so before."""

    key: str
    value: SettingValue
    changed: bool


@attrs.frozen
class Configuration:
    """The use cases.

    Attributes:
        registry: Opens the device's registry, for settings that name a workspace.
    """

    file: SettingsFile
    registry: Callable[[], Registry]

    def set(self, key: str, text: str) -> SettingChange:
        """Give a setting a value.

        Raises:
            UnknownSettingError: There is no such setting.
            InvalidSettingError: The value is of another type, or out of bounds.
            UnknownWorkspaceError: It has to name a workspace and names none.
            InvalidConfigFileError: The present file is not TOML in UTF-8, or cannot be read.
            UnwritableConfigError: The file or its folder cannot be written.
        """
        value = parse_value(key, text)
        if isinstance(value, str) and value and find_spec(key).names_workspace:
            known = self.choices(key)
            if value not in known:
                raise UnknownWorkspaceError(value, known, nearest_name(value, known))
        return SettingChange(key=key, value=value, changed=self.file.set(key, value))

    def choices(self, key: str) -> tuple[str, ...]:
        """The values a setting may have, where they can be listed; empty elsewhere. The empty text unsets one as well.

        Raises:
            UnknownSettingError: There is no such setting.
        """
        if not find_spec(key).names_workspace:
            return ()
        return tuple(record.name for record in self.registry().workspaces())
