"""Being killed, or failing, at any moment that the program names."""

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

from imprint.failpoints import EVENT

__all__ = ["at_failpoints", "reached_by", "run_killed"]


@attrs.define
class Failpoints:
    """What this process does at failpoints; an audit hook is there for good, so it asks here each time."""

    reached: Counter[str] = attrs.field(factory=Counter)
    act: Callable[[str, int], None] | None = None


_FAILPOINTS = Failpoints()


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event == EVENT and _FAILPOINTS.act is not None:
        name = str(arguments[0])
        _FAILPOINTS.reached[name] += 1
        _FAILPOINTS.act(name, _FAILPOINTS.reached[name])


sys.addaudithook(_watch)


@contextmanager
def at_failpoints(act: Callable[[str, int], None]) -> Iterator[Counter[str]]:
    """Call this with the name of each failpoint that is reached and how often it was; what was reached."""
    _FAILPOINTS.reached = Counter()
    _FAILPOINTS.act = act
    try:
        yield _FAILPOINTS.reached
    finally:
        _FAILPOINTS.act = None


def run_killed(do: Callable[[], object], name: str, nth: int) -> bool:
    """Do something in a process of its own that is killed at a failpoint; whether it came to that.

    Nothing may be open that a fork would share.
    """

    def kill(reached: str, times: int) -> None:
        if (reached, times) == (name, nth):
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if not child:
        try:
            with at_failpoints(kill):
                do()
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, -signal.SIGKILL), "it failed by itself"
    return code != 0


def reached_by(do: Callable[[], object]) -> list[tuple[str, int]]:
    """Every failpoint that something reaches, with the times of reaching it that are worth a kill."""
    with at_failpoints(lambda *_: None) as reached:
        do()
    return [
        (name, nth)
        for name, times in sorted(reached.items())
        for nth in sorted({1, 2, times} & set(range(1, times + 1)))
    ]
