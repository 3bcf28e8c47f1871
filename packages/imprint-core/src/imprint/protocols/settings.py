"""The file that a person's settings stand in."""

from collections.abc import Mapping
from typing import Protocol

from imprint.domain.setting_sections import SettingValue

__all__ = ["SettingsFile"]


class SettingsFile(Protocol):
    """Reads and edits single settings; comments and order stay."""

    def values(self) -> Mapping[str, object]:
        """What the file says now, unchecked, by key.

        Raises:
            InvalidConfigFileError: It is not TOML in UTF-8, or cannot be read.
        """
        ...

    def set(self, key: str, value: SettingValue) -> bool:
        """Give a setting a value; false when the file said so already.

        Raises:
            InvalidConfigFileError: The present file is not TOML in UTF-8, or cannot be read.
            UnwritableConfigError: The file or its folder cannot be written.
        """
        ...

    def unset(self, key: str) -> bool:
        """Take a setting out; false when the file did not have it.

        Raises:
            InvalidConfigFileError: The present file is not TOML in UTF-8, or cannot be read.
            UnwritableConfigError: The file or its folder cannot be written.
        """
        ...
