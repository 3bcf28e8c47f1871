"""What a client's hook costs: each event of each client in fresh processes, in turns with a bare interpreter.

As multiples of that interpreter's processor time, since a machine is seldom idle. `first` is the first session of a
folder, which asks the resolver; later ones are told what was said before, unless something changed. What stands behind
a comma tells two calls of one event apart.
"""

import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from measure import emit
from startup import Cost, least_cpu, run

RUNS = 15
BUDGET = 6
USUAL = ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd")
CLIENTS = {
    "claude-code": USUAL,
    "cline": ("PreToolUse", "PreToolUse, later in the task", "TaskComplete"),
    "codex": USUAL,
    "copilot-cli": USUAL,
    "cursor": ("sessionStart", "stop", "preCompact", "sessionEnd"),
    "gemini-cli": ("SessionStart", "BeforeAgent", "AfterAgent", "SessionEnd"),
    "opencode": ("experimental.chat.system.transform", "session.idle"),
    "qwen-code": USUAL,
    "vscode-copilot": USUAL,
}


def main() -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # a worker may be at it still
        home = Path(folder)
        (home / "proj" / ".git").mkdir(parents=True)
        (home / "proj" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        os.environ.update(HOME=str(home), XDG_CONFIG_HOME=str(home), IMPRINT_DATA_DIR=str(home / "data"))
        program = str(Path(sys.executable).with_name("imprint"))
        for number in range(30):
            subprocess.run([program, "remember", f"Decision {number}: {'word ' * 20}"], check=True, capture_output=True)
        costs: dict[str, list[Cost]] = {}
        for turn in range(RUNS + 1):
            taken = {"bare": run([sys.executable, "-c", "pass"], os.environ, home)}
            for client, events in CLIENTS.items():
                forget(home)
                taken[f"{client} {events[0]}, first"] = call(client, events[0], turn=-turn, home=home)
                for event in events:
                    taken[f"{client} {event}"] = call(client, event.partition(",")[0], turn=turn, home=home)
            if turn:  # the first only warms
                for name, cost in taken.items():
                    costs.setdefault(name, []).append(cost)
    bare = costs.pop("bare")
    emit("bare interpreter", least_cpu(bare) * 1000, "ms", cpu=True)
    for name, found in costs.items():
        middle = statistics.median(cost.cpu for cost in found) / statistics.median(cost.cpu for cost in bare)
        budget = {} if name.endswith("first") else {"budget": BUDGET}
        emit(name, least_cpu(found) / least_cpu(bare), "x bare", median=round(middle, 1), **budget)


def call(client: str, event: str, *, turn: int, home: Path) -> Cost:
    """One call, from a shell that gives it its payload; the worker it starts is not waited for, nor counted."""
    payload = {
        "session_id": f"{client}{turn}",
        "taskId": f"{client}{turn}",
        "cwd": str(home / "proj"),
        "workspaceRoots": [str(home / "proj")],
        "transcript_path": str(home / "none.jsonl"),
        "source": "startup",
        "prompt": "how are releases rolled out",
    }
    payload |= {"sessionId": payload["session_id"], "transcriptPath": payload["transcript_path"]}  # of Copilot CLI
    payload |= {"conversation_id": payload["session_id"], "generation_id": f"{turn}"}  # of Cursor
    given = home / "payload.json"
    given.write_text(json.dumps(payload))
    hook = Path(sys.executable).with_name("imprint-hook")
    with given.open("rb") as stdin:
        os.dup2(stdin.fileno(), 0)
        return run([str(hook), client, event], os.environ, home)


def forget(home: Path) -> None:
    """Forget what was said in folders."""
    if (home / "data" / "jobs.sqlite3").exists():
        with closing(sqlite3.connect(home / "data" / "jobs.sqlite3", isolation_level=None)) as connection:
            connection.execute("DELETE FROM statements")


if __name__ == "__main__":
    main()
