"""Crowds: writers, readers, indexers, purges and servers on one device at once, some of which may be killed."""

import random
import shutil
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import attrs
from crash_invariants import find_faults, find_leftovers, find_residue
from crash_observations import observe
from crash_processes import KILLED, Processes, Step, failure_of
from crash_roles import ROLES, let_end, set_stage
from crash_servers import McpServer
from crash_worlds import Silence, World, write_lines

__all__ = ["CROWD", "Outcome", "gather"]

CROWD = ("writer", "writer", "editor", "refresher", "purger", "reader", "founder")


@attrs.define
class Outcome:
    """What a crowd did.

    Attributes:
        acknowledged: How many things were told done.
        answers: What servers answered.
        kills: How many of its members were killed.
    """

    acknowledged: int = 0
    answers: int = 0
    kills: int = 0


def gather(
    processes: Processes, place: Path, *, kills: int, seconds: float = 0, servers: int = 1, seed: int = 0
) -> Outcome:
    """Let a crowd loose on a new device until so many of it were killed, and look at what it left.

    Args:
        kills: Each who is killed is followed by another.
        seconds: At least.

    Raises:
        AssertionError: An invariant does not hold, or a member failed.
    """
    shutil.rmtree(place, ignore_errors=True)
    world = World(place)
    world.home.mkdir(parents=True)
    set_stage(world)
    draw = random.Random(seed)
    outcome = Outcome()
    members = {f"{role}-{number}": _start(processes, place, role, number) for number, role in enumerate(CROWD)}
    begun = time.monotonic()
    try:
        with ExitStack() as stack:
            talkers = [stack.enter_context(McpServer(world)) for _ in range(servers)]
            while outcome.kills < kills or time.monotonic() < begun + seconds:
                outcome.answers += sum(_talk(world, talker, number) for number, talker in enumerate(talkers))
                time.sleep(draw.uniform(0, 0.3))
                victim = draw.choice([*sorted(members), *range(len(talkers))])
                outcome.kills += 1
                if isinstance(victim, int):
                    talkers[victim].kill()
                    talkers[victim] = stack.enter_context(McpServer(world))
                else:
                    members[victim].kill()
                    _settle(members.pop(victim), victim, place)
                    role, number = victim.rpartition("-")[0], draw.randrange(10**9)
                    members[f"{role}-{number}"] = _start(processes, place, role, number)
    finally:
        let_end(world)
        codes = {name: step.wait() for name, step in members.items()}
    failed = {name: code for name, code in codes.items() if code}
    assert not failed, f"{failed}: {failure_of(place)}"
    _check(world)
    outcome.acknowledged = sum("acknowledge" in line for line in world.ledger.path.read_text("utf-8").splitlines())
    return outcome


def _start(processes: Processes, place: Path, role: str, number: int) -> Step:
    assert role in ROLES
    return processes.start(role, place, name=f"{role}-{number}")


def _settle(step: Step, name: str, place: Path) -> None:
    code = step.wait()
    assert code in (0, *KILLED), f"{name} failed: {failure_of(place)}"


def _talk(world: World, server: McpServer, number: int) -> int:
    """Ask a server something, and have it remember something."""
    name = f"told-{number}-{time.time_ns()}"
    world.ledger.intend(f"memory default {name}", "v1")
    remembered = server.call("remember", content=write_lines("default", name, 1, 1))
    if remembered is not None:
        world.ledger.acknowledge(f"memory default {name}", "v1")
    found = server.call("search", query="harbour pier")
    return (remembered is not None) + (found is not None)


def _check(world: World) -> None:
    """What must hold once everybody has ended, and after one more run to the end."""
    faults = find_faults(world)
    with world.open() as application:
        application.refresh.refresh_all(Silence())
    purged = [name for name, count in Counter(_purged(world)).items() if count]
    faults += [*find_faults(world), *find_leftovers(world), *find_residue(world, *purged)]
    assert not faults, "; ".join(faults)


def _purged(world: World) -> list[str]:
    """The beginnings of texts whose purge was told done."""
    observed = observe(world)
    allowed = world.ledger.allowed()
    targets = [thing.removeprefix("exclusion default ") for thing in observed if thing.startswith("exclusion default ")]
    told = [target for target in targets if allowed.get(f"source default {target}") == {None}]
    return [f"<default secret/{Path(target).name} v1" for target in told]
