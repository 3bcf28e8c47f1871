"""How a plugin says that a function implements a hook."""

from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

__all__ = ["hookimpl", "is_hookimpl"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

_MARK: Final = "imprint_hookimpl"


def hookimpl(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Mark a function of a plugin module as the implementation of the hook it is named after.

    The function names only those of the hook's arguments that it uses. Marking loads nothing: programs that must start
    fast import plugins without pluggy.

    .. versionadded:: 0.1
    """
    setattr(function, _MARK, True)
    return function


def is_hookimpl(candidate: object) -> bool:
    """Whether `hookimpl` marked it."""
    return getattr(candidate, _MARK, None) is True
