"""Processes that help: the same results, in order; what one breaks over harms nobody else; none is left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from imprint.adapters.worker_processes import WorkerProcesses
from imprint.protocols.files import FoundFile
from imprint.services.file_preparation import PreparationRequest, PreparedSource
from imprint.services.indexing_reports import Outcome
from imprint.services.parallel_preparation import ParallelPreparation

ECHO = """
import os, time
from imprint.adapters.worker_processes import serve_tasks
def prepare(setup):
    def handle(task):
        print("noise on stdout", flush=True)
        if task == "end":
            os._exit(3)
        if task == "sleep":
            time.sleep(60)
        return setup, task, os.getpid()
    return handle
serve_tasks(prepare)
"""
PREPARE = "from imprint.bootstrap import serve_preparation; serve_preparation()"
# Stands for an extractor that crashes the interpreter over one file, as parsers in C can.
CRASHING = """
import os
from imprint.services.file_preparation import FilePreparation
whole = FilePreparation._prepare
def prepare(self, request, projects):
    if request.path.name == "m13.py":
        os._exit(139)
    return whole(self, request, projects)
FilePreparation._prepare = prepare
from imprint.bootstrap import serve_preparation
serve_preparation()
"""
FILES = {f"m{number}.py": f"def f{number}():\n    return {number}\n" * 400 for number in range(80)}

Bench = Any
Steps = Any


def test_results_come_in_the_order_of_the_tasks_from_several_processes() -> None:
    results = list(WorkerProcesses(count=2, program=ECHO, setup="s").map(range(40)))

    assert [(setup, task) for setup, task, _ in results] == [("s", task) for task in range(40)]
    assert {pid for _, _, pid in results}.isdisjoint({os.getpid()})
    assert len({pid for _, _, pid in results}) == 2


def test_a_task_that_ends_its_process_gives_none_and_the_others_go_on() -> None:
    results = list(WorkerProcesses(count=2, program=ECHO, setup=0).map([1, "end", 2, "end", 3, 4]))

    assert [result and result[1] for result in results] == [1, None, 2, None, 3, 4]


def test_an_iterator_that_is_closed_ends_busy_processes_at_once() -> None:
    begun = time.monotonic()
    results = WorkerProcesses(count=2, program=ECHO, setup=0).map([1, *["sleep"] * 20])

    _, _, pid = next(results)
    results.close()  # type: ignore[attr-defined]

    assert time.monotonic() - begun < 30
    assert not is_running(pid)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_no_process_outlives_the_one_that_began_it() -> None:
    program = f"""
import os, signal
from imprint.adapters.worker_processes import WorkerProcesses
for _, _, pid in WorkerProcesses(count=1, program={ECHO!r}, setup=0).map(range(9)):
    print(pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    deadline = time.monotonic() + 20
    while is_running(int(done.stdout)) and time.monotonic() < deadline:
        time.sleep(0.02)

    assert done.returncode == -signal.SIGKILL
    assert not is_running(int(done.stdout))


def test_a_stranger_s_module_in_the_current_directory_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit('taken over')")
    (tmp_path / "imprint").mkdir()
    monkeypatch.chdir(tmp_path)

    ((_, task, _),) = WorkerProcesses(count=1, program=ECHO, setup=0).map(["safe"])

    assert task == "safe"


def in_parallel(bench: Bench, program: str, max_file_bytes: int = 100_000) -> ParallelPreparation:
    workers = WorkerProcesses(count=2, program=program, setup=((), (), max_file_bytes))
    return ParallelPreparation(alone=bench.ingest.indexing.preparation, workers=workers, worth_starting_bytes=1)


def requests(bench: Bench) -> list[PreparationRequest]:
    root = bench.canonical()
    return [
        PreparationRequest(found=found, path=type(root)(found.path), known=None, root=root)
        for found in bench.files.scan(root)
        if isinstance(found, FoundFile)
    ]


def test_files_are_prepared_alike_by_one_process_and_by_several(bench: Bench) -> None:
    bench.write({"pyproject.toml": '[project]\nname = "acme"\n', "blob": b"\0", **FILES})
    wanted = requests(bench)

    alone = list(bench.ingest.indexing.preparation.prepare_all(wanted))
    shared = list(in_parallel(bench, PREPARE).prepare_all(wanted))

    assert shared == alone
    assert sum(isinstance(result, PreparedSource) for result in shared) == len(FILES) + 1


def test_a_file_that_crashes_its_process_is_listed_and_all_others_are_indexed(
    make_bench: Callable[[], Bench], steps: Steps
) -> None:
    import attrs

    bench = make_bench()
    bench.write(FILES)
    indexing = attrs.evolve(bench.ingest.indexing, preparation=in_parallel(bench, CRASHING))

    (report,) = attrs.evolve(bench.ingest, indexing=indexing).ingest([bench.tree], steps)

    assert [Path(failure.source).name for failure in report.failures] == ["m13.py"]
    assert report.sources[Outcome.ADDED] == len(FILES) - 1
    assert set(bench.stored()) == set(FILES) - {"m13.py"}


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A zombie that nobody waits for has ended.
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
