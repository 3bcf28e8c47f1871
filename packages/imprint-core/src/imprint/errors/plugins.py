"""Errors of plugins, and of the models and extras they need."""

import attrs

from imprint.errors.branches import PluginError, RefusedError, UnknownNameError, UsageError

__all__ = [
    "BrokenPluginError",
    "DuplicatePluginError",
    "InvalidVectorsError",
    "MissingExtraError",
    "ModelUnavailableError",
    "PluginBlockedError",
    "PluginCallError",
    "PluginInvalidError",
    "PluginLoadError",
    "UnknownPluginError",
    "UnknownPluginGroupError",
]


@attrs.define
class UnknownPluginGroupError(UnknownNameError):
    """There is no such group of plugins."""

    group: str
    known: tuple[str, ...]
    nearest: str | None = None

    def __str__(self) -> str:
        return f"there are no plugins of the group {self.group!r}; groups: {', '.join(self.known)}"

    @property
    def hint(self) -> str | None:
        return f"did you mean {self.nearest!r}?" if self.nearest else None


@attrs.define
class UnknownPluginError(UnknownNameError):
    """No installed distribution has a plugin of this name in the group."""

    group: str
    name: str
    known: tuple[str, ...]
    nearest: str | None = None

    def __str__(self) -> str:
        return f"there is no plugin {_plugin_name(self.group, self.name)}; known: {', '.join(self.known)}"

    @property
    def hint(self) -> str | None:
        return f"did you mean {self.nearest!r}?" if self.nearest else "install the distribution that brings it"


@attrs.define
class PluginBlockedError(RefusedError):
    """The settings forbid to load this plugin."""

    group: str
    name: str

    def __str__(self) -> str:
        return f"the plugin {_plugin_name(self.group, self.name)} is blocked"

    @property
    def hint(self) -> str | None:
        return "take it out of 'plugins.blocked' or IMPRINT_PLUGINS_BLOCK"


@attrs.define
class DuplicatePluginError(PluginError):
    """Several distributions bring a plugin of one name, so the name says nothing."""

    group: str
    name: str
    distributions: tuple[str, ...]

    def __str__(self) -> str:
        name = _plugin_name(self.group, self.name)
        return f"several distributions bring the plugin {name}: {', '.join(self.distributions)}"

    @property
    def hint(self) -> str | None:
        return "uninstall all but one of them"


@attrs.define(kw_only=True)
class BrokenPluginError(PluginError):
    """A plugin is at fault; the leaves say in what way.

    Attributes:
        version: Of the distribution; empty where its metadata cannot be read.
    """

    group: str
    name: str
    distribution: str
    version: str

    @property
    def plugin(self) -> str:
        """The plugin and where it is from, as people write it."""
        return f"{_plugin_name(self.group, self.name)} ({' '.join(filter(None, (self.distribution, self.version)))})"


@attrs.define(kw_only=True)
class PluginLoadError(BrokenPluginError):
    """A plugin's module cannot be imported."""

    module: str
    reason: str

    def __str__(self) -> str:
        return f"the plugin {self.plugin} cannot be loaded from {self.module}: {self.reason}"

    @property
    def hint(self) -> str | None:
        return f"reinstall {self.distribution} with what it needs, or block the plugin with IMPRINT_PLUGINS_BLOCK"


@attrs.define(kw_only=True)
class PluginInvalidError(BrokenPluginError):
    """A plugin's module does not have the hooks that its group asks for."""

    problem: str

    def __str__(self) -> str:
        return f"the plugin {self.plugin} does not fit its group: {self.problem}"

    @property
    def hint(self) -> str | None:
        return f"look for a release of {self.distribution} made for this version of Imprint"


@attrs.define(kw_only=True)
class PluginCallError(BrokenPluginError):
    """A hook of a plugin raised what it must not, or gave back what it must not."""

    hook: str
    reason: str

    def __str__(self) -> str:
        return f"the plugin {self.plugin} failed in {self.hook}: {self.reason}"

    @property
    def hint(self) -> str | None:
        return f"run 'imprint plugins check {_plugin_name(self.group, self.name)}' and tell its authors"


@attrs.define
class InvalidVectorsError(PluginError):
    """An embedder gave vectors that cannot be stored; none of them was."""

    model: str
    reason: str

    def __str__(self) -> str:
        return f"the vectors of the model {self.model!r} were not stored: {self.reason}"


@attrs.define
class ModelUnavailableError(PluginError):
    """The embedder cannot load the model it was asked for."""

    model: str
    reason: str
    remedy: str = attrs.field(kw_only=True)

    def __str__(self) -> str:
        return f"the embedding model {self.model!r} cannot be loaded: {self.reason}"

    @property
    def hint(self) -> str | None:
        return self.remedy


@attrs.define
class MissingExtraError(UsageError):
    """A command needs packages that come with an optional extra."""

    extra: str
    missing: str

    def __str__(self) -> str:
        return f"this needs the package {self.missing}, which is not installed"

    @property
    def hint(self) -> str | None:
        return f"run 'pip install imprint-core[{self.extra}]'"


def _plugin_name(group: str, name: str) -> str:
    return f"{group.removeprefix('imprint.')}/{name}"
