"""A home in which clients have kept conversations, and Imprint beside it."""

import json
from collections.abc import Sequence
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import attrs

from imprint.bootstrap import Application, open_application
from imprint.domain.settings import Layer, Origin
from imprint.domain.sources import SourceKey, WorkspaceName
from imprint.services.learning_reports import LearnReport

__all__ = ["WORKSPACE", "Home", "Silent", "claude_line"]

WORKSPACE = WorkspaceName("default")


class Silent:
    """Progress that nobody watches."""

    def start(self, activity: str, total_bytes: int | None) -> None: ...

    def advance(self, count: int, bytes: int, current: str) -> None: ...

    def finish(self) -> None: ...


@attrs.frozen
class Home:
    """The user's home, a folder to work in, and a data folder."""

    path: Path

    def __attrs_post_init__(self) -> None:
        (self.path / ".claude").mkdir(parents=True)
        (self.path / ".codex").mkdir()
        self.project("acme")

    def project(self, name: str) -> Path:
        folder = self.path / "src" / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def open(self) -> Application:
        return open_application(
            environ={"HOME": str(self.path), "USERPROFILE": str(self.path)},
            cwd=self.path,
            data_dir=self.path / "data",
            config=self.path / "config.toml",
            arguments=[Layer(origin=Origin.ARGUMENT, values={"embedder.plugin": ""}, place="the test")],
        )

    def claude(self, session: str) -> Path:
        return self.path / ".claude" / "projects" / "-slug" / f"{session}.jsonl"

    def say(self, session: str, *texts: str, cwd: str = "", begin: int = 0) -> Path:
        """Add turns to a session of Claude Code, the user and the model in turn."""
        lines = [
            claude_line(session, begin + number, text, cwd=cwd or str(self.project("acme")))
            for number, text in enumerate(texts)
        ]
        return self.append(self.claude(session), lines)

    def append(self, path: Path, lines: Sequence[str]) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
        return path

    def learn(self, **options: object) -> LearnReport:
        with self.open() as application:
            resolution = application.workspaces.selected(str(options.pop("workspace", "")))
            return application.learning.learn(resolution, Silent(), **options)  # type: ignore[arg-type]

    def passages(self, key: str, workspace: WorkspaceName = WORKSPACE) -> list[str]:
        with self.open() as application, application._stores.open(workspace) as store:
            return [stored.chunk.text for stored in store.source_chunks(SourceKey(key))]

    def sources(self, workspace: WorkspaceName = WORKSPACE) -> list[str]:
        with self.open() as application, application._stores.open(workspace) as store:
            return [stored.source.key for stored in store.sources()]


def claude_line(session: str, number: int, text: str, *, cwd: str, id: str = "", **fields: object) -> str:
    role = "assistant" if number % 2 else "user"
    content: object = text if role == "user" else [{"type": "text", "text": text}]
    return json.dumps(
        {
            "type": role,
            "uuid": id or str(uuid5(NAMESPACE_URL, f"{session}/{number}")),
            "sessionId": session,
            "cwd": cwd,
            "timestamp": f"2026-03-01T10:{number // 60 % 60:02}:{number % 60:02}.000Z",
            "isSidechain": False,
            "message": {"role": role, "content": content},
            **fields,
        },
        ensure_ascii=False,
    )
