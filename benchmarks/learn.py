"""What learning costs: beside parsing the same lines as JSON, in memory, for one answer more, and for no change."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

from client_histories import DATABASES, DOCUMENTS, TRANSCRIPTS, claude_code_lines, write_transcript
from measure import best_of, emit, peak_megabytes

MEGABYTE = 1 << 20
RATE_BYTES = 48 * MEGABYTE
LARGE_BYTES = 400 * MEGABYTE
HISTORY_FILES = 2_000
HISTORY_BYTES = 1_000 * MEGABYTE
BUDGET_SECONDS = 1.0
BUDGET_MEGABYTES = 30.0
LINES_OF_A_STEP = 5
RUNS = 3


class Silent:
    def start(self, activity: str, total_bytes: int | None) -> None:
        pass

    def advance(self, count: int, bytes: int, current: str) -> None:
        pass

    def finish(self) -> None:
        pass


def main() -> None:
    measures = {
        "rate": measure_rate,
        "database": measure_database,
        "document": measure_document,
        "memory": measure_memory,
        "grown": measure_grown,
        "unchanged": measure_unchanged,
    }
    names = sys.argv[1:] or list(measures)
    if len(names) > 1:  # each in a process of its own: the most memory that one had is never less later
        for name in names:
            subprocess.run([sys.executable, __file__, name], check=True)
        return
    with tempfile.TemporaryDirectory() as folder:  # what is loaded once is not what learning costs
        write_transcript(Path(folder).resolve(), "warm", 1)
        learn(Path(folder).resolve())
    with tempfile.TemporaryDirectory() as folder:
        measures[names[0]](Path(folder).resolve())


def measure_rate(home: Path) -> None:
    """Processor seconds of learning, without embedding, as a multiple of `json.loads` of every line, of each client."""
    for client in TRANSCRIPTS:
        path = write_transcript(home / client, "session", RATE_BYTES, client=client)
        _measure_rate(home / client, client, path, partial(parse_all, path), of="lines")


def measure_database(home: Path) -> None:
    """The same of a session in a database, where each row's JSON is parsed."""
    for client, (write, queries) in DATABASES.items():
        path = write(home / client, RATE_BYTES)

        def parse_rows(path: Path = path, queries: Sequence[str] = queries) -> None:
            with closing(sqlite3.connect(path)) as connection:
                for query in queries:
                    for (data,) in connection.execute(query):
                        json.loads(data)

        _measure_rate(home / client, client, path, parse_rows, of="a database")


def measure_document(home: Path) -> None:
    """The same of a session that is rewritten whole."""
    for client, write in DOCUMENTS.items():
        path = write(home / client, RATE_BYTES)
        _measure_rate(home / client, client, path, lambda path=path: json.loads(path.read_bytes()), of="a document")


def _measure_rate(home: Path, client: str, path: Path, parse: Callable[[], object], *, of: str) -> None:
    bare = min(_processor_seconds(parse) for _ in range(RUNS))
    begun = time.process_time()
    report = learn(home, client)
    seconds = time.process_time() - begun
    assert report.sources.get("added") == 1, report
    facts = {"MB": round(path.stat().st_size / 1e6), "MB_per_s": round(path.stat().st_size / 1e6 / seconds)}
    emit(f"learning from {of}, {client}", seconds / bare, "x json.loads", passages=report.chunks, **facts)


def measure_memory(home: Path) -> None:
    """The most memory that learning a large transcript adds to learning a small one."""
    write_transcript(home, "small", MEGABYTE)
    learn(home)
    before = peak_megabytes()
    path = write_transcript(home, "large", LARGE_BYTES)
    report = learn(home)
    emit(
        "memory for a large transcript",
        peak_megabytes() - before,
        "MB",
        budget=BUDGET_MEGABYTES,
        MB=round(path.stat().st_size / 1e6),
        passages=report.chunks,
    )


def measure_grown(home: Path) -> None:
    """A run that finds one question and its answer more in a conversation that is long already."""
    path = write_transcript(home, "session", RATE_BYTES)
    passages = learn(home).chunks
    with path.open("rb") as file:
        written = sum(1 for _ in file)
    steps = islice(claude_code_lines("session", str(home)), written, None)

    def grow() -> None:
        with path.open("ab") as file:
            file.writelines(json.dumps(value).encode() + b"\n" for value in islice(steps, LINES_OF_A_STEP))
        assert learn(home).chunks > 0

    seconds = min(_processor_seconds(grow) for _ in range(RUNS))
    emit("a conversation that grew", seconds, "s", passages=passages)


def measure_unchanged(home: Path) -> None:
    """A whole run of the program's service over a history that was learned before."""
    template = write_transcript(home, "template", HISTORY_BYTES // HISTORY_FILES).read_bytes()
    for number in range(HISTORY_FILES):
        path = home / ".claude" / "projects" / f"-project-{number % 40}" / f"session-{number}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(template.replace(b"template", b"session-%d" % number))
    size = sum(path.stat().st_size for path in (home / ".claude").rglob("*.jsonl"))
    learn(home)

    def again() -> None:
        report = learn(home)
        assert report.sources == {"unchanged": HISTORY_FILES + 1}, report

    before = resource.getrusage(resource.RUSAGE_SELF)
    seconds = best_of(RUNS, again)
    after = resource.getrusage(resource.RUSAGE_SELF)
    processor = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / RUNS
    facts = {"files": HISTORY_FILES + 1, "MB": round(size / 1e6), "processor_s": round(processor, 3)}
    emit("an unchanged history", seconds, "s", budget=BUDGET_SECONDS, **facts)


def _processor_seconds(function: Callable[[], object]) -> float:
    begun = time.process_time()
    function()
    return time.process_time() - begun


def learn(home: Path, client: str = "claude-code"):
    from imprint.bootstrap import open_application
    from imprint.domain.settings import Layer, Origin

    no_embedder = Layer(origin=Origin.ARGUMENT, values={"embedder.plugin": ""}, place="the benchmark")
    environ = {**os.environ, "HOME": str(home), "USERPROFILE": str(home)}
    with open_application(environ=environ, data_dir=home / "data", arguments=[no_embedder]) as application:
        return application.learning.learn(application.workspaces.selected(), Silent(), clients=[client])


def parse_all(path: Path) -> int:
    members = 0
    with path.open("rb") as file:
        for line in file:
            members += len(json.loads(line))
    return members


if __name__ == "__main__":
    main()
