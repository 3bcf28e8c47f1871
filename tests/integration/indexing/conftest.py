"""Ingest and refresh on a real device: real registry, store, locks, extractors and files; nothing is embedded."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import attrs
import pytest

from imprint.adapters.charsets import guess_encoding
from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.files import RealFileTree
from imprint.adapters.locks import FileLocks
from imprint.adapters.project_folders import RealProjectFolders
from imprint.adapters.registry_db import SqliteRegistry, open_registry
from imprint.adapters.store_db import SqliteStoreOpener
from imprint.adapters.workspace_files import WorkspaceFolders
from imprint.domain.redaction import Redactor
from imprint.domain.sources import CanonicalPath, StoredSource, WorkspaceName
from imprint.plugins.registry import PluginRegistry
from imprint.protocols.progress import Progress
from imprint.protocols.stores import WorkspaceStore
from imprint.services.extraction import Extractors
from imprint.services.file_preparation import FilePreparation
from imprint.services.indexing import Indexing
from imprint.services.ingest import Ingest
from imprint.services.refresh import Refresh
from imprint.services.workspace_roots import WorkspaceRoots
from imprint.services.workspaces import Workspaces
from imprint.testing.fakes import MemorySettings

DEFAULT = WorkspaceName("default")
_NOBODY = 65534


class RushingClock(SystemClock):
    """A clock by which there is always time enough: bulk writes make no pauses."""

    _seconds = 0.0

    def monotonic(self) -> float:
        self._seconds += 1
        return self._seconds


@attrs.define
class Steps:
    """Progress that remembers what it was told, and can be made to act on it."""

    stages: list[tuple[str, int | None]] = attrs.field(factory=list)
    files: list[str] = attrs.field(factory=list)
    count: int = 0
    bytes: int = 0
    on_file: Callable[[str], None] = lambda _: None

    def start(self, activity: str, total_bytes: int | None) -> None:
        self.stages.append((activity, total_bytes))

    def advance(self, count: int, bytes: int, current: str) -> None:
        self.count += count
        self.bytes += bytes
        if bytes:
            self.files.append(current)
            self.on_file(current)

    def finish(self) -> None:
        self.stages.append(("finished", None))


@attrs.frozen(kw_only=True)
class Bench:
    """One device, and the use cases on it."""

    home: Path
    tree: Path
    data: DataFolder
    files: RealFileTree
    registry: SqliteRegistry
    stores: SqliteStoreOpener
    workspaces: Workspaces
    ingest: Ingest
    refresh: Refresh
    embedded: list[WorkspaceName]

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write files below the tree, old enough for their times to tell versions apart."""
        for name, content in files.items():
            path = self.tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
            self.age(path)

    def age(self, path: Path, seconds: int = 3600) -> None:
        """Make a file look written a while before its real time."""
        found = path.stat()
        moment = found.st_mtime_ns - seconds * 1_000_000_000
        os.utime(path, ns=(moment, moment))

    def canonical(self, *parts: str) -> CanonicalPath:
        return self.files.canonical(self.tree.joinpath(*parts))

    def stored(self, workspace: WorkspaceName = DEFAULT) -> dict[str, StoredSource]:
        """What a workspace holds, by path below the tree."""
        with self.stores.open(workspace) as store:
            return {os.path.relpath(found.source.key, self.tree): found for found in store.sources()}

    def text(self, name: str, workspace: WorkspaceName = DEFAULT) -> str:
        with self.stores.open(workspace) as store:
            chunks = store.source_chunks(self.stored(workspace)[name].source.key)
        return "\n".join(chunk.chunk.text for chunk in chunks)


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[Callable[..., Bench]]:
    """Open the test's device; again for a second process's view of it."""
    opened = []

    def make_bench(max_file_bytes: int = 100_000) -> Bench:
        home, tree = tmp_path.resolve() / "home", tmp_path.resolve() / "home" / "tree"
        tree.mkdir(parents=True, exist_ok=True)
        clock = RushingClock()
        data = DataFolder(tmp_path / "data")
        context = open_registry(data, clock)
        registry = context.__enter__()
        opened.append(context)
        stores, locks = SqliteStoreOpener(data, registry, clock), FileLocks(data, clock)
        projects = RealProjectFolders((RealFileTree(homes=(), environ={}).canonical(home),))
        files = RealFileTree(homes=projects.homes, environ={})
        workspaces = Workspaces(
            registry=registry,
            projects=projects,
            settings=MemorySettings(),
            files=WorkspaceFolders(data),
            locks=locks,
            clock=clock,
        )
        embedded: list[WorkspaceName] = []

        def embed(store: WorkspaceStore, progress: Progress) -> None:
            embedded.append(store.workspace)

        indexing = Indexing(
            files=files,
            stores=stores,
            registry=registry,
            locks=locks,
            clock=clock,
            preparation=FilePreparation(
                files=files,
                outline=Extractors(PluginRegistry().handles("extractors")).outline,
                redact=Redactor().redact,
                guess_encoding=guess_encoding,
                max_file_bytes=max_file_bytes,
            ),
            embed=embed,
            lock_patience_seconds=0,
        )
        roots = WorkspaceRoots(workspaces)
        return Bench(
            home=home,
            tree=tree,
            data=data,
            files=files,
            registry=registry,
            stores=stores,
            workspaces=workspaces,
            ingest=Ingest(indexing, roots),
            refresh=Refresh(indexing, roots),
            embedded=embedded,
        )

    yield make_bench
    for context in reversed(opened):
        context.__exit__(None, None, None)


@pytest.fixture
def bench(make_bench: Callable[..., Bench]) -> Bench:
    return make_bench()


@pytest.fixture
def unprivileged(tmp_path: Path) -> Callable[[], AbstractContextManager[None]]:
    """Run as a user whom permissions hold back, if the tests run as root."""

    @contextmanager
    def unprivileged() -> Iterator[None]:
        if os.name == "nt":
            pytest.skip("permissions work otherwise there")
        if os.geteuid() != 0:
            yield
            return
        closed = [folder for folder in tmp_path.parents if not folder.stat().st_mode & 0o001]
        for folder in closed:
            folder.chmod(folder.stat().st_mode | 0o011)
        for path in [tmp_path, *tmp_path.rglob("*")]:
            os.chown(path, _NOBODY, _NOBODY)
        os.seteuid(_NOBODY)
        try:
            yield
        finally:
            os.seteuid(0)
            for folder in closed:
                folder.chmod(folder.stat().st_mode & ~0o011)

    return unprivileged


@pytest.fixture
def steps() -> Steps:
    return Steps()
