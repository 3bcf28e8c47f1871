"""Refresh on real files and a real store."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import attrs
import pytest

from imprint.domain.purge import Exclusion
from imprint.domain.sources import WorkspaceName
from imprint.errors import (
    ExcludedSourceError,
    MissingPathError,
    OutsideRootsError,
    RemovalsHeldBackError,
    UnreadableFileError,
)
from imprint.services.indexing_reports import IngestReport, Outcome

DEFAULT, ACME = WorkspaceName("default"), WorkspaceName("acme")
MANY = {f"m{number}.py": f"x = {number}\n" for number in range(10)}

Bench = Any
Steps = Any


def removals_held_back(report: IngestReport) -> list[tuple[object, ...]]:
    assert all(isinstance(failure.error, RemovalsHeldBackError) for failure in report.failures)
    return [attrs.astuple(failure.error) for failure in report.failures]


def test_what_changed_is_read_what_is_new_is_added_and_what_is_gone_is_dropped(bench: Bench, steps: Steps) -> None:
    bench.write(MANY)
    bench.ingest.ingest([bench.tree], steps)
    bench.write({"m0.py": "changed = 1\n", "new.py": "y = 1\n"})
    (bench.tree / "m1.py").unlink()
    steps.files.clear()

    (report,) = bench.refresh.refresh_workspace(bench.tree, steps)

    assert report.sources == {
        Outcome.UNCHANGED: 8,
        Outcome.ADDED: 1,
        Outcome.CHANGED: 1,
        Outcome.REMOVED: 1,
    }
    assert [Path(name).name for name in steps.files] == ["m0.py", "new.py"]
    assert bench.text("m0.py") == "changed = 1"
    assert "m1.py" not in bench.stored()


def test_an_unchanged_tree_is_neither_read_nor_written(bench: Bench, steps: Steps) -> None:
    bench.write(MANY)
    bench.ingest.ingest([bench.tree], steps)
    steps.files.clear()
    database = bench.data.store_file(DEFAULT)
    before = database.read_bytes()

    (report,) = bench.refresh.refresh_workspace(bench.tree, steps)

    assert report.sources == {Outcome.UNCHANGED: 10}
    assert steps.files == []
    assert database.read_bytes() == before


def test_neither_extractors_nor_the_model_are_loaded_for_an_unchanged_tree(bench: Bench) -> None:
    bench.write(MANY)
    program = f"""
import sys
from pathlib import Path
from imprint.bootstrap import open_application
class Silent:
    def start(self, activity, total_bytes): pass
    def advance(self, count, bytes, current): pass
    def finish(self): pass
with open_application(environ={{"HOME": {str(bench.home)!r}}}, data_dir=Path({str(bench.data.path)!r})) as application:
    (report,) = application.ingest.ingest([Path({str(bench.tree)!r})], Silent())
