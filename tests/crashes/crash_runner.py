"""Runs steps of programs, each in a process of its own: ``crash_runner.py`` serves, ``crash_runner.py STEP`` runs one.

The server imports once what a step needs, and forks for each: a step costs its own work, not half a second of imports.
It never does anything itself, so that there is no thread and no open file that a fork could spoil. Steps that were
started run at once, until they are waited for.
"""

import errno
import faulthandler
import importlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from crash_programs import PROGRAMS
from crash_roles import ROLES
from crash_worlds import World

from imprint.failpoints import EVENT

FAILED = 70


def run(step: dict[str, Any]) -> None:
    """Run a step: ``program``, ``part``, ``place``, and what is to happen ``at`` which failpoint."""
    place = Path(step["place"])
    reached: Counter[str] = Counter()
    actions: dict[str, Callable[[], None]] = {}
    trigger, nth, action = step["at"] or ("", 0, "")

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event == EVENT:
            (name,) = arguments
            reached[name] += 1
            if name in actions:
                actions.pop(name)()
            if name == trigger and reached[name] == nth:
                _act(action, place)

    sys.addaudithook(watch)
    part = getattr({**PROGRAMS, **ROLES}[step["program"]], step["part"])
    part(World(place, step["name"], actions.__setitem__))
    (place / "reached.json").write_text(json.dumps(reached), "utf-8")


def _act(action: str, place: Path) -> None:
    if action == "kill":
        kill()
    elif action == "fail":
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    else:
        _hold(place / action)


def kill() -> None:
    """End at once: no handler, no destructor, no buffer."""
    if hasattr(signal, "SIGKILL"):
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(60)
    os._exit(137)


def _hold(mark: Path) -> None:
    """Say that the moment has come, and wait until somebody lets us go on."""
    mark.with_suffix(".reached").touch()
    until = time.monotonic() + 60
    while not mark.with_suffix(".go").exists() and time.monotonic() < until:
        time.sleep(0.002)


def _run_and_exit(step: dict[str, Any]) -> None:
    """Whatever happens, end here; what went wrong is left beside the data."""
    code = 0
    try:
        run(step)
    except BaseException:  # noqa: BLE001 - the top of a program
        code = FAILED
        Path(step["place"], "errors.txt").write_text(json.dumps(step) + "\n" + traceback.format_exc(), "utf-8")
    os._exit(code)


def _import_what_runs_need() -> None:
    """Let a child do everything once, and import what it came to have."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder).resolve()
            for part in ("set_up", "run"):
                getattr(PROGRAMS["ingest"], part)(World(place, "warm-up"))
        with os.fdopen(write, "w") as pipe:
            pipe.write("\n".join(sys.modules))
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        names = pipe.read().split()
    os.waitpid(child, 0)
    for name in names:
        try:
            importlib.import_module(name)
        except ImportError:
            continue


def serve() -> None:
    """Answer ``start`` with the process that runs a step, ``wait`` with how one ended."""
    _import_what_runs_need()
    for line in sys.stdin:
        request = json.loads(line)
        if "wait" in request:
            _, status = os.waitpid(request["wait"], 0)
            _answer(os.waitstatus_to_exitcode(status))
            continue
        child = os.fork()
        if not child:
            _run_and_exit(request["start"])
        _answer(child)


def _answer(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    faulthandler.enable()
    if len(sys.argv) > 1:
        _run_and_exit(json.loads(sys.argv[1]))
    serve()
