"""Locks between real processes."""

import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from imprint.adapters.data_folders import DataFolder
from imprint.adapters.locks import FileLocks
from imprint.domain.sources import WorkspaceName
from imprint.errors import DataFolderError, LockHeldError
from imprint.protocols.locks import LockHolder
from imprint.testing.fakes import FixedClock

DEFAULT, ACME = WorkspaceName("default"), WorkspaceName("acme")

HOLD = """
import sys
from pathlib import Path
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.locks import FileLocks
from imprint.testing.fakes import FixedClock
with FileLocks(DataFolder(Path(sys.argv[1])), FixedClock()).hold("default", "ingest"):
    sys.stdout.write("held\\n")
    sys.stdout.flush()
    sys.stdin.readline()
"""


@pytest.fixture
def locks(tmp_path: Path) -> FileLocks:
    return FileLocks(DataFolder(tmp_path), FixedClock())


@pytest.fixture
def other(tmp_path: Path, locks: FileLocks):
    """A process that holds the lock until it reads a line."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_nobody_holds_a_lock_that_was_never_taken(locks: FileLocks, tmp_path: Path):
    assert locks.holder(DEFAULT) is None
    assert list(tmp_path.iterdir()) == []


def test_a_lock_shows_its_holder_and_refuses_others(locks: FileLocks, other: subprocess.Popen[str]):
    holder = LockHolder(pid=other.pid, activity="ingest", since="2026-01-02T03:04:05.678Z")

    with pytest.raises(LockHeldError) as caught, locks.hold(DEFAULT, "refresh"):
        pass

    assert attrs.astuple(caught.value) == ("default", other.pid, "ingest", "2026-01-02T03:04:05.678Z")
    assert locks.holder(DEFAULT) == holder
    assert locks.holder(ACME) is None
    with locks.hold(ACME, "refresh"):
        pass


def test_a_lock_dies_with_its_process(locks: FileLocks, other: subprocess.Popen[str]):
    other.kill()
    other.wait()

    assert locks.holder(DEFAULT) is None
    with locks.hold(DEFAULT, "refresh"):
        pass


def test_a_lock_is_had_as_soon_as_it_is_free(locks: FileLocks, other: subprocess.Popen[str]):
    other.stdin.write("\n")
    other.stdin.flush()

    with locks.hold(DEFAULT, "refresh", wait_seconds=30):
        assert locks.holder(DEFAULT).activity == "refresh"

    assert locks.holder(DEFAULT) is None


def test_an_error_inside_lets_the_lock_go(locks: FileLocks):
    def fail() -> None:
        with locks.hold(DEFAULT, "refresh"):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()

    with locks.hold(DEFAULT, "again"):
        pass


def test_a_lock_whose_file_cannot_be_made_is_told(tmp_path: Path):
    (tmp_path / "workspaces").write_text("a file")

    with (
        pytest.raises(DataFolderError) as caught,
        FileLocks(DataFolder(tmp_path), FixedClock()).hold(DEFAULT, "ingest"),
    ):
        pass

    assert caught.value.path == str(tmp_path / "workspaces" / "default")


def test_asking_for_stores_and_the_registry_loads_no_lock_library():
    modules = "imprint.adapters.locks, imprint.adapters.store_db, imprint.adapters.registry_db"
    script = f"import sys, {modules}; sys.exit(' '.join({{'filelock', 'numpy', 'asyncio'}} & set(sys.modules)))"

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (1, "\n")
