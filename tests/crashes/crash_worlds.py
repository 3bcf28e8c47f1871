"""A user's device in a folder: what programs that may be killed work on, and what can be told of it afterwards.

Every line that is written somewhere says to which workspace and thing it belongs, which version it is, and of how
many lines it is which. So a passage tells by itself whether it is where it should be, and a thing whether it is whole.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import attrs
from crash_ledgers import Ledger

from imprint.bootstrap import Application, open_application
from imprint.domain.settings import Layer, Origin

__all__ = ["DAMAGE", "Silence", "World", "describe_lines", "write_lines"]

DAMAGE = b"This was a database before it was damaged for a test. "

_LINE = re.compile(r"<(?P<workspace>[\w-]+) (?P<thing>\S+) v(?P<version>\d+) (?P<number>\d+)/(?P<total>\d+)>")
_WORDS = (
    "harbour",
    "pier",
    "tide",
    "anchor",
    "vessel",
    "captain",
    "cargo",
    "lantern",
    "compass",
    "sail",
    "storm",
    "reef",
)


def write_lines(workspace: str, thing: str, version: int, total: int = 3, *, width: int = 1) -> str:
    """The text of a thing in one of its versions.

    Args:
        width: How long each line is, in sentences.
    """
    lines = []
    for number in range(1, total + 1):
        words = " ".join(
            _WORDS[(number * (part + 3) + version + len(thing)) % len(_WORDS)] for part in range(6 * width)
        )
        lines.append(f"<{workspace} {thing} v{version} {number}/{total}> {words}")
    return "\n".join(lines)


def describe_lines(texts: Iterable[str]) -> str:
    """What some passages together are: ``default a.md v3`` when they are one version, whole; else what they are."""
    found: dict[tuple[str, str, str, str], set[str]] = {}
    for text in texts:
        for match in _LINE.finditer(text):
            workspace, thing, version, number, total = match.groups()
            found.setdefault((workspace, thing, version, total), set()).add(number)
    whole = [
        f"{workspace} {thing} v{version}" + ("" if len(numbers) == int(total) else f" {len(numbers)} of {total} lines")
        for (workspace, thing, version, total), numbers in sorted(found.items())
    ]
    return " and ".join(whole) or "nothing that was written"


class Silence:
    """Progress that nobody looks at."""

    def start(self, activity: str, total_bytes: int | None) -> None: ...

    def advance(self, count: int, bytes: int, current: str) -> None: ...

    def finish(self) -> None: ...


@attrs.frozen
class World:
    """A home with trees of files, a data folder, and a ledger beside them.

    Attributes:
        name: Of the process that uses it, where several do.
        at: Calls something when this process comes to a failpoint for the first time.
    """

    place: Path
    name: str = ""
    at: Callable[[str, Callable[[], None]], None] | None = None

    @property
    def home(self) -> Path:
        return self.place / "home"

    @property
    def data(self) -> Path:
        return self.place / "data"

    @property
    def ledger(self) -> Ledger:
        return Ledger(self.place / "ledger.jsonl")

    def tree(self, workspace: str = "default") -> Path:
        """The folder of files that a workspace indexes."""
        return self.home / workspace

    def store_file(self, workspace: str = "default") -> Path:
        return self.data / "workspaces" / workspace / "store.sqlite3"

    def open(self, *, embedder: str = "memvec") -> Application:
        """Open the device as one more process; files of the index are written from very few vectors on."""
        self.tree().mkdir(parents=True, exist_ok=True)
        environ = {
            "HOME": str(self.home.parent / "user"),
            "USERPROFILE": str(self.home.parent / "user"),
            "IMPRINT_DATA_DIR": str(self.data),
            "IMPRINT_VECTORS_SNAPSHOT_THRESHOLD": "8",
        }
        return open_application(
            environ=environ,
            cwd=self.home,
            config=self.place / "config" / "config.toml",
            arguments=[Layer(origin=Origin.ARGUMENT, values={"embedder.plugin": embedder})],
        )

    def write(self, name: str, version: int, *, workspace: str = "default", total: int = 3, width: int = 1) -> str:
        """Write a file in one of its versions; its key."""
        path = self.tree(workspace) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(write_lines(workspace, name, version, total, width=width), encoding="utf-8")
        return str(path)

    def ingest(self, workspace: str = "default") -> None:
        """Ingest a workspace's tree."""
        with self.open() as application:
            application.ingest.ingest([self.tree(workspace)], Silence(), explicit=workspace)
