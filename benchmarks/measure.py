"""What every benchmark uses: the best of several runs, a measure of the machine, and one line of JSON a figure."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

__all__ = ["bare_interpreter", "best_of", "emit", "peak_megabytes"]

# What is installed has its bytecode beside it. Of a checkout it is written by the first start, unless this forbids it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def emit(figure: str, value: float, unit: str, **facts: object) -> None:
    """Print a figure; ``ratio_to`` and other facts go beside it."""
    print(json.dumps({"figure": figure, "value": float(f"{value:.4g}"), "unit": unit, **facts}), flush=True)


def best_of(runs: int, function: Callable[[], object]) -> float:
    """The seconds of the fastest of several runs: the others were disturbed."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        function()
        best = min(best, time.perf_counter() - start)
    return best


def bare_interpreter() -> float:
    """Seconds of CPU that starting one takes here and now, the best of ten; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0.0
    best = float("inf")
    for _ in range(10):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", ""], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def peak_megabytes() -> float:
    """The most memory that this process has had in RAM; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
