"""What learning costs: beside parsing the same lines as JSON, in memory, for one answer more, and for no change."""

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

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
        "memory": measure_memory,
        "grown": measure_grown,
        "unchanged": measure_unchanged,
    }
    for name in sys.argv[1:] or measures:
        with tempfile.TemporaryDirectory() as folder:
            measures[name](Path(folder).resolve())


def measure_rate(home: Path) -> None:
    """Processor seconds of learning, without embedding, as a multiple of `json.loads` of every line."""
    path = write_transcript(home, "session", RATE_BYTES)
    bare = min(_processor_seconds(lambda: parse_all(path)) for _ in range(RUNS))
    begun = time.process_time()
    report = learn(home)
    seconds = time.process_time() - begun
    facts = {"MB": round(path.stat().st_size / 1e6), "MB_per_s": round(path.stat().st_size / 1e6 / seconds)}
    emit("learning", seconds / bare, "x json.loads", passages=report.chunks, **facts)


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
    steps = islice(_lines("session", str(home)), written, None)

    def grow() -> None:
        with path.open("ab") as file:
            file.writelines(islice(steps, LINES_OF_A_STEP))
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


def learn(home: Path):
    from imprint.bootstrap import open_application
    from imprint.domain.settings import Layer, Origin

    no_embedder = Layer(origin=Origin.ARGUMENT, values={"embedder.plugin": ""}, place="the benchmark")
    environ = {**os.environ, "HOME": str(home), "USERPROFILE": str(home)}
    with open_application(environ=environ, data_dir=home / "data", arguments=[no_embedder]) as application:
        return application.learning.learn(application.workspaces.selected(), Silent(), clients=["claude-code"])


def write_transcript(home: Path, session: str, size: int) -> Path:
    """A session of the shape that real ones have: most of it is what tools printed, little was said."""
    folder = home / ".claude" / "projects" / "-project"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{session}.jsonl"
    written = 0
    with path.open("wb") as file:
        for line in _lines(session, str(home)):
            written += file.write(line)
            if written >= size:
                return path
    raise AssertionError


def _lines(session: str, cwd: str) -> Iterator[bytes]:
    output = "\n".join(f"src/module_{row}.py:{row}: def handle_{row}(request): ..." for row in range(120))
    number = 0
    while True:
        number += 1
        about = {"sessionId": session, "cwd": cwd, "timestamp": "2026-03-01T10:00:00.000Z", "isSidechain": False}
        question = f"Why does step {number} of the pipeline time out when the queue {number * 7} is empty?"
        answer = f"Step {number} waits for a message that never comes.\n\n" + "It should give up sooner. " * 20
        call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "grep -rn handle src"}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": output}
        for place, (kind, content, more) in enumerate(
            (
                ("user", question, {}),
                ("assistant", [call], {}),
                ("user", [result], {"toolUseResult": {"stdout": output}}),
                ("assistant", [{"type": "text", "text": answer}], {}),
            )
        ):
            message = {"role": kind, "content": content}
            id = f"{session}-{number}-{place}"
            yield json.dumps({**about, "type": kind, "uuid": id, "message": message, **more}).encode() + b"\n"
        yield (
            json.dumps({**about, "type": "attachment", "attachment": {"type": "file", "text": output}}).encode() + b"\n"
        )


def parse_all(path: Path) -> int:
    count = 0
    with path.open("rb") as file:
        for line in file:
            count += len(json.loads(line))
    return count


if __name__ == "__main__":
    main()
