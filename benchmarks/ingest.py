"""How fast a real tree becomes searchable: the standard library and three large packages, each in a fresh process.

``text`` is the pass that reads, outlines and stores; the rest of ``whole`` is embedding. The machine's speed at one
thing that needs no code of ours (SHA-256) stands beside the figures, so that runs can be compared; on a machine that
does other things too, the processor seconds of all processes say more than the wall clock.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does before anything else

import argparse
import hashlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

from measure import best_of, emit, peak_megabytes

PACKAGES = ("mypy", "numpy", "hypothesis", "pydantic", "rich", "mcp")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "site-packages", "test", "*.so", "*.pyd", "*.a")
BUDGET = 3.0


class Watch:
    """Progress that remembers when each stage began and when the first text could be found."""

    def __init__(self) -> None:
        self.begun = time.perf_counter()
        self.stages: dict[str, float] = {}
        self.processor: dict[str, tuple[float, float]] = {}
        self.bytes = 0

    def start(self, activity: str, total_bytes: int | None) -> None:
        self.stages[activity] = time.perf_counter() - self.begun
        self.processor[activity] = processor_seconds()
        if activity == "index" and total_bytes:
            self.bytes = total_bytes

    def advance(self, count: int, bytes: int, current: str) -> None:
        pass

    def finish(self) -> None:
        self.stages["done"] = time.perf_counter() - self.begun
        self.processor["done"] = processor_seconds()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, help="index this folder instead")
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        measure(arguments.tree, arguments.run)
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = arguments.tree or make_tree(Path(folder, "tree"))
        command = [sys.executable, __file__, "--tree", str(tree), "--run", str(Path(folder, "data"))]
        subprocess.run(command, check=True)


def make_tree(tree: Path) -> Path:
    """Copy sources as they are installed: real code, real documents, real sizes."""
    shutil.copytree(sysconfig.get_path("stdlib"), tree / "stdlib", ignore=LEFT_OUT, ignore_dangling_symlinks=True)
    for package in PACKAGES:
        source = Path(sysconfig.get_path("purelib"), package)
        if source.is_dir():
            shutil.copytree(source, tree / package, ignore=LEFT_OUT)
    return tree


def measure(tree: Path, data: Path) -> None:
    from imprint.bootstrap import open_application

    watch = Watch()
    with open_application(environ={**os.environ, "HOME": str(data)}, data_dir=data) as application:
        (report,) = application.ingest.ingest([tree], watch)
    megabytes = watch.bytes / 1e6
    text = watch.stages.get("embed", watch.stages["done"]) - watch.stages["index"]
    block = bytes(8_000_000)
    facts = {
        "megabytes": round(megabytes, 1),
        "files": int(sum(report.sources.values())),
        "chunks": report.chunks,
        "processors": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "sha256_megabytes_a_second": round(8 / best_of(5, lambda: hashlib.sha256(block).digest())),
    }
    emit("ingest, text", megabytes / text, "MB/s", **facts)
    emit("ingest, whole", megabytes / watch.stages["done"], "MB/s", budget=BUDGET, **facts)
    emit("ingest, text searchable after", watch.stages["index"] + text, "s", whole=round(watch.stages["done"], 1))
    main_seconds, worker_seconds = watch.processor["done"]
    text_seconds = sum(watch.processor.get("embed", watch.processor["done"]))
    emit(
        "ingest, all processes",
        main_seconds + worker_seconds,
        "CPU s",
        megabytes_a_second=round(megabytes / (main_seconds + worker_seconds), 2),
        text=round(text_seconds, 1),
        main_process=round(main_seconds, 1),
        peak_megabytes=round(peak_megabytes()),
    )


def processor_seconds() -> tuple[float, float]:
    """Of this process, and of those it began that have ended."""
    times = os.times()
    return times.user + times.system, times.children_user + times.children_system


if __name__ == "__main__":
    main()
