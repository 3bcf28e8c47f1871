"""What a group's hookspecs ask of a plugin: which functions, and what they give back."""

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from types import ModuleType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import attrs

from imprint.plugins.groups import spec_module

__all__ = ["Hook", "group_hooks"]

_UNIONS: Final = (Union, UnionType)


@attrs.frozen(kw_only=True)
class Hook:
    """A hook's promise, read from the annotations of its hookspec.

    Attributes:
        returns: A result is an instance of one of these.
        resource: What the returned context manager must give on entering it: the names of a protocol's members, none
            where the hook opens nothing.
        items: What the returned iterator gives, each an instance of one of these; none where it returns no iterator.
    """

    returns: tuple[type, ...]
    resource: frozenset[str] = frozenset()
    items: tuple[type, ...] = ()

    def accepts(self, result: object) -> bool:
        """Whether a hook may give this back."""
        return isinstance(result, self.returns)

    @property
    def expected(self) -> str:
        """The types of a result, as a message names them."""
        return " or ".join("None" if kind is type(None) else kind.__name__ for kind in self.returns)


@cache
def group_hooks(group: str) -> Mapping[str, Hook]:
    """The hooks of a group by name; a plugin of the group implements each of them."""
    specs = import_module(spec_module(group))
    return {name: _read_hook(specs, name) for name in specs.__all__}


def _read_hook(specs: ModuleType, name: str) -> Hook:
    annotation = get_type_hints(getattr(specs, name))["return"]
    returns = _classes(annotation)
    if returns == (Iterator,):
        return Hook(returns=returns, items=_classes(get_args(annotation)[0]))
    if returns != (AbstractContextManager,):
        return Hook(returns=returns)
    protocol = get_args(annotation)[0]
    members = {member for kind in protocol.__mro__ for member in vars(kind) if not member.startswith("_")}
    return Hook(returns=returns, resource=frozenset(members))


def _classes(annotation: Any) -> tuple[type, ...]:
    alternatives = get_args(annotation) if get_origin(annotation) in _UNIONS else (annotation,)
    return tuple(get_origin(alternative) or alternative for alternative in alternatives)
