"""What it costs to start: each command in fresh processes, in turns with a bare interpreter, as a multiple of its cost.

The search goes over a store of so many passages, with nothing warm but the operating system's own cache of files.
"""

import json
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

from measure import emit

RUNS = 15
SEARCH = "cold imprint search"
LEAST_PASSAGES = 10_000
PAGES, PARTS, WORDS = 500, 24, 60
DOCUMENT = "# Deployment\n\nReleases are rolled out by the blue-green switch of the load balancer.\n"


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
        program = str(Path(sys.executable).with_name("imprint"))
        passages = fill(program, environ, home)
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


def fill(program: str, environ: Mapping[str, str], home: Path) -> int:
    """Ingest many pages as a person would; the number of passages that came of them."""
    choose = random.Random(7)
    words = ["".join(choose.choices("abcdefghijklmnopqrstuvwxyz", k=choose.randint(3, 9))) for _ in range(4_000)]
    pages = home / "pages"
    pages.mkdir()
    for number in range(PAGES):
        parts = [f"## Part {part}\n\n{' '.join(choose.choices(words, k=WORDS))}\n" for part in range(PARTS)]
        (pages / f"{number}.md").write_text(f"# Page {number}\n\n" + "\n".join(parts))
    (pages / "deployment.md").write_text(DOCUMENT)
    told = {"env": environ, "cwd": home, "check": True, "capture_output": True}
    subprocess.run([program, "ingest", "pages"], **told)
    passages = json.loads(subprocess.run([program, "status", "--json"], **told).stdout)["vectors"]
    if passages < LEAST_PASSAGES:
        sys.exit(f"only {passages} passages have a vector")
    return passages


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
