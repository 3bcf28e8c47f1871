"""A device for each name, with every service of this chapter, and what may lie in its workspaces."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path, PurePosixPath

import attrs

from imprint.adapters.backup_files import ZippedBackups
from imprint.adapters.bundle_files import ZippedBundles
from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.device_locks import FileDeviceLock
from imprint.adapters.locks import FileLocks
from imprint.adapters.registry_db import SqliteRegistry, open_registry
from imprint.adapters.store_db import SqliteStore, SqliteStoreOpener
from imprint.adapters.workspace_files import WorkspaceFolders
from imprint.default_plugins.local_vectors import open_vector_backend
from imprint.domain.backups import BackupManifest
from imprint.domain.facts import NewFact
from imprint.domain.identifiers import index_text
from imprint.domain.moves import MoveChoice, MoveReport
from imprint.domain.sources import Chunk, MemoryKind, Source, SourceKey, SourceKind, WorkspaceName
from imprint.domain.versions import FactVersion, SourceVersion
from imprint.plugins import VectorBackendSettings
from imprint.services.backup import Backup
from imprint.services.embedding import Embedding
from imprint.services.export import Export
from imprint.services.importing import Import, ImportReport
from imprint.services.move import Move
from imprint.services.restore import Restore, RestoreReport
from imprint.services.wipe import Wipe, WipeReport
from imprint.testing.embedders import FakeEmbedder

DEFAULT = WorkspaceName("default")
ACME = WorkspaceName("acme")
EARLY, LATE = "2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"


class QuietProgress:
    def start(self, activity: str, total_bytes: int | None) -> None:
        del activity, total_bytes

    def advance(self, count: int, bytes: int, current: str) -> None:
        del count, bytes, current

    def finish(self) -> None:
        pass


class CountingEmbedder(FakeEmbedder):
    """A fake that knows how many texts it was given."""

    texts = 0

    def embed_documents(self, texts):
        self.texts += len(texts)
        return super().embed_documents(texts)


class RushingClock(SystemClock):
    """A clock by which there is always time enough: bulk writes make no pauses."""

    _seconds = 0.0

    def monotonic(self) -> float:
        self._seconds += 1
        return self._seconds


@attrs.frozen
class Desk:
    """A data folder as one process sees it, with every service of this chapter."""

    folder: DataFolder
    registry: SqliteRegistry
    stores: SqliteStoreOpener
    locks: FileLocks
    clock: SystemClock
    embedder: CountingEmbedder
    progress: QuietProgress = attrs.field(factory=QuietProgress)

    @property
    def bundles(self) -> ZippedBundles:
        return ZippedBundles(self.folder, program="1.2.3")

    @property
    def embedding(self) -> Embedding:
        def open_backend(workspace, feed):
            folder = self.folder.index(workspace) / feed.model.digest[:16]
            return open_vector_backend(VectorBackendSettings(folder=folder, feed=feed, snapshot_threshold=10_000))

        return Embedding(
            open_embedder=lambda: nullcontext(self.embedder),
            open_backend=open_backend,
            delete_index=lambda *_: None,
            clock=self.clock,
        )

    def export(self, path: Path, workspace: WorkspaceName = DEFAULT):
        return Export(self.stores, self.bundles, self.clock).run(workspace, path, self.progress)

    def import_(self, path: Path, workspace: WorkspaceName = DEFAULT) -> ImportReport:
        service = Import(
            stores=self.stores,
            locks=self.locks,
            bundles=self.bundles,
            clock=self.clock,
            open_embedder=lambda: nullcontext(self.embedder),
            embed=self.embedding.run,
            lock_patience_seconds=0.1,
        )
        return service.run(workspace, path, self.progress)

    def move(self, origin: WorkspaceName, target: WorkspaceName, *, dry_run: bool = False, **choice: str) -> MoveReport:
        service = Move(
            registry=self.registry,
            stores=self.stores,
            locks=self.locks,
            device_lock=FileDeviceLock(self.folder),
            open_embedder=lambda: nullcontext(self.embedder),
            embed=self.embedding.run,
            patience_seconds=0.1,
        )
        return service.run(MoveChoice(**choice), self.progress, origin=origin, target=target, dry_run=dry_run)

    @property
    def backups(self) -> ZippedBackups:
        return ZippedBackups(
            folder=self.folder,
            registry=lambda: self.registry,
            stores=lambda: self.stores,
            clock=self.clock,
            program="1.2.3",
        )

    def backup(self, path: Path) -> BackupManifest:
        service = Backup(
            backups=self.backups,
            device_lock=FileDeviceLock(self.folder),
            clock=self.clock,
            patience_seconds=0.1,
        )
        return service.run(path, self.progress)

    def restore(self, path: Path) -> RestoreReport:
        service = Restore(
            registry=lambda: self.registry,
            stores=lambda: self.stores,
            backups=self.backups,
            files=WorkspaceFolders(self.folder),
            locks=self.locks,
            device_lock=FileDeviceLock(self.folder),
            embed=self.embedding.run,
            patience_seconds=0.1,
        )
        return service.run(path, self.progress)

    def wipe(self, workspace: WorkspaceName = DEFAULT) -> WipeReport:
        return Wipe(
            registry=self.registry,
            stores=self.stores,
            locks=self.locks,
            device_lock=FileDeviceLock(self.folder),
            patience_seconds=0.1,
        ).apply(workspace)

    def embed(self, workspace: WorkspaceName = DEFAULT) -> None:
        with self.stores.open(workspace) as store:
            self.embedding.run(store, self.progress)

    def write(self, *versions: SourceVersion, workspace: WorkspaceName = DEFAULT) -> None:
        """Put versions into a workspace, with the moments they have."""
        with self.stores.open(workspace) as store:
            store.merge_sources(versions)

    def add_facts(self, *facts: FactVersion, workspace: WorkspaceName = DEFAULT) -> None:
        with self.stores.open(workspace) as store:
            store.merge_facts(facts)

    def dump(self, workspace: WorkspaceName = DEFAULT) -> dict[str, object]:
        """All that a workspace holds but for numbers."""
        with self.stores.open(workspace) as store:
            return dump(store)


def dump(store: SqliteStore) -> dict[str, object]:
    with store.snapshot() as snapshot:
        return {
            "sources": {version.source.key: version for version in snapshot.sources()},
            "facts": sorted(snapshot.facts(), key=repr),
            "vectors": {model: dict(snapshot.vectors(model)) for model in snapshot.models()},
        }


@contextmanager
def open_desk(
    path: Path, *, embedder: CountingEmbedder | None = None, clock: SystemClock | None = None
) -> Iterator[Desk]:
    clock = clock or RushingClock()
    folder = DataFolder(path)
    with open_registry(folder, clock) as registry:
        yield Desk(
            folder=folder,
            registry=registry,
            stores=SqliteStoreOpener(folder, registry, clock),
            locks=FileLocks(folder, clock),
            clock=clock,
            embedder=embedder or CountingEmbedder(),
        )


def restore_unopened(path: Path, backup: Path) -> RestoreReport:
    """Restore into a data folder whose registry need not be fit to be opened, as a process of its own does."""
    folder, clock = DataFolder(path), RushingClock()
    opened: list[Desk] = []
    with ExitStack() as stack:

        def desk() -> Desk:
            if not opened:
                opened.append(stack.enter_context(open_desk(path)))
            return opened[0]

        service = Restore(
            registry=lambda: desk().registry,
            stores=lambda: desk().stores,
            backups=ZippedBackups(
                folder=folder,
                registry=lambda: desk().registry,
                stores=lambda: desk().stores,
                clock=clock,
                program="1.2.3",
            ),
            files=WorkspaceFolders(folder),
            locks=FileLocks(folder, clock),
            device_lock=FileDeviceLock(folder),
            embed=lambda store, progress: desk().embedding.run(store, progress),
            patience_seconds=0.1,
        )
        return service.run(backup, QuietProgress())


def version(key: str, texts: Sequence[str], *, at: str = EARLY, **fields: object) -> SourceVersion:
    """A version of a file, memory or inline text, as its key says."""
    is_memory = key.startswith("memory:")
    known: dict[str, object] = {
        "key": SourceKey(key),
        "kind": SourceKind.MEMORY if is_memory else SourceKind.DOCUMENT,
        "memory_kind": MemoryKind.NOTE if is_memory else None,
        "path": PurePosixPath(key) if key.startswith("/") else None,
        "digest": str(hash(tuple(texts)) % 2**32),
        "time": EARLY,
    }
    if key.startswith("/"):
        known |= {"mtime_ns": 1, "size": 2}
    source = Source(**(known | fields))  # type: ignore[arg-type]
    chunks = tuple(Chunk(text=text, start_line=number, end_line=number) for number, text in enumerate(texts, start=1))
    # The index keeps as context what it is given, so a chunk comes back with it.
    return SourceVersion(
        source=source,
        indexed_at=at,
        chunks=tuple(attrs.evolve(chunk, context=index_text(chunk, source).context) for chunk in chunks),
    )


def fact(object: str, *, source: str = "", until: str = "", at: str = EARLY) -> FactVersion:
    new = NewFact(subject="it", predicate="is", object=object, valid_from=EARLY, valid_until=until, source=source)
    return FactVersion(fact=new, recorded_at=at)


SAMPLE = (
    version("/w/a.md", ["apples are red", "pears are green"], project="acme"),
    version("/w/large.md", [f"plum number {number}" for number in range(450)], project="acme"),
    version("/w/empty.md", []),
    version("memory:1", ["we deploy on mondays"], origin="/w/a.md"),
    version("text:notes", ["\u65e5\u672c\u8a9e", "no letter of the model's"]),
)
SAMPLE_FACTS = (fact("red", source="/w/a.md"), fact("green"), fact("blue", until=LATE))
