"""What learning costs: beside parsing the same lines as JSON, in memory, and when nothing has changed."""

import json
import os
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
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
    measures = {
        "rate": measure_rate,
        "database": measure_database,
        "document": measure_document,
        "memory": measure_memory,
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


def measure_database(home: Path) -> None:
    """The same of a session in the database of opencode, where each row's JSON is parsed."""
    path = write_database(home, RATE_BYTES)

    def parse_rows() -> None:
        with closing(sqlite3.connect(path)) as connection:
            for table in ("message", "part"):
                for (data,) in connection.execute(f"SELECT data FROM {table}"):
                    json.loads(data)

    _measure_other(home, "opencode", path, parse_rows)


def measure_document(home: Path) -> None:
    """The same of a session that Cline rewrites whole."""
    path = home / ".cline" / "data" / "sessions" / "session" / "session.messages.json"
    path.parent.mkdir(parents=True)
    messages = []
    for line in write_transcript(home, "session", RATE_BYTES).read_bytes().splitlines():
        value = json.loads(line)
        if "message" in value:
            blocks = value["message"]["content"]
            blocks = [{"type": "text", "text": blocks}] if isinstance(blocks, str) else blocks
            messages.append({"id": value["uuid"], "role": value["type"], "content": blocks, "ts": 1_796_000_000_000})
    path.write_text(json.dumps({"messages": messages}))
    _measure_other(home, "cline", path, lambda: json.loads(path.read_bytes()))


def _measure_other(home: Path, client: str, path: Path, parse: Callable[[], object]) -> None:
    bare = min(_processor_seconds(parse) for _ in range(RUNS))
    begun = time.process_time()
    report = learn(home, client)
    seconds = time.process_time() - begun
    assert report.sources.get("added") == 1, report
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


def write_database(home: Path, size: int) -> Path:
    """The same session as opencode keeps it: a row a message, and one for each of its parts."""
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE session (id TEXT PRIMARY KEY, parent_id, directory, title, time_created, time_updated);"
            "CREATE TABLE message (id TEXT PRIMARY KEY, session_id, time_created, time_updated, data);"
            "CREATE TABLE part (id TEXT PRIMARY KEY, message_id, session_id, data);"
            "CREATE INDEX parts ON part (message_id); CREATE INDEX messages ON message (session_id);"
        )
        connection.execute("INSERT INTO session VALUES ('session', NULL, ?, 'A talk', 1, 1)", (str(home),))
        written = 0
        for number, line in enumerate(_lines("session", str(home))):
            if written >= size:
                break
            value = json.loads(line)
            blocks = value.get("message", {}).get("content", [{"type": "tool", "output": str(value)}])
            blocks = [{"type": "text", "text": blocks}] if isinstance(blocks, str) else blocks
            role = "user" if isinstance(value.get("message", {}).get("content"), str) else "assistant"
            data = json.dumps({"role": role, "time": {"created": number, "completed": number}})
            connection.execute(
                "INSERT INTO message VALUES (?, 'session', ?, ?, ?)", (f"m{number}", number, number, data)
            )
            for place, block in enumerate(blocks):
                part = json.dumps(block)
                written += len(part)
                connection.execute(
                    "INSERT INTO part VALUES (?, ?, 'session', ?)", (f"p{number}-{place}", f"m{number}", part)
                )
        connection.commit()
    return path


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
