"""A loaded plugin: its module held to its group's hookspecs, its failures turned into typed errors."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType, TracebackType
from typing import Any, TypeVar

import attrs
import pluggy

from imprint.errors import ImprintError, PluginCallError, PluginInvalidError
from imprint.plugins.groups import spec_module
from imprint.plugins.hooks import Hook, group_hooks
from imprint.plugins.markers import is_hookimpl
from imprint.plugins.references import PluginReference

__all__ = ["PluginHandle", "hold_to_specs"]

_T = TypeVar("_T")


@attrs.frozen(kw_only=True)
class PluginHandle:
    """A plugin that fits its group. Made by `hold_to_specs`.

    Attributes:
        reference: Which plugin this is.
        module: The plugin itself.
    """

    reference: PluginReference
    module: ModuleType
    _hooks: pluggy.HookRelay = attrs.field(repr=False)
    _on_failure: Callable[[PluginCallError], None] = attrs.field(repr=False)

    def call(self, hook: str, **arguments: object) -> Any:
        """Call a hook and check what it gives back; a context manager on entering it, an iterator at each step too.

        Raises:
            PluginCallError: The plugin raised an error that is none of ours, or gave back something of another type.
            ImprintError: Whatever typed error the plugin raised itself.
        """
        spec = group_hooks(self.reference.group)[hook]
        result = self.guard(hook, lambda: getattr(self._hooks, hook)(**arguments))
        if not spec.accepts(result):
            raise self._failure(hook, f"it returned {result!r:.80}, not {spec.expected}")
        if spec.items:
            return self._steps(hook, spec, result)
        return _Opening(self, hook, spec, result) if spec.resource else result

    def _steps(self, hook: str, spec: Hook, iterator: Iterator[Any]) -> Iterator[Any]:
        end = object()
        while (item := self.guard(hook, lambda: next(iterator, end))) is not end:
            if not isinstance(item, spec.items):
                raise self._failure(hook, f"it gave {item!r:.80}")
            yield item

    def guard(self, hook: str, step: Callable[[], _T]) -> _T:
        """Take a step of the plugin's own code, for instance a call of what a hook opened.

        Raises:
            PluginCallError: The plugin raised an error that is none of ours.
            ImprintError: Whatever typed error the plugin raised itself.
        """
        try:
            return step()
        except ImprintError:
            raise
        except Exception as error:
            raise self._failure(hook, f"{type(error).__name__}: {error}") from error

    def _failure(self, hook: str, reason: str) -> PluginCallError:
        error = PluginCallError(**_origin(self.reference), hook=hook, reason=reason)
        self._on_failure(error)
        return error


def hold_to_specs(
    module: ModuleType,
    reference: PluginReference,
    on_failure: Callable[[PluginCallError], None] = lambda _: None,
) -> PluginHandle:
    """Check a module against its group's hookspecs.

    Args:
        module: The plugin.
        reference: Where it is from; errors name it.
        on_failure: Told of every failed call, besides the error that is raised.

    Raises:
        PluginInvalidError: A hook is missing, unknown, or asks for an argument that its hookspec does not have.
    """
    problem = _find_problem(module, reference.group)
    if problem is not None:
        raise PluginInvalidError(**_origin(reference), problem=problem)
    manager = _SpecManager("imprint")
    manager.add_hookspecs(import_module(spec_module(reference.group)))
    try:
        manager.register(module, reference.name)
    except pluggy.PluginValidationError as error:
        raise PluginInvalidError(**_origin(reference), problem=str(error).rpartition("\n")[2]) from error
    return PluginHandle(reference=reference, module=module, hooks=manager.hook, on_failure=on_failure)


def _find_problem(module: ModuleType, group: str) -> str | None:
    known = group_hooks(group)
    implemented = {name for name, member in vars(module).items() if is_hookimpl(member)}
    for name in sorted(implemented - known.keys()):
        nearest = get_close_matches(name, known, n=1)
        return f"there is no hook {name!r}" + (f"; did you mean {nearest[0]!r}?" if nearest else "")
    for name in known:
        if name not in implemented:
            return (
                f"{name!r} is not marked with @hookimpl" if hasattr(module, name) else f"the hook {name!r} is missing"
            )
    return None


def _origin(reference: PluginReference) -> dict[str, str]:
    return {
        "group": reference.group,
        "name": reference.name,
        "distribution": reference.distribution,
        "version": reference.version,
    }


class _SpecManager(pluggy.PluginManager):
    """Finds our own marker, which plugins can use without loading pluggy."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        candidate = inspect.getattr_static(plugin, name, None)
        if not (inspect.isroutine(candidate) and is_hookimpl(candidate)):
            return None
        return {
            "wrapper": False,
            "hookwrapper": False,
            "optionalhook": False,
            "tryfirst": False,
            "trylast": False,
            "specname": None,
        }


@attrs.frozen
class _Opening(AbstractContextManager[Any]):
    """A plugin's context manager, checked while it is entered; what it gives is handed on as it is."""

    _handle: PluginHandle
    _hook: str
    _spec: Hook
    _manager: AbstractContextManager[Any]

    def __enter__(self) -> Any:
        resource = self._handle.guard(self._hook, self._manager.__enter__)
        missing = sorted(name for name in self._spec.resource if not hasattr(resource, name))
        if missing:
            self._manager.__exit__(None, None, None)
            raise self._handle._failure(self._hook, f"what it opened lacks {', '.join(missing)}")
        return resource

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        return self._handle.guard(self._hook, lambda: self._manager.__exit__(kind, error, traceback))
