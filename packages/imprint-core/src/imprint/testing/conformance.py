"""What a conformance check is.

A check is a function whose docstring says what it proves, and what to look at if it fails. A set of checks is made for
one plugin, and each of them is called without arguments, by pytest or by `imprint.testing.runner`::

    @pytest.mark.parametrize("check", embedder_checks(plugin), ids=str)
    def test_plugin_keeps_the_contract(check):
        check()
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar

import attrs

__all__ = ["Check", "CheckFailedError", "UnexpectedPassError", "ensure", "make_checks"]

_Subject = TypeVar("_Subject")
_HINT = "If this fails, "


class CheckFailedError(AssertionError):
    """A plugin does not do what its group asks for.

    Attributes:
        problem: What was found instead, without the check's own words.
    """

    def __init__(self, problem: str, explanation: str = "") -> None:
        """Say what was found; the explanation follows it in the message."""
        super().__init__("\n".join(filter(None, (problem, explanation))))
        self.problem = problem


class UnexpectedPassError(AssertionError):
    """A check that was declared to fail passes: the declaration is out of date."""


@attrs.frozen(kw_only=True)
class Check:
    """One promise of a group, to be proved for one plugin.

    Attributes:
        name: The promise in a few words; stable, tests name it in ``expected_failures``.
        proves: The promise in full.
        hint: Where the fault most likely is ("look at …").
        expected_failure: Why this plugin is known to break the promise, empty where it is not.
    """

    name: str
    proves: str
    hint: str
    expected_failure: str = ""
    _prove: Callable[[], None] = attrs.field(repr=False, eq=False)

    def __str__(self) -> str:
        return f"{self.name} (expected to fail)" if self.expected_failure else self.name

    def __call__(self) -> None:
        """Prove the promise.

        Raises:
            CheckFailedError: It does not hold, and no failure was expected.
            UnexpectedPassError: It holds, and a failure was expected.
        """
        if not self.expected_failure:
            self._attempt()
            return
        try:
            self._attempt()
        except CheckFailedError:
            return
        raise UnexpectedPassError(f"{self.name} passes; take it out of the expected failures: {self.expected_failure}")

    def _attempt(self) -> None:
        try:
            self._prove()
        except Exception as error:
            problem = error.problem if isinstance(error, CheckFailedError) else f"{type(error).__name__}: {error}"
            raise CheckFailedError(problem, f"{self.proves}\n{_HINT}{self.hint}") from error


def ensure(holds: object, problem: str) -> None:
    """Fail the running check unless something holds.

    Raises:
        CheckFailedError: It does not.
    """
    if not holds:
        raise CheckFailedError(problem)


def make_checks(
    promises: Iterable[Callable[[_Subject], None]], subject: _Subject, expected_failures: Mapping[str, str]
) -> list[Check]:
    """Make the checks of one plugin.

    Args:
        promises: Functions that are named after what they prove, with a docstring that ends in the hint.
        subject: The plugin, and all that the functions need to know of it.
        expected_failures: Names of checks, with the reason why each is known to fail.

    Raises:
        ValueError: An expected failure names none of the checks.
    """
    checks = [_make_check(promise, subject, expected_failures) for promise in promises]
    unknown = expected_failures.keys() - {check.name for check in checks}
    if unknown:
        raise ValueError(f"no check is named {', '.join(sorted(unknown))}")
    return checks


def _make_check(promise: Callable[[_Subject], None], subject: _Subject, expected_failures: Mapping[str, str]) -> Check:
    name = promise.__name__.replace("_", "-")
    proves, marker, hint = (inspect.getdoc(promise) or "").partition(_HINT)
    if not marker:
        raise ValueError(f"the docstring of {name} does not say where to look")
    return Check(
        name=name,
        proves=proves.strip(),
        hint=" ".join(hint.split()),
        expected_failure=expected_failures.get(name, ""),
        prove=partial(promise, subject),
    )
