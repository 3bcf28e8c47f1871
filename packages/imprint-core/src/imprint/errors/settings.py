"""Errors of settings and of the folders a user has."""

import attrs

from imprint.errors.branches import ImprintError, UnknownNameError, UsageError

__all__ = [
    "InvalidConfigFileError",
    "InvalidSettingError",
    "NoHomeError",
    "UnknownSettingError",
    "UnwritableConfigError",
]


@attrs.define
class UnknownSettingError(UnknownNameError):
    """There is no such setting.

    Attributes:
        place: The file or layer that names it, empty where a person did just now.
    """

    key: str
    nearest: str | None = None
    place: str = ""

    def __str__(self) -> str:
        return f"{self.key!r} is not a setting" + (f" ({self.place})" if self.place else "")

    @property
    def hint(self) -> str | None:
        if self.nearest:
            return f"did you mean {self.nearest!r}?"
        return f"run 'imprint config unset {self.key}'" if self.place else "run 'imprint config list' to see them all"


@attrs.define
class InvalidSettingError(UsageError):
    """A setting does not take this value."""

    key: str
    value: str
    expected: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.key} is {self.expected}, not {self.value!r}" + (f" ({self.place})" if self.place else "")

    @property
    def hint(self) -> str | None:
        return f"run 'imprint config set {self.key} VALUE', or 'imprint config unset {self.key}' for the default"


@attrs.define
class InvalidConfigFileError(UsageError):
    """The configuration file is not TOML in UTF-8, or cannot be read."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"the configuration file {self.path} cannot be read: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "mend it in an editor, or move it away to start with the defaults"


@attrs.define
class UnwritableConfigError(ImprintError):
    """The configuration file cannot be written."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"the configuration file {self.path} cannot be written: {self.reason}"

    @property
    def hint(self) -> str | None:
        return "check the folder's permissions, or name another file with --config"


@attrs.define
class NoHomeError(UsageError):
    """This user has no home folder, so nothing says where to keep things."""

    option: str

    def __str__(self) -> str:
        return "this user has no home folder to keep things in"

    @property
    def hint(self) -> str | None:
        return f"name a place with {self.option}"
