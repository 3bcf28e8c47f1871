"""Which plugins there are: shipped ones from our table, others from entry points. None is imported here."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

import attrs

from imprint.plugins.groups import GROUPS, shipped_distribution

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

    EntryPointScan: TypeAlias = Callable[[], Iterable[EntryPoint]]

__all__ = ["EntryPointScan", "PluginReference", "installed_references", "scan_entry_points", "shipped_reference"]


@attrs.frozen(kw_only=True)
class PluginReference:
    """A plugin by name, and where it is from; it may not be loadable.

    Attributes:
        group: The entry-point group (``imprint.embedders``).
        module: Importable name of the plugin's module.
    """

    group: str
    name: str
    module: str
    distribution: str
    _metadata: "Distribution | None" = attrs.field(default=None, eq=False, repr=False)

    @property
    def version(self) -> str:
        """The distribution's version, empty where it is unknown; reads metadata, so ask only to show it."""
        from importlib import metadata

        if self._metadata is not None:
            return self._metadata.version
        if not self.distribution:
            return ""
        try:
            return metadata.version(self.distribution)
        except metadata.PackageNotFoundError:
            return ""


def shipped_reference(group: str, name: str) -> PluginReference | None:
    """The shipped plugin of this name, found without reading any metadata."""
    module = GROUPS[group].get(name)
    if module is None:
        return None
    return PluginReference(group=group, name=name, module=module, distribution=shipped_distribution(module))


def installed_references(entry_points: "Iterable[EntryPoint]") -> list[PluginReference]:
    """The plugins that entry points name, in their order."""
    return [
        PluginReference(
            group=point.group,
            name=point.name,
            module=point.value,
            distribution=point.dist.name if point.dist else "",
            metadata=point.dist,
        )
        for point in entry_points
    ]


def scan_entry_points() -> "Iterable[EntryPoint]":
    """Read the entry points of our groups; some 25 ms, most of it the import of `importlib.metadata`."""
    from importlib.metadata import entry_points

    found = entry_points()
    return [point for group in GROUPS for point in found.select(group=group)]
