"""What learning costs: beside parsing the same lines as JSON, in memory, and when nothing has changed."""

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from measure import best_of, emit, peak_megabytes

MEGABYTE = 1 << 20
RATE_BYTES = 48 * MEGABYTE
LARGE_BYTES = 400 * MEGABYTE
HISTORY_FILES = 2_000
HISTORY_BYTES = 1_000 * MEGABYTE
BUDGET_SECONDS = 1.0
BUDGET_MEGABYTES = 30.0
RUNS = 3


class Silent:
    def start(self, activity: str, total_bytes: int | None) -> None:
        pass

    def advance(self, count: int, bytes: int, current: str) -> None:
        pass

    def finish(self) -> None:
        pass


def main() -> None:
    measures = {"rate": measure_rate, "memory": measure_memory, "unchanged": measure_unchanged}
    for name in sys.argv[1:] or measures:
        with tempfile.TemporaryDirectory() as folder:
            measures[name](Path(folder).resolve())


def measure_rate(home: Path) -> None:
    """Processor seconds of learning, without embedding, as a multiple of `json.loads` of every line."""
    for client, write in (("claude-code", write_transcript), ("copilot-cli", write_copilot_transcript)):
        path = write(home / client, "session", RATE_BYTES)
        bare = min(_processor_seconds(partial(parse_all, path)) for _ in range(RUNS))
        begun = time.process_time()
        report = learn(home / client, client)
        seconds = time.process_time() - begun
        facts = {"MB": round(path.stat().st_size / 1e6), "MB_per_s": round(path.stat().st_size / 1e6 / seconds)}
        emit(f"learning from {client}", seconds / bare, "x json.loads", passages=report.chunks, **facts)


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


def write_transcript(home: Path, session: str, size: int) -> Path:
    """A session of the shape that real ones have: most of it is what tools printed, little was said."""
    return _write(home / ".claude" / "projects" / "-project" / f"{session}.jsonl", _lines(session, str(home)), size)


def write_copilot_transcript(home: Path, session: str, size: int) -> Path:
    """The same session, as Copilot CLI writes it."""
    path = home / ".copilot" / "session-state" / session / "events.jsonl"
    return _write(path, _copilot_lines(session, str(home)), size)


def _write(path: Path, lines: Iterator[bytes], size: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with path.open("wb") as file:
        for line in lines:
            written += file.write(line)
            if written >= size:
                return path
    raise AssertionError


def _copilot_lines(session: str, cwd: str) -> Iterator[bytes]:
    def event(number: int, kind: str, data: object) -> bytes:
        id = f"{session}-{number}-{kind}"
        return (
            json.dumps({"type": kind, "data": data, "id": id, "timestamp": "2026-03-01T10:00:00.000Z"}).encode() + b"\n"
        )

    yield event(0, "session.start", {"sessionId": session, "context": {"cwd": cwd}})
    for number, line in enumerate(_lines(session, cwd), start=1):
        said = json.loads(line)
        content = said["message"]["content"] if "message" in said else ""
        if said["type"] == "user" and isinstance(content, str):
            yield event(number, "user.message", {"content": content, "transformedContent": f"<now/>\n\n{content}"})
        elif said["type"] == "assistant":
            text = "".join(block.get("text", "") for block in content)
            yield event(number, "assistant.message", {"content": text, "toolRequests": [] if text else content})
        elif said["type"] == "user":
            yield event(number, "tool.execution_complete", {"result": {"content": content[0]["content"]}})
        else:
            yield event(number, "hook.end", {"output": said["attachment"]})


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
