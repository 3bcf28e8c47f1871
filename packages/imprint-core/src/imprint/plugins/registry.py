"""The registry: plugins by group and name, loaded when chosen and not before."""

from collections.abc import Iterable
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from imprint.errors import (
    BrokenPluginError,
    DuplicatePluginError,
    PluginBlockedError,
    PluginInvalidError,
    PluginLoadError,
    UnknownPluginError,
)
from imprint.plugins.groups import GROUPS, find_group, short_name
from imprint.plugins.handles import PluginHandle, hold_to_specs
from imprint.plugins.references import (
    PluginReference,
    installed_references,
    scan_entry_points,
    shipped_reference,
)

if TYPE_CHECKING:
    from imprint.plugins.references import EntryPointScan

__all__ = ["PluginFailure", "PluginRegistry"]

PluginFailure: TypeAlias = BrokenPluginError | DuplicatePluginError
_Key: TypeAlias = tuple[str, str]


class PluginRegistry:
    """Every plugin of this environment. A plugin that fails is noted and leaves the others alone."""

    def __init__(self, blocked: Iterable[str] = (), entry_points: "EntryPointScan" = scan_entry_points) -> None:
        """Note what is blocked; look at nothing yet.

        Args:
            blocked: Names that are never loaded, ``NAME`` in every group or ``GROUP/NAME`` in one.
            entry_points: Asked at most once, and only when a name is none of the shipped ones or all are wanted.
        """
        self._blocked = frozenset(blocked)
        self._scan = entry_points
        self._scanned: list[PluginReference] | None = None
        self._loaded: dict[_Key, PluginHandle] = {}
        self._failures: dict[_Key, PluginFailure] = {}

    def load(self, group: str, name: str) -> PluginHandle:
        """Import a plugin, or give back the one imported before. A shipped name always means the shipped plugin.

        Raises:
            UnknownPluginGroupError: There is no such group.
            UnknownPluginError: Nobody brings a plugin of this name.
            PluginBlockedError: The settings forbid it.
            DuplicatePluginError: Several distributions bring it.
            PluginLoadError: Its module cannot be imported.
            PluginInvalidError: Its module does not fit the group.
        """
        group = find_group(group)
        if self.is_blocked(group, name):
            raise PluginBlockedError(group=group, name=name)
        handle = self._loaded.get((group, name))
        if handle is None:
            try:
                handle = self._load(self._choose(group, name))
            except (BrokenPluginError, DuplicatePluginError) as error:
                self._note(error)
                raise
            self._loaded[group, name] = handle
        return handle

    def references(self, group: str) -> list[PluginReference]:
        """Every plugin of a group, blocked and ambiguous ones too; imports none. Shipped first, then by name."""
        group = find_group(group)
        shipped = [reference for name in GROUPS[group] if (reference := shipped_reference(group, name))]
        known = {(reference.name, reference.module) for reference in shipped}
        others = [reference for reference in self._installed(group) if (reference.name, reference.module) not in known]
        return shipped + sorted(others, key=lambda reference: (reference.name, reference.distribution))

    def names(self, group: str) -> list[str]:
        """The names that `load` can be asked for."""
        group = find_group(group)
        names = dict.fromkeys(reference.name for reference in self.references(group))
        return [name for name in names if not self.is_blocked(group, name)]

    def handles(self, group: str) -> list[PluginHandle]:
        """Load every plugin of a group that is not blocked; what fails is left out and listed by `failures`."""
        group = find_group(group)
        handles = []
        for name in self.names(group):
            self._note_shadowed(group, name)
            try:
                handles.append(self.load(group, name))
            except (BrokenPluginError, DuplicatePluginError):
                continue
        return handles

    def failures(self) -> tuple[PluginFailure, ...]:
        """What went wrong with plugins so far: the last error of each."""
        return tuple(self._failures.values())

    def is_blocked(self, group: str, name: str) -> bool:
        """Whether the settings forbid to load it."""
        return not self._blocked.isdisjoint((name, f"{group}/{name}", f"{short_name(group)}/{name}"))

    def _choose(self, group: str, name: str) -> PluginReference:
        shipped = shipped_reference(group, name)
        if shipped is not None:
            return shipped
        found = [reference for reference in self._installed(group) if reference.name == name]
        if len(found) > 1:
            raise _duplicate(found)
        if found:
            return found[0]
        known = self.names(group)
        longer = [one for one in known if name and (one.startswith(f"{name}-") or one.endswith(f"-{name}"))]
        nearest = longer or get_close_matches(name, known, n=1)
        raise UnknownPluginError(group=group, name=name, known=tuple(known), nearest=nearest[0] if nearest else None)

    def _installed(self, group: str) -> list[PluginReference]:
        if self._scanned is None:
            self._scanned = installed_references(self._scan())
        return [reference for reference in self._scanned if reference.group == group]

    def _note_shadowed(self, group: str, name: str) -> None:
        found = [reference for reference in self.references(group) if reference.name == name]
        if len(found) > 1:
            self._note(_duplicate(found))

    def _load(self, reference: PluginReference) -> PluginHandle:
        origin = {
            "group": reference.group,
            "name": reference.name,
            "distribution": reference.distribution,
        }
        if ":" in reference.module:
            raise PluginInvalidError(
                **origin, version=reference.version, problem=f"{reference.module} is an object, not a module"
            )
        try:
            module = import_module(reference.module)
        except Exception as error:
            raise PluginLoadError(
                **origin,
                version=reference.version,
                module=reference.module,
                reason=f"{type(error).__name__}: {error}",
            ) from error
        return hold_to_specs(module, reference, self._note)

    def _note(self, error: PluginFailure) -> None:
        self._failures[error.group, error.name] = error


def _duplicate(references: list[PluginReference]) -> DuplicatePluginError:
    return DuplicatePluginError(
        group=references[0].group,
        name=references[0].name,
        distributions=tuple(reference.distribution for reference in references),
    )
