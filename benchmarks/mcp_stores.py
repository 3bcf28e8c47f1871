"""Storing and searching through MCP, at a thousand and at ten thousand memories, beside two other memory servers.

`@modelcontextprotocol/server-memory` needs npm; `mcp-memory-service` is installed into an environment of its own, by a
Python whose SQLite loads extensions. What cannot run here is said and left out. Without a model the latter embeds by
hashing words, which costs it next to nothing and finds little: its figures are those of its protocol and its database.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs

from devices import open_device
from imprint.domain.sources import Chunk, MemoryKind, Source, SourceKey, SourceKind, WorkspaceName
from mcp_servers import OURS, Server, environment, start
from measure import emit

SIZES = (1_000, 10_000)
ROUNDS, CALLS = 5, 20
PATIENCE_SECONDS = 240
SERVER_MEMORY = "@modelcontextprotocol/server-memory@2026.8.31"
MEMORY_SERVICE = "mcp-memory-service==12.4.0"

_ROOTS = ("cache", "billing", "parser", "login", "report", "queue", "socket", "invoice", "deploy", "index", "schema")
_VERBS = ("uses", "replaces", "calls", "stores", "drops", "retries", "signs", "prints")


def memory(number: int) -> str:
    """One memory; all are different."""
    root, other, verb = _ROOTS[number % 11], _ROOTS[number // 11 % 11], _VERBS[number // 121 % 8]
    return f"Decision {number}: the {root} of module m{number % 977} {verb} the {other} of team t{number % 83}."


def question(number: int) -> str:
    """What one of the memories answers; a piece of its text, since one of the servers matches no more than that."""
    return f"the {_ROOTS[number % 11]} of module m{number % 977}"


@attrs.frozen
class Rival:
    """A memory server and how it is spoken to."""

    name: str
    command: Sequence[str]
    environ: Mapping[str, str]
    home: Path
    fill: Callable[[Server, int], None]
    store: Callable[[int], tuple[str, dict[str, Any]]]
    search: Callable[[int], tuple[str, dict[str, Any]]]


def main() -> None:
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            rivals = list(prepare(Path(folder), size))
            servers = [
                (rival, stack.enter_context(start(rival.command, rival.environ, rival.home))) for rival in rivals
            ]
            ready = [(rival, server) for rival, server in servers if is_ready(rival, server, size)]
            compare(ready, size)


def prepare(folder: Path, size: int) -> Iterator[Rival]:
    """The servers that can run here, each with a home of its own."""
    yield imprint(folder / "imprint", size)
    for make in (server_memory, memory_service):
        home = folder / make.__name__
        home.mkdir()
        try:
            yield make(home)
        except (OSError, subprocess.SubprocessError, RuntimeError) as error:
            emit(f"{make.__name__} cannot run here", 0, "", reason=str(error)[:200])


def is_ready(rival: Rival, server: Server, size: int) -> bool:
    """Fill a server, and have it load what it loads late."""
    try:
        server.open()
        rival.fill(server, size)
        for number in range(3):
            server.call(*rival.search(number))
            server.call(*rival.store(size + number))
    except (RuntimeError, OSError) as error:
        emit(f"{rival.name} at {size:,} memories is left out", 0, "", reason=str(error)[:200])
        return False
    return True


def compare(servers: Sequence[tuple[Rival, Server]], size: int) -> None:
    """Calls a second, taken in turns so that a busy moment hits all."""
    rates: dict[tuple[str, str], list[float]] = {}
    for turn in range(ROUNDS):
        for rival, server in servers:
            for kind, make, first in (("store", rival.store, size + 10), ("search", rival.search, 0)):
                begin = time.perf_counter()
                for place in range(CALLS):
                    server.call(*make(first + turn * CALLS + place))
                rates.setdefault((kind, rival.name), []).append(CALLS / (time.perf_counter() - begin))
    for (kind, name), found in rates.items():
        ours = statistics.median(rates[kind, servers[0][0].name])
        rate = statistics.median(found)
        emit(f"{kind} at {size:,} memories: {name}", rate, "calls/s", ours_is=f"{ours / rate:.2f}x")


def imprint(home: Path, size: int) -> Rival:
    home.mkdir()
    sources = [
        (
            Source(
                key=SourceKey(f"memory:{number:016x}"),
                kind=SourceKind.MEMORY,
                memory_kind=MemoryKind.DECISION,
                time="2026-01-01T00:00:00.000Z",
            ),
            [Chunk(text=memory(number))],
        )
        for number in range(size)
    ]
    with open_device(home / "data") as device:
        device.fill(WorkspaceName("default"), sources)
    return Rival(
        "imprint",
        OURS,
        environment(home),
        home,
        fill=lambda _server, _size: None,
        store=lambda number: ("remember", {"content": memory(number)}),
        search=lambda number: ("search", {"query": question(number)}),
    )


def server_memory(home: Path) -> Rival:
    npm = shutil.which("npm")
    if npm is None:
        raise RuntimeError("npm is not installed")
    words = [npm, "exec", "--yes", f"--package={SERVER_MEMORY}", "--", "mcp-server-memory"]

    def entities(numbers: Sequence[int]) -> tuple[str, dict[str, Any]]:
        made = [{"name": f"d{n}", "entityType": "decision", "observations": [memory(n)]} for n in numbers]
        return "create_entities", {"entities": made}

    def fill(server: Server, size: int) -> None:
        server.call(*entities(range(size)))

    return Rival(
        "server-memory",
        words,
        {**os.environ, "MEMORY_FILE_PATH": str(home / "memory.jsonl")},
        home,
        fill=fill,
        store=lambda number: entities([number]),
        search=lambda number: ("search_nodes", {"query": question(number)}),
    )


def memory_service(home: Path) -> Rival:
    program = _install_memory_service()
    own = {
        "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
        "MCP_MEMORY_SQLITE_PATH": str(home / "memory.db"),
        "MCP_MEMORY_BACKUPS_PATH": str(home / "backups"),
        "HF_HUB_OFFLINE": "1",
    }

    def store(number: int) -> tuple[str, dict[str, Any]]:
        # A conversation of its own: it would take memories that are alike for one.
        return "memory_store", {"content": memory(number), "conversation_id": f"c{number}"}

    def fill(server: Server, size: int) -> None:
        begin = time.perf_counter()
        for number in range(size):
            server.call(*store(number))
            if time.perf_counter() - begin > PATIENCE_SECONDS:
                raise RuntimeError(f"it stored {number:,} memories in {PATIENCE_SECONDS} s, one a call")

    return Rival(
        "mcp-memory-service",
        [program, "server"],
        {**environment(home), **own},
        home,
        fill=fill,
        store=store,
        search=lambda number: ("memory_search", {"query": question(number), "limit": 8}),
    )


def _install_memory_service() -> str:
    """Its program, in an environment that is kept for the next run."""
    folder = Path(tempfile.gettempdir()) / "imprint-benchmarks" / MEMORY_SERVICE.replace("==", "-")
    program = folder / ("Scripts" if os.name == "nt" else "bin") / "memory"
    if not program.exists():
        python = _find_python()
        subprocess.run([sys.executable, "-m", "virtualenv", "-q", "-p", python, str(folder)], check=True)
        pip = [str(program.with_name("pip")), "install", "-q", MEMORY_SERVICE]
        subprocess.run(pip, check=True, capture_output=True)
    return str(program)


def _find_python() -> str:
    check = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension"
    for python in (sys.executable, "/usr/bin/python3", shutil.which("python3") or ""):
        if python and subprocess.run([python, "-c", check], capture_output=True, check=False).returncode == 0:
            return python
    raise RuntimeError("no Python here has an SQLite that loads extensions")


if __name__ == "__main__":
    main()
