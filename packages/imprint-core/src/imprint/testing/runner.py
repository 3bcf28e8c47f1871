"""The checks without pytest: what `imprint plugins check GROUP/NAME` runs."""

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Final

import attrs

from imprint.errors import MissingExtraError
from imprint.plugins.groups import short_name
from imprint.plugins.handles import PluginHandle
from imprint.testing.conformance import Check, CheckFailedError

__all__ = ["CheckResult", "run_checks"]

_NEEDED: Final = frozenset({"hypothesis", "numpy"})


@attrs.frozen(kw_only=True)
class CheckResult:
    """What became of one check.

    Attributes:
        problem: What was found instead, empty where the check passed.
        hint: Where the fault most likely is.
    """

    name: str
    proves: str
    problem: str
    hint: str
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether the plugin keeps the promise."""
        return not self.problem


def run_checks(handle: PluginHandle, **options: object) -> Iterator[CheckResult]:
    """Run a plugin's checks one after the other; each result comes when its check is done.

    Args:
        handle: The plugin, as the registry gives it.
        options: What the group's checks take besides, for instance ``settings`` of an embedder.

    Raises:
        MissingExtraError: What the checks need is not installed.
    """
    checks = _load_checks(handle.reference.group)(handle.module, **options)
    return map(_run, checks)


def _load_checks(group: str) -> Callable[..., list[Check]]:
    name = short_name(group)
    try:
        module = import_module(f"imprint.testing.checks.{name}")
    except ModuleNotFoundError as error:
        if error.name in _NEEDED:
            raise MissingExtraError("testing", error.name) from error
        raise
    checks: Callable[..., list[Check]] = getattr(module, f"{name.removesuffix('s')}_checks")
    return checks


def _run(check: Check) -> CheckResult:
    start = time.perf_counter()
    problem = ""
    try:
        check()
    except CheckFailedError as error:
        problem = error.problem
    return CheckResult(
        name=check.name,
        proves=check.proves,
        problem=problem,
        hint=check.hint,
        seconds=time.perf_counter() - start,
    )
