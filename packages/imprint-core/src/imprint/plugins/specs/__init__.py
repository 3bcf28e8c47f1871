"""The hookspecs, one module a group. A group's module, reference page and set of checks carry its name."""

from typing import Final

from pluggy import HookspecMarker

__all__ = ["hookspec"]

hookspec: Final = HookspecMarker("imprint")
