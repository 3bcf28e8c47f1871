"""Runs that end too early: what was done is kept, and the next run goes on from there."""

import os
import signal
import subprocess
import sys
from typing import Any

import pytest

from imprint.domain.sources import WorkspaceName
from imprint.errors import StoreError
from imprint.services.indexing_reports import Outcome

DEFAULT = WorkspaceName("default")
FILES = {f"m{number:03}.py": f"def f{number}():\n    return {number}\n" * 40 for number in range(300)}

# Ends itself after so many files, as a user or the system would.
WORKER = """
import os, signal, sys
from pathlib import Path
from imprint.bootstrap import open_application
home, data, tree, how, after = sys.argv[1:]
class Ending:
    files = 0
    def start(self, activity, total_bytes): pass
    def advance(self, count, bytes, current):
        self.files += bool(bytes)
        if self.files == int(after):
            os.kill(os.getpid(), getattr(signal, how))
    def finish(self): pass
with open_application(environ={"HOME": home}, data_dir=Path(data)) as application:
    (report,) = application.ingest.ingest([Path(tree)], Ending())
    print(report.interrupted, report.sources["added"])
"""

Bench = Any
Steps = Any


def run_worker(bench: Bench, how: str, after: int) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", WORKER, str(bench.home), str(bench.data.path), str(bench.tree), how, str(after)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_ctrl_c_keeps_what_is_done_and_the_next_run_goes_on(bench: Bench, steps: Steps) -> None:
    bench.write(FILES)

    def interrupt(path: str) -> None:
        if path.endswith("m100.py"):
            signal.raise_signal(signal.SIGINT)

    steps.on_file = interrupt
    (first,) = bench.ingest.ingest([bench.tree], steps)
    stored = set(bench.stored())
    steps.on_file = lambda _: None
    steps.files.clear()
    (second,) = bench.ingest.ingest([bench.tree], steps)

    assert first.interrupted
    assert stored == {f"m{number:03}.py" for number in range(101)}
    assert first.sources[Outcome.ADDED] == 101
    assert not second.interrupted
    assert (second.sources[Outcome.UNCHANGED], second.sources[Outcome.ADDED]) == (101, 199)
    assert len(steps.files) == 199


def test_an_interrupted_run_removes_nothing_and_begins_no_other_workspace(bench: Bench, steps: Steps) -> None:
    bench.write({"one/a.py": "x = 1\n", "one/b.py": "x = 1\n", "two/c.py": "y = 1\n"})
    bench.workspaces.use(bench.tree / "two", "acme")
    bench.ingest.ingest([bench.tree / "one"], steps)
    (bench.tree / "one" / "b.py").unlink()
    bench.write({"one/a.py": "x = 2\n"})
    steps.on_file = lambda _: signal.raise_signal(signal.SIGINT)

    reports = bench.ingest.ingest([bench.tree / "one", bench.tree / "two"], steps)

    assert [(report.workspace, report.interrupted) for report in reports] == [(DEFAULT, True)]
    assert set(bench.stored()) == {"one/a.py", "one/b.py"}


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send to one process")
def test_a_process_that_gets_sigint_reports_what_it_did(bench: Bench) -> None:
    bench.write(FILES)

    done = run_worker(bench, "SIGINT", 150)

    assert (done.stdout, done.stderr) == ("True 150\n", "")
    assert len(bench.stored()) == 150


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_a_killed_process_leaves_whole_sources_and_no_lock(bench: Bench, steps: Steps) -> None:
    bench.write(FILES)

    done = run_worker(bench, "SIGKILL", 200)
    half = {name: bench.text(name) for name in bench.stored()}
    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert done.returncode == -signal.SIGKILL
    assert 100 < len(half) <= 200
    assert all(text == FILES[name].rstrip("\n") for name, text in half.items())
    assert report.sources[Outcome.UNCHANGED] == len(half)
    assert {name: bench.text(name) for name in bench.stored()} == {
        name: text.rstrip("\n") for name, text in FILES.items()
    }


@pytest.mark.skipif(sys.platform != "linux", reason="needs RLIMIT_FSIZE to act as a full disk")
def test_a_disk_that_fills_up_ends_the_run_and_keeps_what_was_committed(bench: Bench, steps: Steps) -> None:
    """A limit on the size of files stands for the disk: SQLite meets it at the same place."""
    import resource

    bench.write(FILES)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (700_000, before[1]))
    try:
        with pytest.raises(StoreError):
            bench.ingest.ingest([bench.tree], steps)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    kept = len(bench.stored())
    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert 0 < kept < len(FILES)
    assert report.sources[Outcome.UNCHANGED] == kept
    assert len(bench.stored()) == len(FILES)
