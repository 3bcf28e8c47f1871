"""The branches of the error tree: what kind of answer an error is."""

__all__ = [
    "BusyError",
    "ImprintError",
    "PluginError",
    "RefusedError",
    "SourceError",
    "StoreError",
    "UnknownNameError",
    "UsageError",
]


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
