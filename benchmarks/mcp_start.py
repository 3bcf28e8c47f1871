"""From starting a server to having its tools, beside the smallest server that the SDK allows; one, and twenty at once.

And what servers weigh: idle, and after a search among ten thousand memories.
"""

import resource
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from devices import open_device
from imprint.domain.sources import Chunk, MemoryKind, Source, SourceKey, SourceKind, WorkspaceName
from mcp_servers import OURS, SMALLEST_SDK, environment, memory_of, start
from measure import emit

RUNS = 9
AT_ONCE = 20
MEMORIES = 10_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        environ = environment(home)
        compare_starts(environ, home)
        for name, command in (("imprint", OURS), ("smallest SDK server", SMALLEST_SDK)):
            start_many(name, command, environ, home)
        fill(home / "data")
        weigh_after_search(environ, home)


def compare_starts(environ: Mapping[str, str], home: Path) -> None:
    """One server after the other, in turns, so that a busy moment hits both."""
    wall: dict[str, list[float]] = {"ours": [], "sdk": []}
    processor: dict[str, list[float]] = {"ours": [], "sdk": []}
    for run in range(RUNS + 1):
        for name, command in (("ours", OURS), ("sdk", SMALLEST_SDK)):
            before = _children_seconds()
            begin = time.perf_counter()
            with start(command, environ, home) as server:
                server.open()
                server.ask("tools/list")
                seconds = time.perf_counter() - begin
            if run:
                wall[name].append(seconds)
                processor[name].append(_children_seconds() - before)
    ours, sdk = (statistics.median(wall[name]) for name in ("ours", "sdk"))
    emit("spawn to tools/list", ours / sdk, "x smallest SDK server", budget=0.25, ms=_ms(ours), sdk_ms=_ms(sdk))
    ours, sdk = (statistics.median(processor[name]) for name in ("ours", "sdk"))
    emit(
        "processor time of the same, with the exit", ours / sdk, "x smallest SDK server", ms=_ms(ours), sdk_ms=_ms(sdk)
    )


def start_many(name: str, command: Sequence[str], environ: Mapping[str, str], home: Path) -> None:
    """As an editor with many windows does: all are started before the first is asked."""
    with ExitStack() as stack:
        begin = time.perf_counter()
        servers = [stack.enter_context(start(command, environ, home)) for _ in range(AT_ONCE)]
        for server in servers:
            server.open()
            server.ask("tools/list")
        seconds = time.perf_counter() - begin
        weights = [memory_of(server.process.pid) for server in servers]
    emit(f"{AT_ONCE} at once, the last has its tools: {name}", seconds, "s")
    rss, pss = (statistics.mean(kind) for kind in zip(*weights, strict=True))
    emit(f"idle memory of each of {AT_ONCE}: {name}", pss, "MB PSS", rss=round(rss, 1))


def fill(data: Path) -> None:
    """Store memories as `remember` does, only faster."""
    words = ("deploy", "billing", "parser", "cache", "index", "login", "report", "queue", "socket", "invoice")
    sources = []
    for number in range(MEMORIES):
        text = f"Decision {number}: the {words[number % 10]} of module {number % 317} uses {words[number // 10 % 10]}."
        key = SourceKey(f"memory:{number:016x}")
        source = Source(
            key=key, kind=SourceKind.MEMORY, memory_kind=MemoryKind.DECISION, time="2026-01-01T00:00:00.000Z"
        )
        sources.append((source, [Chunk(text=text)]))
    with open_device(data) as device:
        device.fill(WorkspaceName("default"), sources)


def weigh_after_search(environ: Mapping[str, str], home: Path) -> None:
    with ExitStack() as stack:
        servers = [stack.enter_context(start(OURS, environ, home)) for _ in range(2)]
        for place, server in enumerate(servers):
            server.open()
            begin = time.perf_counter()
            server.call("search", {"query": "which cache does the billing module use"})
            first = time.perf_counter() - begin
            if not place:
                emit(f"first search among {MEMORIES:,} memories, SDK and model loaded by it", first * 1000, "ms")
        for number, server in enumerate(servers, start=1):
            rss, pss = memory_of(server.process.pid)
            emit(
                f"memory after a search among {MEMORIES:,} memories, server {number} of 2",
                pss,
                "MB PSS",
                rss=round(rss, 1),
            )


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


if __name__ == "__main__":
    main()