heavy = {{"tree_sitter", "numpy", "tokenizers", "usearch", "charset_normalizer"}}
print(report.sources.get("unchanged"), sorted({{name.partition(".")[0] for name in sys.modules}} & heavy))
"""

    first, second = (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )

    assert first.startswith("0 ")
    assert "tree_sitter" in first
    assert second == "10 []\n"


def test_a_new_time_with_the_old_content_is_noted_without_indexing(bench: Bench, steps: Steps) -> None:
    bench.write(MANY)
    bench.ingest.ingest([bench.tree], steps)
    for name in MANY:
        bench.age(bench.tree / name)
    (first,) = bench.refresh.refresh_workspace(bench.tree, steps)
    steps.files.clear()

    (second,) = bench.refresh.refresh_workspace(bench.tree, steps)

    assert first.sources == {Outcome.UNCHANGED: 10}
    assert (first.chunks, second.sources, steps.files) == (0, {Outcome.UNCHANGED: 10}, [])


def test_a_change_within_the_clocks_tick_is_noticed(bench: Bench, steps: Steps) -> None:
    """Same size, same time: a file system with whole seconds, and a file just written when it was indexed."""
    path = bench.tree / "a.py"
    moment = time.time_ns() // 1_000_000_000 * 1_000_000_000
    path.write_text("x = 1\n")
    os.utime(path, ns=(moment, moment))
    bench.ingest.ingest([bench.tree], steps)
    path.write_text("x = 2\n")
    os.utime(path, ns=(moment, moment))

    bench.refresh.refresh_workspace(bench.tree, steps)

    assert bench.text("a.py") == "x = 2"


def test_a_missing_root_removes_nothing_unless_that_is_accepted(bench: Bench, steps: Steps) -> None:
    bench.write(MANY)
    bench.ingest.ingest([bench.tree], steps)
    shutil.rmtree(bench.tree)

    (held,) = bench.refresh.refresh_workspace(bench.home, steps)
    (held_too,) = bench.refresh.refresh_paths([bench.tree], steps)
    kept = len(bench.stored())
    (accepted,) = bench.refresh.refresh_workspace(bench.home, steps, accept_removals=True)

    for report in (held, held_too):
        assert removals_held_back(report) == [(str(bench.canonical()), "missing", 10, 10)]
        assert "--accept-removals" in report.failures[0].message
    assert kept == 10
    assert accepted.sources == {Outcome.UNCHANGED: 0, Outcome.REMOVED: 10}
    assert bench.stored() == {}


@pytest.mark.parametrize(("gone", "reason"), [(10, "empty"), (4, "many")])
def test_a_folder_that_lost_a_lot_removes_nothing_unless_that_is_accepted(
    bench: Bench, steps: Steps, gone: int, reason: str
) -> None:
    bench.write(MANY)
    bench.ingest.ingest([bench.tree], steps)
    for name in list(MANY)[:gone]:
        (bench.tree / name).unlink()

    (held,) = bench.refresh.refresh_workspace(bench.tree, steps)
    kept = len(bench.stored())
    (accepted,) = bench.refresh.refresh_workspace(bench.tree, steps, accept_removals=True)

    assert removals_held_back(held) == [(str(bench.canonical()), reason, gone, 10)]
    assert (held.sources[Outcome.FAILED], kept) == (1, 10)
    assert accepted.sources[Outcome.REMOVED] == gone


def test_three_of_ten_gone_are_believed(bench: Bench, steps: Steps) -> None:
    bench.write(MANY)
    bench.ingest.ingest([bench.tree], steps)
    for name in list(MANY)[:3]:
        (bench.tree / name).unlink()

    (report,) = bench.refresh.refresh_workspace(bench.tree, steps)

    assert (report.sources[Outcome.REMOVED], report.failures) == (3, ())


def test_what_lies_in_an_unreadable_folder_is_not_taken_for_gone(
    bench: Bench, steps: Steps, unprivileged: Callable[[], AbstractContextManager[None]]
) -> None:
    bench.write({**MANY, "locked/a.py": "x = 1\n"})
    bench.ingest.ingest([bench.tree], steps)
    (bench.tree / "locked").chmod(0)

    with unprivileged():
        (report,) = bench.refresh.refresh_workspace(bench.tree, steps, accept_removals=True)

    (bench.tree / "locked").chmod(0o700)
    assert Outcome.REMOVED not in report.sources
    assert [type(failure.error) for failure in report.failures] == [UnreadableFileError]
    assert "locked/a.py" in bench.stored()


def test_a_file_that_is_gone_can_be_refreshed_away_by_name(bench: Bench, steps: Steps) -> None:
    bench.write(MANY)
    bench.ingest.ingest([bench.tree], steps)
    (bench.tree / "m3.py").unlink()

    (report,) = bench.refresh.refresh_paths([bench.tree / "m3.py"], steps)
    with pytest.raises(MissingPathError):
        bench.refresh.refresh_paths([bench.tree / "m3.py"], steps)

    assert report.sources[Outcome.REMOVED] == 1
    assert set(bench.stored()) == set(MANY) - {"m3.py"}


def test_a_rule_written_later_takes_files_out(bench: Bench, steps: Steps) -> None:
    bench.write({**MANY, "made/a.py": "x = 1\n"})
    bench.ingest.ingest([bench.tree], steps)
    bench.write({".gitignore": "made/\n"})

    (report,) = bench.refresh.refresh_workspace(bench.tree, steps)

    assert report.sources[Outcome.REMOVED] == 1
    assert set(bench.stored()) == {*MANY, ".gitignore"}


def test_a_file_that_becomes_binary_or_secret_is_taken_out(bench: Bench, steps: Steps) -> None:
    bench.write({**MANY, "a.txt": "text\n", "b.txt": "text\n"})
    bench.ingest.ingest([bench.tree], steps)
    bench.write({"a.txt": b"\x00\x01", "b.txt": "-----BEGIN RSA PRIVATE KEY-----\nabc\n"})

    (report,) = bench.refresh.refresh_workspace(bench.tree, steps)

    assert (report.sources[Outcome.REMOVED], report.sources[Outcome.REFUSED]) == (2, 1)
    assert set(bench.stored()) == set(MANY)


def test_excluded_files_stay_out(bench: Bench, steps: Steps) -> None:
    bench.write(MANY)
    bench.ingest.ingest([bench.tree], steps)
    bench.registry.add_exclusion(
        Exclusion(workspace=DEFAULT, target=str(bench.canonical("m0.py")), recursive=False, added_at="")
    )

    (report,) = bench.refresh.refresh_workspace(bench.tree, steps)
    with pytest.raises(ExcludedSourceError):
        bench.refresh.refresh_paths([bench.tree / "m0.py"], steps)

    assert report.sources[Outcome.EXCLUDED] == 1
    assert set(bench.stored()) == set(MANY) - {"m0.py"}


def test_a_refresh_approves_nothing(bench: Bench, steps: Steps) -> None:
    bench.write({"a.py": "x = 1\n"})

    with pytest.raises(OutsideRootsError):
        bench.refresh.refresh_paths([bench.tree], steps)
    (report,) = bench.refresh.refresh_workspace(bench.tree, steps)

    assert bench.registry.roots() == ()
    assert sum(report.sources.values()) == 0


def test_all_workspaces_with_roots_are_refreshed_each_on_its_own(bench: Bench, steps: Steps) -> None:
    bench.write({"one/a.py": "x = 1\n", "two/b.py": "y = 1\n"})
    bench.workspaces.create("idle")
    bench.workspaces.use(bench.tree / "one", "acme")
    bench.ingest.ingest([bench.tree / "one", bench.tree / "two"], steps)
    bench.write({"one/c.py": "z = 1\n"})

    reports = bench.refresh.refresh_all(steps)

    assert [(report.workspace, report.reason, report.sources.get(Outcome.ADDED, 0)) for report in reports] == [
        (ACME, "all", 1),
        (DEFAULT, "all", 0),
    ]


def test_ingesting_a_folder_again_drops_what_is_gone_too(bench: Bench, steps: Steps) -> None:
    bench.write(MANY)
    bench.ingest.ingest([bench.tree], steps)
    (bench.tree / "m0.py").unlink()

    (report,) = bench.ingest.ingest([bench.tree], steps)

    assert report.sources[Outcome.REMOVED] == 1
