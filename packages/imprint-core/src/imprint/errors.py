"""The whole error tree.

Every error of Imprint is an `ImprintError`. Its branches say what kind of answer it is, and each front end maps
branches, never leaves, to its own signal (the command line to an exit code):

* `UsageError`: the caller's words are wrong (a name, a path, a setting, a query).
* `UnknownNameError`: well formed, but nothing has this name.
* `RefusedError`: possible, but policy says no (outside roots, overlap, not approved, excluded).
* `BusyError`: somebody else is at it; try again.
* `StoreError`: a database or index is damaged, newer than this program, or cannot be written.
* `PluginError`: a plugin is missing, failed to load, or broke its contract.
* `SourceError`: one file, conversation or page cannot be read; a run lists it and goes on.

Facts are fields, the sentence is `str(error)`, and `hint` says what to do next where something can be done.
"""

import attrs


class ImprintError(Exception):
    """Whatever Imprint itself raises."""

    @property
    def hint(self) -> str | None:
        """What to do next, as one sentence fragment; `None` where nothing can be done."""
        return None


class UsageError(ImprintError):
    """The caller's words are wrong; nothing was changed."""


class UnknownNameError(ImprintError):
    """Nothing has this name."""


class RefusedError(ImprintError):
    """Policy refuses the request; nothing was changed."""


class BusyError(ImprintError):
    """Another process is at it."""


class StoreError(ImprintError):
    """A database or index is damaged, newer than this program, or cannot be written."""


class PluginError(ImprintError):
    """A plugin is missing, failed to load, or broke its contract."""


class SourceError(ImprintError):
    """One source cannot be read; a run lists it and goes on."""


@attrs.define
class UnknownWorkspaceError(UnknownNameError):
    """No workspace of this device has this name."""

    name: str
    known: tuple[str, ...]
    nearest: str | None = None

    def __str__(self) -> str:
        return f"no workspace is named {self.name!r}; known: {', '.join(self.known)}"

    @property
    def hint(self) -> str | None:
        return f"did you mean {self.nearest!r}?" if self.nearest else "run 'imprint workspace create NAME' to make one"


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
