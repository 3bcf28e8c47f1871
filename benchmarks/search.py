"""How long a search takes, in a process that keeps its store open and in one that begins with it.

Warm searches are measured in CPU time, each the best of three, beside the start of a bare interpreter: what else the
machine does counts for less then.

    python benchmarks/search.py [FOLDER …] [--chunks N] [--data FOLDER]

The chunks are those of the Python files below the folders (without any: the standard library and what is installed),
again with other names where there are too few. ``--data`` keeps what was built for the next run.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import random
import re
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice
from pathlib import Path, PurePosixPath
from statistics import quantiles
from tempfile import TemporaryDirectory

from described_functions import find_functions
from devices import Device, open_device
from imprint.domain.chunking import chunk_outline
from imprint.domain.outlines import Document
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind, WorkspaceName
from imprint.plugins.registry import PluginRegistry
from imprint.services.extraction import Extractors
from imprint.services.search import SearchRequest
from measure import bare_interpreter, best_of, emit

WORKSPACE = WorkspaceName("default")
QUERIES = 200
REPEATS = 3
SMALL = 1_000
COLD_RUNS = 5

Sources = list[tuple[Source, list[Chunk]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")]
    parser.add_argument("folders", nargs="*", type=Path, default=default)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--data", type=Path, help="keep what is built here")
    arguments = parser.parse_args()
    with TemporaryDirectory() as temporary:
        for chunks in (SMALL, arguments.chunks):
            folder = (arguments.data or Path(temporary)).resolve() / str(chunks)
            if not (folder / "complete").exists():
                build(folder, arguments.folders, chunks)
            measure_opening(folder, chunks)
            measure_warm(folder, chunks, arguments.folders)
            measure_cold(folder, chunks)


def measure_warm(folder: Path, chunks: int, folders: Sequence[Path]) -> None:
    chance = random.Random(5)
    sentences = [function.description for function in find_functions(folders[-1], "python", QUERIES)]
    words = [" ".join(chance.sample(content_words(sentence), chance.randint(2, 5))) for sentence in sentences]
    with open_device(folder) as device:
        for name, questions in (("2-5 words", words), ("sentence", sentences)):
            cpu, wall = time_searches(device, questions)
            python = bare_interpreter() * 1e3
            for share in (50, 95):
                emit(
                    f"search {chunks}: {name}, warm, p{share}",
                    percentile(cpu, share),
                    "ms CPU",
                    wall=round(percentile(wall, share), 1),
                    ratio=round(percentile(cpu, share) / python, 2) if python else None,
                    ratio_to="python",
                    queries=len(questions),
                )


def time_searches(device: Device, questions: Sequence[str]) -> tuple[list[float], list[float]]:
    """Milliseconds of CPU and of the clock, of each question."""
    device.search.run(SearchRequest(query="warm up", workspaces=(WORKSPACE,)))
    cpu = [float("inf")] * len(questions)
    wall = cpu.copy()
    for _ in range(REPEATS):
        for place, question in enumerate(questions):
            begun = time.process_time(), time.perf_counter()
            device.search.run(SearchRequest(query=question, workspaces=(WORKSPACE,)))
            cpu[place] = min(cpu[place], (time.process_time() - begun[0]) * 1e3)
            wall[place] = min(wall[place], (time.perf_counter() - begun[1]) * 1e3)
    return cpu, wall


def percentile(values: Sequence[float], share: int) -> float:
    return quantiles(values, n=100)[share - 1]


def measure_opening(folder: Path, chunks: int) -> None:
    """Opening the store must not depend on how much it holds."""
    with open_device(folder) as device:

        def open_store() -> None:
            with device.opener.open(WORKSPACE) as store:
                store.chunk_count()

        emit(f"store {chunks}: open", best_of(20, open_store) * 1e3, "ms")


def measure_cold(folder: Path, chunks: int) -> None:
    """The whole command, where the command line is installed."""
    if program := shutil.which("imprint"):
        command = [program, "--data-dir", str(folder), "search", "--workspace", WORKSPACE, "parse a configuration file"]
        if subprocess.run(command, capture_output=True, check=False).returncode:
            print(f"{program} cannot search yet", file=sys.stderr)
            return
        seconds = best_of(COLD_RUNS, lambda: subprocess.run(command, capture_output=True, check=True))
        python = best_of(COLD_RUNS, lambda: subprocess.run([sys.executable, "-c", ""], check=True))
        emit(
            f"search {chunks}: command, cold", seconds * 1e3, "ms", ratio=round(seconds / python, 1), ratio_to="python"
        )


def build(folder: Path, folders: Sequence[Path], chunks: int) -> None:
    start = time.perf_counter()
    with open_device(folder) as device:
        device.fill(WORKSPACE, take(varied(folders), chunks))
    (folder / "complete").touch()
    emit(f"store {chunks}: built", time.perf_counter() - start, "s")


def take(sources: Iterator[tuple[Source, list[Chunk]]], chunks: int) -> Sources:
    """Sources until there are so many chunks."""
    taken: Sources = []
    while chunks > 0:
        source, found = next(sources)
        taken.append((source, found[:chunks]))
        chunks -= len(found)
    return taken


def varied(folders: Sequence[Path]) -> Iterator[tuple[Source, list[Chunk]]]:
    """The files' chunks, over and over, each time with other names in them."""
    extractors = Extractors(PluginRegistry().handles("imprint.extractors"))
    paths = [path for folder in folders for path in sorted(folder.rglob("*.py")) if path.stat().st_size < 1_000_000]
    random.Random(3).shuffle(paths)
    for round_ in count():
        rename = renamer(round_)
        for path in paths:
            text = rename(path.read_text("utf-8", "replace"))
            document = Document(name=path.name, language="python", data=text.encode(), text=text)
            place = PurePosixPath("/", str(round_), *path.parts[-5:])
            source = Source(key=SourceKey(f"{place}"), kind=SourceKind.CODE, path=place, language="python")
            if found := chunk_outline(extractors.outline(document)):
                yield source, found


def renamer(round_: int) -> Callable[[str], str]:
    """From the second round on some words, always the same ones of a round, become others."""
    if not round_:
        return lambda text: text
    changed = random.Random(round_).sample("abcdefghijklmnopqrstuvwxyz", 5)
    pattern = re.compile(rf"\b[{''.join(changed)}][a-z]{{4,}}")
    return lambda text: pattern.sub(lambda word: f"{word[0]}{round_}", text)


def content_words(sentence: str) -> list[str]:
    words = [word for word in re.findall(r"[^\W\d_]+", sentence) if len(word) > 3]
    return list(islice((words or ["nothing"]) * 5, max(5, len(words))))


if __name__ == "__main__":
    main()
