"""Files that are damaged, foreign, newer than this program, or cannot be written."""

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import attrs
import pytest

from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.registry_db import open_registry
from imprint.adapters.registry_schema import REGISTRY_SCHEMA
from imprint.adapters.sqlite_files import SqliteFile
from imprint.adapters.store_db import SqliteStore
from imprint.adapters.store_schema import STORE_SCHEMA
from imprint.domain.sources import SourceKey, WorkspaceName
from imprint.errors import (
    DataFolderError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreTooNewError,
    StoreUnavailableError,
)
from imprint.protocols.text_indexes import ChunkFilter, TextQuery

WORKSPACE = WorkspaceName("default")


@pytest.fixture
def full_device(open_device, make_source) -> DataFolder:
    """A data folder with things in it, that nobody has open."""
    with open_device() as device, device.stores.open(WORKSPACE) as store:
        store.replace_sources([make_source(f"/{n}", [f"word {n} {'x' * 500}"] * 20) for n in range(20)])
        return device.folder


def overwrite_header(file: Path) -> None:
    with file.open("r+b") as opened:
        opened.write(b"no database at all")


def cut_in_half(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def cut_inside_the_first_page(file: Path) -> None:
    os.truncate(file, 1000)


@pytest.mark.parametrize("damage", [overwrite_header, cut_in_half, cut_inside_the_first_page])
def test_a_damaged_store_is_told_with_its_path(full_device: DataFolder, open_device, damage: Callable[[Path], None]):
    file = full_device.store_file(WORKSPACE)
    damage(file)
    damaged = file.read_bytes()

    with open_device() as device, pytest.raises(StoreDamagedError) as caught, device.stores.open(WORKSPACE):
        pass

    assert caught.value.path == str(file)
    assert caught.value.hint
    assert file.read_bytes() == damaged


def test_a_damaged_registry_is_told_with_its_path(full_device: DataFolder, open_device):
    overwrite_header(full_device.registry_file)

    with pytest.raises(StoreDamagedError) as caught, open_device():
        pass

    assert caught.value.path == str(full_device.registry_file)


def test_a_page_damaged_inside_is_told_when_it_is_read(full_device: DataFolder, open_device):
    file = full_device.store_file(WORKSPACE)
    with file.open("r+b") as opened:
        opened.seek(4096 * 2)
        opened.write(b"\xff" * (file.stat().st_size - 4096 * 2))

    def read_everything(store: SqliteStore) -> None:
        store.match(TextQuery(terms=("word",)), 5, ChunkFilter())
        for stored in store.sources():
            store.source_chunks(stored.source.key)

    with open_device() as device, pytest.raises(StoreDamagedError), device.stores.open(WORKSPACE) as store:
        read_everything(store)


def test_a_database_of_another_program_is_refused_untouched(full_device: DataFolder, open_device):
    file = full_device.store_file(WORKSPACE)
    file.unlink()
    with closing(sqlite3.connect(file)) as foreign:
        foreign.execute("CREATE TABLE theirs (x)")
    content = file.read_bytes()

    with open_device() as device, pytest.raises(StoreDamagedError), device.stores.open(WORKSPACE):
        pass

    assert file.read_bytes() == content


def test_a_registry_in_the_place_of_a_store_is_refused(full_device: DataFolder, open_device):
    full_device.store_file(WORKSPACE).write_bytes(full_device.registry_file.read_bytes())

    with open_device() as device, pytest.raises(StoreDamagedError), device.stores.open(WORKSPACE):
        pass


def test_the_store_of_another_workspace_is_refused(full_device: DataFolder, open_device):
    acme = WorkspaceName("acme")
    with open_device() as device:
        device.registry.create_workspace(acme)
        full_device.make_workspace(acme)
        full_device.store_file(acme).write_bytes(full_device.store_file(WORKSPACE).read_bytes())

        with pytest.raises(StoreDamagedError), device.stores.open(acme):
            pass


@pytest.mark.parametrize("is_registry", [True, False])
def test_a_newer_file_is_refused_and_stays_as_it_is_byte_for_byte(
    full_device: DataFolder, open_device, is_registry: bool
):
    """Even when its writer was killed and left a journal, which closing would write back."""
    file = full_device.registry_file if is_registry else full_device.store_file(WORKSPACE)
    newer = (
        "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA user_version = 99'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", newer, str(file)], check=True)
    journal = file.with_name(f"{file.name}-wal")
    before = file.read_bytes(), journal.read_bytes()

    with pytest.raises(StoreTooNewError) as caught, open_device() as device, device.stores.open(WORKSPACE):
        pass

    known = (REGISTRY_SCHEMA if is_registry else STORE_SCHEMA).version
    assert attrs.astuple(caught.value) == (str(file), 99, known)
    assert (file.read_bytes(), journal.read_bytes()) == before


def test_a_full_disk_is_told_and_what_was_there_stays(full_device: DataFolder, open_device, make_source):
    with open_device() as device:
        file = SqliteFile(full_device.store_file(WORKSPACE), STORE_SCHEMA)
        life = device.registry.life(WORKSPACE)
        with closing(SqliteStore(file, WORKSPACE, device.registry, SystemClock(), life=life)) as store:
            with file.read() as connection:
                (pages,) = connection.execute("PRAGMA page_count").fetchone()
                connection.execute(f"PRAGMA max_page_count = {pages + 2}")

            with pytest.raises(StoreFullError) as caught:
                store.replace_source(*make_source("/1", ["y" * 50_000]))

            assert caught.value.hint
            assert len(store.source_chunks(SourceKey("/1"))) == 20
            assert store.chunk_count() == 400
            with file.read() as connection:
                connection.execute(f"PRAGMA max_page_count = {pages + 100_000}")
            store.replace_source(*make_source("/1", ["y" * 50_000]))
            assert store.chunk_count() == 381


def test_a_data_folder_in_the_place_of_a_file_is_told(tmp_path: Path):
    place = tmp_path / "data"
    place.write_text("a file")

    for folder in (place, place / "below"):
        with pytest.raises(DataFolderError) as caught, open_registry(DataFolder(folder), SystemClock()):
            pass
        assert caught.value.path == str(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
def test_the_data_folder_is_private_to_the_user(full_device: DataFolder):
    for folder in (full_device.path, full_device.workspace(WORKSPACE)):
        assert folder.stat().st_mode & 0o777 == 0o700


@contextmanager
def without_the_rights_of_root() -> Iterator[None]:
    """Modes mean nothing to root, as whom some machines run tests."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")
@pytest.mark.parametrize(("mode", "expected"), [(0o555, StoreReadOnlyError), (0o000, StoreUnavailableError)])
def test_a_data_folder_without_permission_is_told(mode: int, expected: type[StoreError]):
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        data = DataFolder(Path(place) / "data")
        with open_registry(data, SystemClock()):
            pass
        data.path.chmod(mode)

        with without_the_rights_of_root(), pytest.raises(expected) as caught, open_registry(data, SystemClock()):
            pass

        assert "--data-dir" in (caught.value.hint or "")
