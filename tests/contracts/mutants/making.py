"""How a mutant is made: a sound plugin's module, with something else in one hook's place."""

from collections.abc import Callable
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from imprint.plugins import hookimpl

__all__ = ["replace_hooks", "wrap_resource"]


def replace_hooks(sound: ModuleType, **hooks: Callable[..., Any]) -> ModuleType:
    """Copy a plugin with other hooks; in an interpreter of its own the copy is the sound plugin."""
    mutant = ModuleType(sound.__name__)
    vars(mutant).update(vars(sound))
    vars(mutant).update({name: hookimpl(function) for name, function in hooks.items()})
    return mutant


def wrap_resource(sound: ModuleType, hook: str, wrap: Callable[[Any, Any], Any]) -> ModuleType:
    """Copy a plugin whose open hook gives ``wrap(settings, resource)``."""

    @contextmanager
    def open_wrapped(settings):
        arguments = {} if hook == "open_embedder" else {"settings": settings}
        with getattr(sound, hook)(**arguments) as resource:
            yield wrap(settings, resource)

    return replace_hooks(sound, **{hook: open_wrapped})
