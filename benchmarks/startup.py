"""What it costs to start: each command in fresh processes, in turns with a bare interpreter, as a multiple of its cost.

The search goes over a store of so many passages, with nothing warm but the operating system's own cache of files.
"""

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs

from devices import open_device
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind, WorkspaceName
from measure import emit

RUNS = 15
SEARCH = "cold imprint search"
SOURCES, PASSAGES_EACH, WORDS_EACH = 500, 25, 60


@attrs.frozen
class Cost:
    """What one run took, in seconds; the processor's share is the calmer figure on a busy machine."""

    wall: float
    cpu: float


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        places = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "IMPRINT_DATA_DIR": str(home / "data")}
        environ = {**os.environ, **places}
        passages = fill(home / "data")
        program = str(Path(sys.executable).with_name("imprint"))
        commands: dict[str, Sequence[str]] = {
            "bare interpreter": [sys.executable, "-c", "pass"],
            "imprint --version": [program, "--version"],
            "imprint --help": [program, "--help"],
            "imprint workspace which": [program, "workspace", "which"],
            SEARCH: [program, "search", "how are releases rolled out"],
        }
        costs = measure(commands, environ, home)
    wall = {name: median_wall(taken) for name, taken in costs.items()}
    cpu = {name: least_cpu(taken) for name, taken in costs.items()}
    bare = "bare interpreter"
    emit(bare, wall[bare] * 1000, "ms", cpu_ms=round(cpu[bare] * 1000, 1))
    for name, facts in (
        ("imprint --version", {"budget": 4}),
        ("imprint --help", {}),
        ("imprint workspace which", {"budget": 15}),
        (SEARCH, {"passages": passages}),
    ):
        emit(name, wall[name] / wall[bare], "x bare", cpu_ratio=round(cpu[name] / cpu[bare], 1), **facts)
    emit(SEARCH, wall[SEARCH] * 1000, "ms", cpu_ms=round(cpu[SEARCH] * 1000, 1), budget=350, passages=passages)


def fill(data: Path) -> int:
    """Make the store of the default workspace, through the real one; the number of passages."""
    choose = random.Random(7)
    words = ["".join(choose.choices("abcdefghijklmnopqrstuvwxyz", k=choose.randint(3, 9))) for _ in range(4_000)]
    with open_device(data) as device:
        device.fill(
            WorkspaceName("default"),
            ((source_of(number), chunks_of(number, choose, words)) for number in range(SOURCES)),
        )
    return SOURCES * PASSAGES_EACH


def source_of(number: int) -> Source:
    return Source(key=SourceKey(f"text:page-{number}"), kind=SourceKind.DOCUMENT, time="2026-01-01T00:00:00Z")


def chunks_of(number: int, choose: random.Random, words: Sequence[str]) -> list[Chunk]:
    texts = [" ".join(choose.choices(words, k=WORDS_EACH)) for _ in range(PASSAGES_EACH)]
    if number == SOURCES // 2:
        texts[0] = "Deployment: releases are rolled out by the blue-green switch of the load balancer."
    return [Chunk(text=text) for text in texts]


def measure(commands: Mapping[str, Sequence[str]], environ: Mapping[str, str], folder: Path) -> dict[str, list[Cost]]:
    """The cost of each command, taken in turns so that a busy moment hits all of them; the first turn only warms."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for turn in range(RUNS + 1):
        for name, command in commands.items():
            cost = run(command, environ, folder)
            if turn:
                costs[name].append(cost)
    return costs


def run(command: Sequence[str], environ: Mapping[str, str], folder: Path) -> Cost:
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, env=environ, cwd=folder, check=True, capture_output=True)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Cost(wall=wall, cpu=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def median_wall(costs: Sequence[Cost]) -> float:
    return statistics.median(cost.wall for cost in costs)


def least_cpu(costs: Sequence[Cost]) -> float:
    return min(cost.cpu for cost in costs)


if __name__ == "__main__":
    main()
