"""What learning costs: beside parsing the same lines as JSON, in memory, for one answer more, and for no change."""

import json
import os
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

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
    for name in sys.argv[1:] or measures:
        with tempfile.TemporaryDirectory() as folder:
            measures[name](Path(folder).resolve())


def measure_rate(home: Path) -> None:
    """Processor seconds of learning, without embedding, as a multiple of `json.loads` of every line, of each client."""
    for client in TRANSCRIPTS:
        path = write_transcript(home, "session", RATE_BYTES, client=client)
        bare = min(_processor_seconds(partial(parse_all, path)) for _ in range(RUNS))
        begun = time.process_time()
        report = learn(home, client)
        seconds = time.process_time() - begun
        facts = {"MB": round(path.stat().st_size / 1e6), "MB_per_s": round(path.stat().st_size / 1e6 / seconds)}
        emit(f"learning, {client}", seconds / bare, "x json.loads", passages=report.chunks, **facts)


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


def measure_grown(home: Path) -> None:
    """A run that finds one question and its answer more in a conversation that is long already."""
    path = write_transcript(home, "session", RATE_BYTES)
    passages = learn(home).chunks
    with path.open("rb") as file:
        written = sum(1 for _ in file)
    steps = islice(_claude_code_lines("session", str(home)), written, None)

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


def write_transcript(home: Path, session: str, size: int, *, client: str = "claude-code") -> Path:
    """A session of the shape that real ones have: most of it is what tools printed, little was said."""
    place, lines = TRANSCRIPTS[client]
    path = home / place.format(session=session)
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with path.open("wb") as file:
        for value in lines(session, str(home)):
            written += file.write(json.dumps(value).encode() + b"\n")
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
        for number, value in enumerate(_claude_code_lines("session", str(home))):
            if written >= size:
                break
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


OUTPUT = "\n".join(f"src/module_{row}.py:{row}: def handle_{row}(request): ..." for row in range(120))
MOMENT = "2026-03-01T10:00:00.000Z"


def _exchanges() -> Iterator[tuple[int, str, str]]:
    """Questions and answers, numbered."""
    for number in count(1):
        question = f"Why does step {number} of the pipeline time out when the queue {number * 7} is empty?"
        yield (
            number,
            question,
            f"Step {number} waits for a message that never comes.\n\n" + "It should give up sooner. " * 20,
        )


def _claude_code_lines(session: str, cwd: str) -> Iterator[dict[str, Any]]:
    about = {"sessionId": session, "cwd": cwd, "timestamp": MOMENT, "isSidechain": False}
    for number, question, answer in _exchanges():
        call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "grep -rn handle src"}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": OUTPUT}
        for place, (kind, content, more) in enumerate(
            (
                ("user", question, {}),
                ("assistant", [call], {}),
                ("user", [result], {"toolUseResult": {"stdout": OUTPUT}}),
                ("assistant", [{"type": "text", "text": answer}], {}),
            )
        ):
            message = {"role": kind, "content": content}
            yield {**about, "type": kind, "uuid": f"{session}-{number}-{place}", "message": message, **more}
        yield {**about, "type": "attachment", "attachment": {"type": "file", "text": OUTPUT}}


def _copilot_cli_lines(session: str, cwd: str) -> Iterator[object]:
    def event(kind: str, data: object) -> object:
        return {"type": kind, "data": data, "id": f"{session}-{next(numbers)}", "timestamp": MOMENT}

    numbers = count()
    yield event("session.start", {"sessionId": session, "context": {"cwd": cwd}})
    for _, question, answer in _exchanges():
        yield event("user.message", {"content": question, "transformedContent": f"<now/>\n\n{question}"})
        yield event("assistant.message", {"content": "", "toolRequests": [{"name": "bash", "arguments": {}}]})
        yield event("tool.execution_complete", {"result": {"content": OUTPUT}})
        yield event("assistant.message", {"content": answer, "toolRequests": []})
        yield event("hook.end", {"output": {"type": "file", "text": OUTPUT}})


def _gemini_cli_lines(session: str, cwd: str) -> Iterator[object]:
    yield {"sessionId": session, "projectHash": "h", "startTime": MOMENT, "directories": [cwd]}
    for number, question, answer in _exchanges():
        result = {"functionResponse": {"name": "run_shell_command", "response": {"output": OUTPUT}}}
        call = {"id": f"t{number}", "name": "run_shell_command", "args": {"command": "grep -rn handle src"}}
        for place, (kind, content, more) in enumerate(
            (
                ("user", [{"text": question}], {}),
                ("gemini", "", {"toolCalls": [{**call, "result": [result], "resultDisplay": OUTPUT}]}),
                ("user", [result], {}),
                ("gemini", answer, {"thoughts": []}),
            )
        ):
            id = f"{session}-{number}-{place}"
            yield {"id": id, "timestamp": MOMENT, "type": kind, "content": content, **more}
            yield {"$set": {"lastUpdated": MOMENT}}


def _qwen_code_lines(session: str, cwd: str) -> Iterator[object]:
    about = {"sessionId": session, "cwd": cwd, "timestamp": MOMENT, "version": "0.24.4", "gitBranch": "main"}
    for number, question, answer in _exchanges():
        call = {"functionCall": {"id": f"t{number}", "name": "run_shell_command", "args": {"command": "grep"}}}
        result = {"functionResponse": {"id": f"t{number}", "name": "run_shell_command", "response": {"output": OUTPUT}}}
        for place, (kind, part, more) in enumerate(
            (
                ("user", {"text": question}, {"provenance": "real_user"}),
                ("assistant", call, {}),
                ("tool_result", result, {"toolCallResult": {"resultDisplay": OUTPUT}}),
                ("assistant", {"text": answer}, {}),
            )
        ):
            message = {"role": "user", "parts": [part]}
            yield {**about, "type": kind, "uuid": f"{session}-{number}-{place}", "message": message, **more}
        yield {**about, "type": "system", "subtype": "ui_telemetry", "systemPayload": {"uiEvent": {"text": answer}}}


TRANSCRIPTS: dict[str, tuple[str, Callable[[str, str], Iterator[object]]]] = {
    "claude-code": (".claude/projects/-project/{session}.jsonl", _claude_code_lines),
    "copilot-cli": (".copilot/session-state/{session}/events.jsonl", _copilot_cli_lines),
    "gemini-cli": (".gemini/tmp/project/chats/{session}.jsonl", _gemini_cli_lines),
    "qwen-code": (".qwen/projects/-project/chats/{session}.jsonl", _qwen_code_lines),
}
"""By client, where a transcript lies and what is on its lines."""


def parse_all(path: Path) -> int:
    members = 0
    with path.open("rb") as file:
        for line in file:
            members += len(json.loads(line))
    return members


if __name__ == "__main__":
    main()
