"""Conversations as clients keep them, of the shape that real ones have: most of it is what tools printed or wrote."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

__all__ = ["DATABASES", "DOCUMENTS", "TRANSCRIPTS", "claude_code_lines", "write_transcript"]


def write_transcript(home: Path, session: str, size: int, *, client: str = "claude-code") -> Path:
    """A session of a client that appends a line for each event."""
    place, lines = TRANSCRIPTS[client]
    path = home / place.format(session=session, slug=re.sub("[^A-Za-z0-9]+", "-", str(home)).strip("-"))
    path.parent.mkdir(parents=True, exist_ok=True)
    for window in WINDOWS.get(client, ()):
        (home / window).mkdir(parents=True, exist_ok=True)
        (home / window / "workspace.json").write_text(json.dumps({"folder": home.as_uri()}))
    written = 0
    with path.open("wb") as file:
        for value in lines(session, str(home)):
            written += file.write(json.dumps(value).encode() + b"\n")
            if written >= size:
                return path
    raise AssertionError


def _write_opencode(home: Path, size: int) -> Path:
    """A row a message, and one for each of its parts."""
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
        for number, value in enumerate(claude_code_lines("session", str(home))):
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


def _write_cursor(home: Path, size: int) -> Path:
    """A row a chat, and one for each bubble, in which a tool has what it printed."""
    user = home / ".config" / "Cursor" / "User"
    path = user / "globalStorage" / "state.vscdb"
    path.parent.mkdir(parents=True)
    (home / ".cursor").mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
        headers, written = [], 0
        for number, question, answer in _exchanges():
            if written >= size:
                break
            ran = {"name": "run_terminal_cmd", "params": "{}", "result": json.dumps({"output": OUTPUT})}
            for place, (kind, text, more) in enumerate(
                ((1, question, {}), (2, "", {"toolFormerData": ran}), (2, answer, {"codeBlocks": [OUTPUT]}))
            ):
                id = f"{number}-{place}"
                bubble = json.dumps({"type": kind, "bubbleId": id, "text": text, "createdAt": MOMENT, **more})
                headers.append({"bubbleId": id, "type": kind})
                written += len(bubble)
                connection.execute(
                    "INSERT INTO cursorDiskKV VALUES (?, ?)", (f"bubbleId:session:{id}", bubble.encode())
                )
        chat = json.dumps({"name": "A talk", "lastUpdatedAt": 1, "fullConversationHeadersOnly": headers})
        connection.execute("INSERT INTO cursorDiskKV VALUES ('composerData:session', ?)", (chat.encode(),))
        connection.commit()
    return path


def _write_cline(home: Path, size: int) -> Path:
    path = home / ".cline" / "data" / "sessions" / "session" / "session.messages.json"
    messages: list[object] = []
    written = 0
    for value in claude_code_lines("session", str(home)):
        if written >= size:
            break
        if "message" in value:
            blocks = value["message"]["content"]
            blocks = [{"type": "text", "text": blocks}] if isinstance(blocks, str) else blocks
            messages.append({"id": value["uuid"], "role": value["type"], "content": blocks, "ts": 1_796_000_000_000})
            written += len(json.dumps(messages[-1]))
    return _write_document(path, {"messages": messages})


def _write_continue(home: Path, size: int) -> Path:
    path = home / ".continue" / "sessions" / "session.json"
    history: list[object] = []
    written = 0
    for number, question, answer in _exchanges():
        if written >= size:
            break
        call = {"id": f"t{number}", "function": {"name": "Bash", "arguments": '{"command": "grep -rn handle src"}'}}
        shown = [{"name": "Output", "description": "", "content": OUTPUT}]
        for message, more in (
            ({"role": "user", "content": question}, {}),
            ({"role": "assistant", "content": "", "toolCalls": [call]}, {"toolCallStates": [{"output": shown}]}),
            ({"role": "assistant", "content": answer}, {}),
        ):
            history.append({"message": message, "contextItems": [], **more})
            written += len(json.dumps(history[-1]))
    return _write_document(path, {"title": "A talk", "workspaceDirectory": str(home), "history": history})


def _write_document(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(value))
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


def claude_code_lines(session: str, cwd: str) -> Iterator[dict[str, Any]]:
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


def _codex_lines(session: str, cwd: str) -> Iterator[object]:
    def line(kind: str, payload: object) -> object:
        return {"timestamp": MOMENT, "type": kind, "payload": payload}

    yield line("session_meta", {"id": session, "cwd": cwd, "source": "cli"})
    for number, question, answer in _exchanges():
        yield line("turn_context", {"cwd": cwd, "model": "gpt", "summary": "auto"})
        said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": question}]}
        yield line("response_item", said)
        yield line("response_item", {"type": "function_call", "name": "shell", "call_id": f"t{number}"})
        yield line("response_item", {"type": "function_call_output", "call_id": f"t{number}", "output": OUTPUT})
        yield line("event_msg", {"type": "exec_command_end", "aggregated_output": OUTPUT})
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": answer}]}
        yield line("response_item", said)


def _vscode_copilot_lines(session: str, cwd: str) -> Iterator[object]:
    def event(kind: str, data: object) -> object:
        return {"type": kind, "data": data, "id": f"{session}-{next(numbers)}", "timestamp": MOMENT}

    del cwd  # which its window tells
    numbers = count()
    yield event("session.start", {"sessionId": session, "version": 1, "producer": "copilot-agent"})
    for number, question, answer in _exchanges():
        request = {"toolCallId": f"t{number}", "name": "create_file", "arguments": json.dumps({"content": OUTPUT})}
        yield event("user.message", {"content": question, "attachments": []})
        yield event("assistant.turn_start", {"turnId": "0"})
        yield event("assistant.message", {"content": "", "toolRequests": [request]})
        yield event("tool.execution_start", {"toolCallId": f"t{number}", "arguments": {"content": OUTPUT}})
        yield event("tool.execution_complete", {"toolCallId": f"t{number}", "success": True})
        yield event("assistant.message", {"content": answer, "toolRequests": []})
        yield event("assistant.turn_end", {"turnId": "0"})


def _cursor_lines(session: str, cwd: str) -> Iterator[object]:
    del session, cwd  # which its places tell
    for _, question, answer in _exchanges():
        call = {"type": "tool_use", "name": "Write", "input": {"path": "src/handlers.py", "contents": OUTPUT}}
        for role, block in (
            ("user", {"type": "text", "text": f"<user_query>\n{question}\n</user_query>"}),
            ("assistant", call),
            ("assistant", {"type": "text", "text": answer}),
        ):
            yield {"role": role, "message": {"content": [block]}}


TRANSCRIPTS: Mapping[str, tuple[str, Callable[[str, str], Iterator[object]]]] = {
    "claude-code": (".claude/projects/-project/{session}.jsonl", claude_code_lines),
    "codex": (".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-{session}.jsonl", _codex_lines),
    "copilot-cli": (".copilot/session-state/{session}/events.jsonl", _copilot_cli_lines),
    "cursor": (".cursor/projects/{slug}/agent-transcripts/{session}/{session}.jsonl", _cursor_lines),
    "gemini-cli": (".gemini/tmp/project/chats/{session}.jsonl", _gemini_cli_lines),
    "qwen-code": (".qwen/projects/-project/chats/{session}.jsonl", _qwen_code_lines),
    "vscode-copilot": (
        ".config/Code/User/workspaceStorage/window/GitHub.copilot-chat/transcripts/{session}.jsonl",
        _vscode_copilot_lines,
    ),
}
"""By client, where a transcript lies and what is on its lines."""

WINDOWS: Mapping[str, tuple[str, ...]] = {
    "cursor": (".config/Cursor/User/workspaceStorage/window",),
    "vscode-copilot": (".config/Code/User/workspaceStorage/window",),
}
"""Where the folder that a window had open is noted beside it."""

DATABASES: Mapping[str, tuple[Callable[[Path, int], Path], tuple[str, ...]]] = {
    "cursor": (_write_cursor, ("SELECT CAST(value AS TEXT) FROM cursorDiskKV",)),
    "opencode": (_write_opencode, ("SELECT data FROM message", "SELECT data FROM part")),
}
"""By client, what makes a database with one session in it, and the rows that hold JSON."""

DOCUMENTS: Mapping[str, Callable[[Path, int], Path]] = {"cline": _write_cline, "continue": _write_continue}
"""By client, what makes a session that is one document."""
