"""A device of its own for each test: data folder, registry, store."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path, PurePosixPath

import attrs
import pytest

from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.registry_db import SqliteRegistry, open_registry
from imprint.adapters.store_db import SqliteStore, SqliteStoreOpener
from imprint.domain.identifiers import index_text
from imprint.domain.indexing import IndexedText
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind, WorkspaceName
from imprint.protocols.clocks import Clock

WORKSPACE = WorkspaceName("default")


class RushingClock(SystemClock):
    """A clock by which there is always time enough: bulk writes make no pauses."""

    _seconds = 0.0

    def monotonic(self) -> float:
        self._seconds += 1
        return self._seconds


@attrs.frozen
class Device:
    """One user's data folder, as one process sees it."""

    folder: DataFolder
    registry: SqliteRegistry
    stores: SqliteStoreOpener


@pytest.fixture
def open_device(tmp_path: Path) -> Callable[..., AbstractContextManager[Device]]:
    """Open the test's data folder, as a further process or thread would."""

    @contextmanager
    def open_device(clock: Clock | None = None) -> Iterator[Device]:
        clock = clock or RushingClock()
        folder = DataFolder(tmp_path / "data")
        with open_registry(folder, clock) as registry:
            yield Device(folder, registry, SqliteStoreOpener(folder, registry, clock))

    return open_device


@pytest.fixture
def device(open_device: Callable[..., AbstractContextManager[Device]]) -> Iterator[Device]:
    with open_device() as device:
        yield device


@pytest.fixture
def store(device: Device) -> Iterator[SqliteStore]:
    with device.stores.open(WORKSPACE) as store:
        yield store


@pytest.fixture
def make_source() -> Callable[..., tuple[Source, list[tuple[Chunk, IndexedText]]]]:
    """A file source with the given chunk texts, ready to be stored."""

    def make_source(key: str, texts: Sequence[str], **fields: object) -> tuple[Source, list[tuple[Chunk, IndexedText]]]:
        known: dict[str, object] = {
            "key": SourceKey(key),
            "kind": SourceKind.CODE,
            "path": PurePosixPath(key) if key.startswith("/") else None,
            "mtime_ns": 1,
            "size": 2,
            "digest": "d",
        }
        source = Source(**(known | fields))  # type: ignore[arg-type]
        chunks = [Chunk(text=text, start_line=number, end_line=number) for number, text in enumerate(texts, start=1)]
        return source, [(chunk, index_text(chunk, source)) for chunk in chunks]

    return make_source


@pytest.fixture
def count_rows(device: Device) -> Callable[..., int]:
    """Rows that are really in a workspace's file, whether anybody sees them or not."""

    def count_rows(table: str, workspace: WorkspaceName = WORKSPACE) -> int:
        with closing(sqlite3.connect(device.folder.store_file(workspace))) as connection:
            (count,) = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        return int(count)

    return count_rows
