"""A large ingest that is killed or interrupted anywhere, and then run again, leaves what one undisturbed run leaves."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TypeAlias

import pytest

Stored: TypeAlias = Mapping[str, Sequence[tuple[object, ...]]]

# Enough for several processes to be worth starting in both passes, with some sources larger than one transaction.
LINES = {f"m{number:03}.py": 2_400 if number % 60 == 7 else 130 for number in range(200)}

RUN = """
import os, signal, sys
from pathlib import Path
from imprint.bootstrap import open_application
home, data, tree, how, stage, after = sys.argv[1:]
class Ending:
    stage, count, embedded = "", 0, 0
    def start(self, activity, total_bytes):
        self.stage = activity
    def advance(self, count, bytes, current):
        self.count += count if self.stage == stage else 0
        self.embedded += count if self.stage == "embed" else 0
        if how and self.stage == stage and self.count >= int(after):
            os.kill(os.getpid(), getattr(signal, how))
    def finish(self): pass
ending = Ending()
with open_application(environ={"HOME": home}, data_dir=Path(data)) as application:
    (report,) = application.ingest.ingest([Path(tree)], ending)
    print(report.interrupted, *(report.sources.get(outcome, 0) for outcome in ("added", "unchanged")), ending.embedded)
"""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("home") / "tree"
    tree.mkdir()
    for name, lines in LINES.items():
        path = tree / name
        path.write_text(
            "".join(
                f"def answer_{line}_of_{name[:-3]}(question):\n"
                f"    # {chr(97 + line % 26) * 60} {line}\n"
                f"    return {line}\n\n"
                for line in range(lines)
            )
        )
        os.utime(path, (1_700_000_000, 1_700_000_000))
    assert sum(path.stat().st_size for path in tree.iterdir()) > 4_000_000
    return tree


@pytest.fixture(scope="module")
def undisturbed(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Stored:
    data = tmp_path_factory.mktemp("whole") / "data"
    done = run(tree, data)
    stored = read_store(data)
    assert done == (0, f"False {len(LINES)} 0 {sum(map(len, stored.values()))}\n")
    return stored


def run(tree: Path, data: Path, how: str = "", stage: str = "", after: int = 0) -> tuple[int, str]:
    command = [sys.executable, "-c", RUN, str(tree.parent), str(data), str(tree), how, stage, str(after)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def read_store(data: Path) -> Stored:
    """What is stored of each source, whatever the numbers of its rows; and that nothing is left on its way."""
    with closing(sqlite3.connect(data / "workspaces" / "default" / "store.sqlite3")) as connection:
        connection.execute("INSERT INTO full_text (full_text, rank) VALUES ('integrity-check', 1)")
        assert connection.execute("SELECT count(*) FROM sources WHERE state <> 'live'").fetchone() == (0,)
        rows = connection.execute(
            "SELECT s.key, s.digest, s.mtime_ns, c.ordinal, c.start_line, c.end_line, c.symbol, p.text, p.words, v.f16 "
            "FROM sources AS s JOIN chunks AS c ON c.source = s.id JOIN passages AS p ON p.chunk = c.id "
            "LEFT JOIN vectors AS v ON v.chunk = c.id ORDER BY s.key, c.ordinal"
        ).fetchall()
    return {key: [row[1:] for row in some] for key, some in groupby(rows, key=itemgetter(0))}


def count_rows(data: Path) -> tuple[int, int]:
    """Live sources, and chunks that have their vector."""
    with closing(sqlite3.connect(data / "workspaces" / "default" / "store.sqlite3")) as connection:
        (sources,) = connection.execute("SELECT count(*) FROM sources WHERE state = 'live'").fetchone()
        (vectors,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
    return sources, vectors


@pytest.mark.skipif(os.name == "nt", reason="there is no signal to send to one process")
@pytest.mark.parametrize(
    ("how", "stage", "after"),
    [
        ("SIGKILL", "index", 30),
        pytest.param("SIGINT", "index", 150, marks=pytest.mark.long),
        pytest.param("SIGKILL", "embed", 1_000, marks=pytest.mark.long),
        ("SIGINT", "embed", 3_000),
    ],
)
def test_nothing_is_done_twice_and_nothing_is_missing(
    tree: Path, tmp_path: Path, undisturbed: Stored, how: str, stage: str, after: int
) -> None:
    data = tmp_path / "data"

    ended = run(tree, data, how, stage, after)
    sources, vectors = count_rows(data)
    again = run(tree, data)

    left = read_store(data)
    chunks = sum(map(len, left.values()))
    assert ended[0] == (-signal.SIGKILL if how == "SIGKILL" else 0)
    assert how == "SIGKILL" or ended[1].startswith(f"True {sources} 0 ")
    if stage == "index":
        assert 0 < sources < len(LINES)
        assert vectors == 0
    else:
        assert sources == len(LINES)
        assert 0 < vectors < chunks
    assert again == (0, f"False {len(LINES) - sources} {sources} {chunks - vectors}\n")
    assert left == undisturbed
