"""Several processes on one store, some of which are killed."""

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from pathlib import Path

from imprint.adapters.clocks import SystemClock
from imprint.domain.sources import SourceKey, WorkspaceName
from imprint.domain.times import shift
from imprint.protocols.text_indexes import ChunkFilter, TextQuery

WORKSPACE = WorkspaceName("default")
WORKER = Path(__file__).parent / "workers" / "store_worker.py"
SIZES = {"/small": 20, "/large": 450}


class LateClock(SystemClock):
    """An hour ahead."""

    def now(self) -> str:
        return shift(super().now(), seconds=3600)


def start(folder: Path, action: str, name: str = "x") -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WORKER), str(folder), action, name],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def writing_versions(folder: Path):
    """A process that replaces sources without end, having written the first version."""
    with start(folder, "versions") as worker:
        try:
            assert worker.stdout is not None
            assert worker.stdout.readline() == "ready\n", worker.communicate()
            yield worker
        finally:
            worker.kill()


def versions(store, key: str) -> tuple[set[str], int]:
    texts = [chunk.chunk.text.split() for chunk in store.source_chunks(SourceKey(key))]
    return {version for version, _ in texts}, len(texts)


def check_health(file: Path) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute("INSERT INTO full_text (full_text, rank) VALUES ('integrity-check', 1)")


def test_eight_processes_that_write_at_once_lose_nothing_and_wait_for_each_other(open_device, tmp_path):
    """They also make the registry and the store, all at once."""
    workers = [start(tmp_path / "data", "small", f"w{number}") for number in range(8)]

    outcomes = [(worker.communicate()[1], worker.returncode) for worker in workers]

    assert outcomes == [("", 0)] * 8
    with open_device() as device, device.stores.open(WORKSPACE) as store:
        assert store.counts().sources == {"code": 64, "memory": 64}
        assert store.counts().facts == 64
        assert store.chunk_count() == 256
        assert len(store.match(TextQuery(terms=("word",)), 1000, ChunkFilter())) == 256
        check_health(device.folder.store_file(WORKSPACE))


def test_a_reader_sees_the_old_version_or_the_new_never_half(device, store):
    seen: set[str] = set()

    with writing_versions(device.folder.path):
        until = time.monotonic() + 2
        while time.monotonic() < until:
            for key, size in SIZES.items():
                found, count = versions(store, key)
                assert (len(found), count) == (1, size)
                seen |= found
            (newest,) = found
            hits = store.match(TextQuery(terms=(newest,)), 1000, ChunkFilter(source_glob="/large"))
            assert len(hits) in (0, SIZES["/large"])

    assert len(seen) > 2


def test_a_killed_writer_leaves_each_source_old_or_new(open_device, tmp_path):
    chance = random.Random(20260101)

    for _ in range(5):
        with writing_versions(tmp_path / "data") as worker:
            time.sleep(chance.uniform(0, 0.25))
            worker.kill()
        with open_device() as device, device.stores.open(WORKSPACE) as store:
            for key, size in SIZES.items():
                found, count = versions(store, key)
                assert (len(found), count) == (1, size)
            assert store.chunk_count() == sum(SIZES.values())
            check_health(device.folder.store_file(WORKSPACE))


def test_what_a_killed_writer_staged_is_swept_when_it_is_stale(open_device, device, store, count_rows, make_source):
    store.replace_source(*make_source("/a", ["old"]))
    with closing(sqlite3.connect(device.folder.store_file(WORKSPACE), isolation_level=None)) as left_behind:
        left_behind.execute(
            "INSERT INTO sources SELECT NULL, 'staged', key, kind, path, origin, project, language, url, title, "
            "memory_kind, mtime_ns, size, digest, time, indexed_at, 300 FROM sources"
        )
        left_behind.execute(
            "WITH RECURSIVE n (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < 299) "
            "INSERT INTO chunks (source, ordinal, symbol, role, time) SELECT 2, n, '', '', '' FROM n"
        )

    store.tidy()
    assert count_rows("chunks") == 301
    with open_device(LateClock()) as later, later.stores.open(WORKSPACE) as store:
        store.tidy()

    assert (count_rows("chunks"), count_rows("sources")) == (1, 1)
