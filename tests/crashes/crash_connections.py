"""A program that connects clients and disconnects them, and finds their files as they were."""

from pathlib import Path

from crash_deeds import remember
from crash_worlds import World

__all__ = ["Connect"]

_FILES = {
    ".claude.json": b'{\r\n\t"numStartups": 3\r\n}',
    ".claude/settings.json": b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}',
    ".codex/config.toml": b'model = "gpt" # mine',
    ".codex/AGENTS.md": b"Be brief.",
}
_CLIENTS = ("claude-code", "codex")


class Connect:
    """Both clients, twice: what was left half connected is connected, and then all of it is taken out."""

    def set_up(self, world: World) -> None:
        for name, data in _FILES.items():
            path = _user(world) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        remember(world, "kept")

    def run(self, world: World) -> None:
        with world.open() as application:
            for client in _CLIENTS:
                application.connections.connect(client)
                again = application.connections.connect(client)
                if again.plan:
                    raise AssertionError(f"connecting {client} twice: {again.plan}")
            for client in _CLIENTS:
                application.connections.disconnect(client)
        found = {str(path.relative_to(_user(world))): path.read_bytes() for path in _files(_user(world))}
        if found != _FILES:
            raise AssertionError(f"the clients' files are not what they were: {found}")
        if left := [path for path in _files(world.data / "clients") if path.suffix == ".tmp"]:
            raise AssertionError(f"nobody cleared away {left}")


def _user(world: World) -> Path:
    return world.place / "user"


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]
