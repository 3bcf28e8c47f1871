"""Processes that run the steps of programs, as seen from the tests."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import attrs

__all__ = ["KILLED", "Processes", "Step", "failure_of"]

KILLED = (-9, 137)
"""How a killed process ends: by a signal, or where there are none with the code that a shell would show."""

_PROGRAM = [sys.executable, str(Path(__file__).with_name("crash_runner.py"))]


@attrs.define
class Step:
    """One step that was started; it is to be waited for."""

    _pid: int
    _processes: "Processes"
    _alone: "subprocess.Popen[str] | None" = None

    def kill(self) -> None:
        """Kill it, if it runs still."""
        if self._alone is not None:
            self._alone.kill()
        else:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    def wait(self) -> int:
        """Wait for its end and tell its exit code."""
        return self._alone.wait() if self._alone is not None else self._processes.ask({"wait": self._pid})


@attrs.define
class Processes:
    """Runs steps, each in a process of its own that can be killed; use it in a `with` statement."""

    _server: "subprocess.Popen[str] | None" = None

    def run(self, program: str, place: Path, *, part: str = "run", at: str = "", nth: int = 1, do: str = "kill") -> int:
        """Run a step to its end and tell the exit code; see `start`."""
        return self.start(program, place, part=part, at=at, nth=nth, do=do).wait()

    def start(
        self,
        program: str,
        place: Path,
        *,
        part: str = "run",
        at: str = "",
        nth: int = 1,
        do: str = "kill",
        name: str = "",
    ) -> Step:
        """Begin a step.

        Args:
            at: A failpoint.
            nth: The time of reaching it that counts.
            do: What happens there: ``kill``, ``fail`` (as on a full disk), or wait under this name.
            name: Tells processes that run the same program from each other.
        """
        step = {
            "program": program,
            "part": part,
            "place": str(place),
            "name": name,
            "at": [at, nth, do] if at else None,
        }
        if hasattr(os, "fork"):
            return Step(self.ask({"start": step}), self)
        alone = subprocess.Popen([*_PROGRAM, json.dumps(step)], text=True)
        return Step(alone.pid, self, alone)

    def ask(self, request: dict[str, object]) -> int:
        """Let the server do something and tell the number it answers."""
        if self._server is None:
            self._server = subprocess.Popen(_PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        return int(self._server.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.communicate()


def failure_of(place: Path) -> str:
    """What went wrong in the step that ended last with an error."""
    report = place / "errors.txt"
    return report.read_text("utf-8") if report.exists() else ""
