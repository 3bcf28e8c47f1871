"""What it costs to start: each command's wall time in fresh processes, as a multiple of a bare interpreter's."""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from measure import emit

RUNS = 11
DOCUMENT = "Deployment\n\nReleases are rolled out by the blue-green switch of the load balancer.\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        environ = {**os.environ, "HOME": str(home), "IMPRINT_DATA_DIR": str(home / "data")}
        project = home / "project"
        project.mkdir()
        (project / "deployment.txt").write_text(DOCUMENT)
        program = shutil.which("imprint") or sys.exit("imprint is not installed in this environment")
        subprocess.run([program, "ingest", str(project)], env=environ, cwd=project, check=True, capture_output=True)
        commands: dict[str, Sequence[str]] = {
            "bare": [sys.executable, "-c", "pass"],
            "version": [program, "--version"],
            "which": [program, "workspace", "which"],
            "search": [program, "search", "how are releases rolled out"],
        }
        seconds = measure(commands, environ, project)
    bare = statistics.median(seconds["bare"])
    emit("bare interpreter", bare * 1000, "ms")
    for name, budget in (("version", 4), ("which", 15)):
        median = statistics.median(seconds[name])
        emit(f"imprint {name}", median / bare, "x bare", budget=budget, ms=round(median * 1000, 1))
    emit("cold imprint search", statistics.median(seconds["search"]) * 1000, "ms", budget=350)


def measure(commands: Mapping[str, Sequence[str]], environ: Mapping[str, str], folder: Path) -> dict[str, list[float]]:
    """Wall seconds of each command, taken in turns so that a busy moment hits all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for run in range(RUNS + 1):
        for name, command in commands.items():
            begin = time.perf_counter()
            subprocess.run(command, env=environ, cwd=folder, check=True, capture_output=True)
            if run:
                seconds[name].append(time.perf_counter() - begin)
    return seconds


if __name__ == "__main__":
    main()
