"""Clients' hooks as clients call them: the real program, fed with what real clients sent."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
from real_program import Program

SAMPLES = Path(__file__).parents[1] / "samples" / "hooks"
CLIENTS = ("claude-code", "codex", "gemini-cli", "qwen-code")
_PATIENCE_SECONDS = 60


def recorded(client: str, home: Path) -> Iterator[dict[str, Any]]:
    """The payloads that a client was seen to send, as if it had been in this home."""
    for line in (SAMPLES / f"{client}.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line.replace("{home}", str(home)))


@attrs.frozen
class Hooks:
    """The hooks of one user's clients."""

    program: Program

    def call(
        self, client: str, event: str, payload: object, *, environ: Mapping[str, str | None] | None = None
    ) -> "subprocess.CompletedProcess[bytes]":
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        changed = {**self.program.environ, **(environ or {})}
        return subprocess.run(
            [sys.executable, "-m", "imprint_cli.hook_entry", client, event],
            input=data,
            capture_output=True,
            cwd=self.program.home,
            env={name: value for name, value in changed.items() if value is not None},
            timeout=_PATIENCE_SECONDS,
            check=False,
        )

    def begin(self, client: str = "claude-code", **payload: str) -> str:
        """Begin a session; what its model is told, empty where nothing was said."""
        done = self.call(client, "SessionStart", {"session_id": "s", "source": "startup", **payload})
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""

    def jobs(self) -> list[Any]:
        return self.program.run("jobs", "list", "--json").json_lines

    def attempts(self) -> list[tuple[str, int]]:
        """The state of each job, and how often it was begun."""
        shown = [self.program.run("jobs", "show", str(job["id"]), "--json").json for job in self.jobs()]
        return [(job["state"], job["attempts"]) for job in shown]

    def settled(self) -> list[Any]:
        """The jobs, once none of them waits or runs."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while time.monotonic() < deadline:
            jobs = self.jobs()
            if all(job["state"] not in ("queued", "running") for job in jobs):
                return jobs
            time.sleep(0.05)
        raise AssertionError(self.jobs())

    def say(self, session: str, cwd: Path, *texts: str) -> Path:
        """A transcript of Claude Code in which the user says this."""
        folder = self.program.home / ".claude" / "projects" / "p"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{session}.jsonl"
        with path.open("a", encoding="utf-8") as file:
            for text in texts:
                turn = {
                    "type": "user",
                    "uuid": f"{session}-{text}",
                    "parentUuid": None,
                    "isSidechain": False,
                    "sessionId": session,
                    "timestamp": "2026-11-30T10:00:00.000Z",
                    "cwd": str(cwd),
                    "message": {"role": "user", "content": text},
                }
                file.write(json.dumps(turn) + "\n")
        return path

    def stop(self, session: str, cwd: Path, transcript: Path, **changes: Any) -> None:
        payload = {"session_id": session, "cwd": str(cwd), "transcript_path": str(transcript), "prompt_id": "p"}
        done = self.call("claude-code", "Stop", payload, **changes)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
