"""When derived files are written anew: decided from the feed's records alone."""

import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from imprint.default_plugins.local_vectors.policies import FLAT, GRAPH, Policy, find_useless_files
from imprint.plugins import Generation

POLICY = Policy(threshold=10_000)


@attrs.define
class RecordedFeed:
    """As much of a feed as the policy asks for."""

    reached: int
    generations: dict[str, Generation] = attrs.field(factory=dict)
    epoch: str = "now"

    def position(self) -> int:
        return self.reached

    def generation(self, backend: str) -> Generation | None:
        return self.generations.get(backend)


def generation(backend: str, rows: int, folder: Path, *, epoch: str = "now") -> Generation:
    (folder / backend).touch()
    return Generation(number=1, backend=backend, file=backend, digest="d", position=rows, epoch=epoch, rows=rows)


@pytest.mark.parametrize(
    ("rows", "changes", "is_worth_it"),
    [(0, 0, False), (0, 2_047, False), (0, 2_048, True), (80_000, 4_999, False), (80_000, 5_000, True)],
)
def test_a_flat_file_is_rewritten_when_a_share_of_its_rows_changed(rows, changes, is_worth_it, tmp_path: Path):
    flat = generation(FLAT, rows, tmp_path) if rows else None

    assert POLICY.is_flat_worth_writing(flat, changes=changes) is is_worth_it


@pytest.mark.parametrize(
    ("rows", "strays", "is_worth_it"),
    [(9_999, None, False), (10_000, None, True), (80_000, 9_999, False), (80_000, 10_000, True)],
)
def test_a_graph_is_built_from_the_threshold_on_and_when_a_share_strays(rows, strays, is_worth_it):
    assert POLICY.is_graph_worth_building(rows, strays=strays) is is_worth_it


def test_an_empty_store_has_nothing_to_do(tmp_path: Path):
    assert not POLICY.may_be_due(RecordedFeed(0), tmp_path)


@pytest.mark.parametrize("name", ["local-0-old", "local-0-old.verified", "0123.tmp"])
def test_what_a_killed_process_left_is_reason_to_look_closer(tmp_path: Path, name: str):
    feed = RecordedFeed(80_100, {name: generation(name, 80_000, tmp_path) for name in (FLAT, GRAPH)})
    (tmp_path / f"{FLAT}.verified").touch()
    before = POLICY.may_be_due(feed, tmp_path)
    (tmp_path / name).touch()

    assert not before
    assert POLICY.may_be_due(feed, tmp_path)
    assert find_useless_files(feed, tmp_path) == [tmp_path / name]


def test_a_generation_that_covers_the_feed_is_left_alone(tmp_path: Path):
    feed = RecordedFeed(80_100, {name: generation(name, 80_000, tmp_path) for name in (FLAT, GRAPH)})

    assert not POLICY.may_be_due(feed, tmp_path)


@pytest.mark.parametrize("name", [FLAT, GRAPH])
def test_a_missing_file_is_written_anew(name, tmp_path: Path):
    feed = RecordedFeed(80_100, {name: generation(name, 80_000, tmp_path) for name in (FLAT, GRAPH)})
    (tmp_path / name).unlink()

    assert POLICY.may_be_due(feed, tmp_path)


def test_a_large_flat_file_without_a_graph_gets_one(tmp_path: Path):
    assert POLICY.may_be_due(RecordedFeed(80_000, {FLAT: generation(FLAT, 80_000, tmp_path)}), tmp_path)


def test_a_generation_from_before_the_store_was_restored_counts_for_nothing(tmp_path: Path):
    feed = RecordedFeed(5_000, {FLAT: generation(FLAT, 5_000, tmp_path, epoch="before")})

    assert POLICY.may_be_due(feed, tmp_path)


def test_opening_and_finding_nothing_due_loads_no_numpy():
    code = """
import sys
from pathlib import Path
from imprint.default_plugins.local_vectors import open_vector_backend
from imprint.plugins import VectorBackendSettings

class EmptyFeed:
    epoch = "now"
    def position(self): return 0
    def generation(self, backend): return None

with open_vector_backend(VectorBackendSettings(folder=Path("nowhere"), feed=EmptyFeed())) as backend:
    assert backend.compact() is False
    assert backend.notices() == ()
print({"numpy", "usearch", "numkong"} & set(sys.modules))
"""

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("set()\n", "")
