"""What every set of checks has in common: the plugin under test, and how it describes itself."""

import sys
from types import ModuleType
from typing import Protocol

from imprint.plugins.groups import find_group
from imprint.plugins.handles import PluginHandle, hold_to_specs
from imprint.plugins.references import PluginReference
from imprint.testing.conformance import ensure
from imprint.testing.probes import find_loaded_packages

__all__ = ["ensure_description_is_light", "ensure_description_reads_well", "hold"]

_ALLOWED = sys.stdlib_module_names | {"imprint", "attr", "attrs"}


class _Info(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def summary(self) -> str: ...


def hold(plugin: ModuleType, group: str) -> PluginHandle:
    """Hold a module to its group's hookspecs, as the registry does.

    Raises:
        PluginInvalidError: It does not fit; there is nothing to check.
    """
    name = plugin.__name__
    return hold_to_specs(
        plugin, PluginReference(group=find_group(group), name=name, module=name, distribution="under test")
    )


def ensure_description_reads_well(info: _Info) -> None:
    """The name is one word, the summary one line."""
    ensure(info.name and not any(letter.isspace() or letter == "/" for letter in info.name), f"name {info.name!r}")
    ensure(info.summary.strip() == info.summary and info.summary, f"summary {info.summary!r}")
    ensure(info.summary.isprintable(), f"the summary is not one line: {info.summary!r}")


def ensure_description_is_light(handle: PluginHandle, hook: str) -> None:
    """Importing the plugin and describing it loads nothing but the standard library and the plugin's own package."""
    module = handle.module.__name__
    strangers = [
        package
        for package in find_loaded_packages(module, hook)
        if package not in _ALLOWED | {module.partition(".")[0]}
    ]
    ensure(not strangers, f"describing it imports {', '.join(strangers)}")
