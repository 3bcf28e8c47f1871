"""A process of its own that works on a store: `store_worker.py FOLDER ACTION NAME`."""

import itertools
import sys
from pathlib import Path, PurePosixPath

from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.registry_db import open_registry
from imprint.adapters.store_db import SqliteStore, SqliteStoreOpener
from imprint.domain.facts import NewFact
from imprint.domain.identifiers import index_text
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind, WorkspaceName

SIZES = {"/small": 20, "/large": 450}


def write(store: SqliteStore, key: str, texts: list[str], kind: SourceKind = SourceKind.CODE) -> None:
    source = Source(key=SourceKey(key), kind=kind, path=PurePosixPath(key))
    store.replace_source(source, [(chunk, index_text(chunk, source)) for chunk in (Chunk(text=text) for text in texts)])


def write_small_things(store: SqliteStore, name: str) -> None:
    """What ten windows do at once: memories, facts, files."""
    for number in range(8):
        write(store, f"memory:{name}-{number}", [f"word {name} {number}"], SourceKind.MEMORY)
        write(store, f"/{name}/{number}", [f"word {name} {number}"] * 3)
        store.add_fact(
            NewFact(subject=name, predicate="counts", object=str(number), valid_from="2026-01-01T00:00:00.000Z")
        )


def write_versions(store: SqliteStore, name: str) -> None:
    """Replace a small and a large source by the next version, until somebody stops us."""
    for version in itertools.count():
        for key, size in SIZES.items():
            write(store, key, [f"version{version} part{part}" for part in range(size)])
        if version == 0:
            sys.stdout.write("ready\n")
            sys.stdout.flush()


ACTIONS = {"small": write_small_things, "versions": write_versions}

if __name__ == "__main__":
    folder, action, name = sys.argv[1:]
    clock, data = SystemClock(), DataFolder(Path(folder))
    with (
        open_registry(data, clock) as registry,
        SqliteStoreOpener(data, registry, clock).open(WorkspaceName("default")) as store,
    ):
        ACTIONS[action](store, name)
