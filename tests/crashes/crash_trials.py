"""Trials: a program is killed somewhere, what it left is looked at, and it is run again to its end."""

import json
import os
import random
import shutil
import time
from pathlib import Path

import attrs
from crash_invariants import find_faults, find_leftovers, find_residue
from crash_observations import observe
from crash_processes import Processes, failure_of
from crash_programs import PROGRAMS
from crash_worlds import World

__all__ = ["Reference", "Trials"]


@attrs.frozen
class Reference:
    """A program that nobody disturbed.

    Attributes:
        reached: How often it came to each failpoint.
        observed: What was on the device at its end.
        seconds: How long it took.
    """

    reached: dict[str, int]
    observed: dict[str, str]
    seconds: float


@attrs.define
class Trials:
    """Runs trials of programs in a folder. Each begins with the same device, in the same place."""

    _processes: Processes
    _folder: Path
    _references: dict[str, Reference] = attrs.field(factory=dict)

    def reference(self, program: str) -> Reference:
        """Set a program up and run it whole, the first time it is asked for.

        Raises:
            AssertionError: Even so something is wrong.
        """
        if program not in self._references:
            place = self._place(program)
            shutil.rmtree(place.parent, ignore_errors=True)
            place.mkdir(parents=True)
            self._finish(program, "set_up")
            shutil.copytree(place, self._image(program))
            begun = time.monotonic()
            self._finish(program, "run")
            seconds = time.monotonic() - begun
            reached = json.loads((place / "reached.json").read_text("utf-8"))
            self._references[program] = Reference(reached, observe(World(place)), seconds)
            self._check(program, "undisturbed")
        return self._references[program]

    def disturb_at(self, program: str, failpoint: str, nth: int, action: str) -> int:
        """Let something happen to a program at a failpoint, look, and let it finish.

        Returns:
            The exit code it ended with.

        Raises:
            AssertionError: An invariant does not hold.
        """
        self._begin(program)
        code = self._processes.run(program, self._place(program), at=failpoint, nth=nth, do=action)
        self._recover(program, f"{action} at {failpoint} ({nth})")
        return code

    def kill_after(self, program: str, seconds: float) -> int:
        """Kill a program some time after its start, look, and let it finish; otherwise like `disturb_at`."""
        self._begin(program)
        step = self._processes.start(program, self._place(program))
        time.sleep(seconds)
        step.kill()
        code = step.wait()
        self._recover(program, f"kill after {seconds:.4f} s")
        return code

    def kill_at_random(self, draw: random.Random, programs: tuple[str, ...] = tuple(PROGRAMS)) -> int:
        """Kill one of the programs at some moment of its run; otherwise like `kill_after`."""
        program = draw.choice(programs)
        return self.kill_after(program, draw.uniform(0, 1.2 * self.reference(program).seconds))

    def _begin(self, program: str) -> None:
        self.reference(program)
        shutil.rmtree(self._place(program))
        shutil.copytree(self._image(program), self._place(program))

    def _recover(self, program: str, what: str) -> None:
        faults = find_faults(World(self._place(program)))
        assert not faults, f"{program}, {what}: " + "; ".join(faults)
        _let_an_hour_pass(self._place(program))
        self._finish(program, "run")
        self._check(program, what)

    def _finish(self, program: str, part: str) -> None:
        code = self._processes.run(program, self._place(program), part=part)
        assert code == 0, f"{program} does not end well: {code} {failure_of(self._place(program))}"

    def _check(self, program: str, what: str) -> None:
        """What must hold after a program ran to its end."""
        world = World(self._place(program))
        forgotten = getattr(PROGRAMS[program], "forgotten", ())
        faults = [*find_faults(world), *find_leftovers(world), *find_residue(world, *forgotten)]
        expected, observed = self._references[program].observed, observe(world)
        faults += [
            f"{thing} is {observed.get(thing)!r} in the end, and not {expected.get(thing)!r}"
            for thing in sorted({*observed, *expected})
            if observed.get(thing) != expected.get(thing)
        ]
        assert not faults, f"{program}, after {what} and a run to the end: " + "; ".join(faults)

    def _place(self, program: str) -> Path:
        return self._folder / program / "place"

    def _image(self, program: str) -> Path:
        return self._folder / program / "image"


def _let_an_hour_pass(place: Path) -> None:
    """Make temporary files look as old as they are when the next one comes along."""
    hour_ago = time.time() - 3600
    for path in place.rglob("*.tmp"):
        os.utime(path, (hour_ago, hour_ago))
