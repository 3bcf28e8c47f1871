"""A device of its own for each test, used through whole applications: real files, stores, embedder and index."""

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import attrs
import numpy
import pytest

from imprint.bootstrap import Application, open_application
from imprint.domain.purge_reports import PurgeReport
from imprint.domain.settings import Layer
from imprint.domain.sources import WorkspaceName
from imprint.failpoints import EVENT
from imprint.services.indexing_reports import IngestReport

DEFAULT = WorkspaceName("default")

_HOLDER = """
import sqlite3, sys
path, statements = sys.argv[1], sys.argv[2:]
connection = sqlite3.connect(path, isolation_level=None)
connection.execute("PRAGMA user_version").fetchone()
for statement in statements:
    connection.execute(statement).fetchone()
print("ready", flush=True)
sys.stdin.readline()
"""

_LOCKER = """
import filelock, sys
with filelock.FileLock(sys.argv[1]):
    print("ready", flush=True)
    sys.stdin.readline()
"""

_actions: dict[str, list[Callable[[], None]]] = {}


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event == EVENT and threading.current_thread() is threading.main_thread():
        pending = _actions.get(arguments[0])
        if pending:
            pending.pop(0)()


sys.addaudithook(_watch)


class Silence:
    """Progress that nobody looks at."""

    def start(self, activity: str, total_bytes: int | None) -> None: ...

    def advance(self, count: int, bytes: int, current: str) -> None: ...

    def finish(self) -> None: ...


@attrs.frozen
class Device:
    """A user's home with a tree of files, and a data folder."""

    home: Path

    @property
    def tree(self) -> Path:
        return self.home / "tree"

    @property
    def data(self) -> Path:
        return self.home / "data"

    def store_file(self, workspace: str = DEFAULT) -> Path:
        return self.data / "workspaces" / workspace / "store.sqlite3"

    def open(self, *arguments: Layer, **variables: str) -> Application:
        """Open the device, as one more process would."""
        environ = {
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "IMPRINT_DATA_DIR": str(self.data),
            "IMPRINT_VECTORS_SNAPSHOT_THRESHOLD": "8",
            **variables,
        }
        return open_application(environ=environ, cwd=self.tree, config=self.home / "config.toml", arguments=arguments)

    def write(self, files: Mapping[str, str]) -> None:
        """Write files below the tree."""
        for name, content in files.items():
            path = self.tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")

    def ingest(self, *names: str, workspace: str = "", **variables: str) -> IngestReport:
        """Ingest the tree, or what is named below it."""
        with self.open(**variables) as application:
            paths = [self.tree / name for name in names] or [self.tree]
            (report,) = application.ingest.ingest(paths, Silence(), explicit=workspace)
        return report

    def refresh(self, *, accept_removals: bool = False) -> IngestReport:
        """Refresh every root of the workspace."""
        with self.open() as application:
            (report,) = application.refresh.refresh_workspace(self.tree, Silence(), accept_removals=accept_removals)
        return report

    def purge(self, target: str | Path, *, recursive: bool = False, workspace: str = DEFAULT) -> PurgeReport:
        """Purge at once; others are not waited for."""
        with self.open() as application:
            purge = attrs.evolve(application.purge, patience_seconds=0)
            return purge.apply(WorkspaceName(workspace), str(target), recursive=recursive)

    def keys(self, workspace: str = DEFAULT) -> set[str]:
        """What a workspace holds, by path below the tree where it has one."""
        with self.open() as application:
            keys = [found.source.key for found in application.reading.sources(WorkspaceName(workspace))]
        return {key.removeprefix(f"{self.tree}/") for key in keys}

    def vectors_of(self, key: str) -> list[bytes]:
        """The vectors of a source's chunks, as the store and its flat files have them, and as its graphs do."""
        with closing(sqlite3.connect(self.store_file())) as connection:
            rows = connection.execute(
                "SELECT v.f16 FROM vectors AS v JOIN chunks AS c ON c.id = v.chunk "
                "JOIN sources AS s ON s.id = c.source WHERE s.key = ?",
                (key,),
            ).fetchall()
        return [part for (blob,) in rows for part in (blob[:24], _as_brain_floats(blob)[:24])]

    def find_residue(self, *needles: bytes) -> dict[bytes, list[str]]:
        """The files of the data folder that have some bytes inside, whatever their case.

        Nobody in this process may have a database open: closing a file of one drops its locks.
        """
        files = {path: path.read_bytes().lower() for path in self.data.rglob("*") if path.is_file()}
        found = {needle: [path.name for path, data in files.items() if needle.lower() in data] for needle in needles}
        return {needle: names for needle, names in found.items() if names}


def _as_brain_floats(halves: bytes) -> bytes:
    """The upper halves of the numbers as single floats, rounded to even."""
    singles = numpy.frombuffer(halves, dtype=numpy.float16).astype(numpy.float32).view(numpy.uint32)
    return ((singles + 0x7FFF + (singles >> 16 & 1)) >> 16).astype(numpy.uint16).tobytes()


@pytest.fixture
def device(tmp_path: Path) -> Device:
    device = Device(tmp_path.resolve() / "home")
    device.tree.mkdir(parents=True)
    return device


@pytest.fixture
def at_failpoint() -> Iterator[Callable[[str, Callable[[], None]], None]]:
    """Do something at the next time that this process comes to a failpoint, once; never inside itself."""

    def at_failpoint(name: str, action: Callable[[], None]) -> None:
        _actions.setdefault(name, []).append(action)

    yield at_failpoint
    left = {name for name, pending in _actions.items() if pending}
    _actions.clear()
    assert not left, f"nothing came to {left}"


@contextmanager
def _running(program: str, *words: str) -> "Iterator[subprocess.Popen[str]]":
    with subprocess.Popen(
        [sys.executable, "-c", program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.communicate("\n")


@pytest.fixture
def another_connection() -> Callable[..., Any]:
    """Another process with a database open, and in it what some statements begin; so its journal is kept."""

    def another_connection(path: Path, *statements: str) -> Any:
        return _running(_HOLDER, str(path), *statements)

    return another_connection


@pytest.fixture
def another_lock() -> Callable[[Path], Any]:
    """Another process that holds the lock of a workspace."""

    def another_lock(store_file: Path) -> Any:
        return _running(_LOCKER, str(store_file.with_name("ingest.lock")))

    return another_lock
