"""The programs: each is set up once, then run to be killed, and run again to finish.

What a program is about to do it intends in the ledger, and what it was told was done it acknowledges there. Each may be
run any number of times and ends in the same state.
"""

from typing import Protocol

import numpy
from crash_connections import Connect
from crash_deeds import (
    DEFAULT,
    add_text,
    create,
    fact,
    forget,
    index,
    memory,
    purge,
    record_fact,
    remember,
    source,
)
from crash_restores import Backup, Mend, Restore, Wipe
from crash_transfers import Export, Import, Move
from crash_worlds import World, write_lines

from imprint.domain.sources import SourceKey, WorkspaceName
from imprint.protocols.embedders import ModelIdentity

__all__ = ["PROGRAMS", "Program"]

OLD_MODEL = ModelIdentity("of another time", "00112233445566778899aabbccddeeff", 4)


class Program(Protocol):
    """What a program is; neither part returns before its work is done.

    One that forgets something for good says in ``forgotten`` which texts are in no file then.
    """

    def set_up(self, world: World) -> None: ...

    def run(self, world: World) -> None: ...


class First:
    """The first command on a device."""

    def set_up(self, world: World) -> None:
        world.home.mkdir(parents=True)

    def run(self, world: World) -> None:
        remember(world, "first")


class Remember:
    """Memories, texts and facts, written, replaced and forgotten; in two workspaces."""

    def set_up(self, world: World) -> None:
        create(world, "other")
        for name in ("kept", "forgotten"):
            remember(world, name)
        add_text(world, "text", 1)
        add_text(world, "large", 1, total=420, width=12)

    def run(self, world: World) -> None:
        remember(world, "new")
        remember(world, "there", workspace="other")
        add_text(world, "text", 2)
        add_text(world, "large", 2, total=420, width=12)
        record_fact(world, "pier")
        forget(world, "forgotten")


class Ingest:
    """Files that are new, changed and gone, a small index file and its graph written anew."""

    def set_up(self, world: World) -> None:
        for number in range(14):
            world.write(f"{number}.txt", 1)
        for number in range(3):
            world.write(f"{number}.txt", 1, workspace="other")
        create(world, "other")
        index(world, {f"{number}.txt": 1 for number in range(14)})
        index(world, {f"{number}.txt": 1 for number in range(3)}, workspace="other")
        for number in range(10):
            world.write(f"{number}.txt", 2)
        for number in range(14, 18):
            world.write(f"{number}.txt", 2)
        (world.tree() / "13.txt").unlink()

    def run(self, world: World) -> None:
        versions = {f"{number}.txt": 2 for number in (*range(10), *range(14, 18))}
        index(world, {**versions, "13.txt": None})
        index(world, {}, workspace="other")


class Large:
    """A file of more passages than one transaction takes, replaced by another of the kind."""

    def set_up(self, world: World) -> None:
        world.write("small.txt", 1)
        world.write("large.txt", 1, total=420, width=12)
        index(world, {"small.txt": 1, "large.txt": 1}, embedder="")
        world.write("large.txt", 2, total=430, width=12)

    def run(self, world: World) -> None:
        index(world, {"large.txt": 2}, embedder="")


class Remodel:
    """Another model takes over: its vectors first, then the old ones go."""

    def set_up(self, world: World) -> None:
        for number in range(12):
            world.write(f"{number}.txt", 1)
        versions: dict[str, int | None] = {f"{number}.txt": 1 for number in range(12)}
        index(world, versions, embedder="")
        with world.open() as application, application._stores.open(DEFAULT) as store:
            chunks = [chunk for key in versions for chunk in store.source_chunks(SourceKey(str(world.tree() / key)))]
            ids = [chunk.id for chunk in chunks]
            store.add_vectors(OLD_MODEL, ids, numpy.ones((len(ids), 4), dtype=numpy.float32))
        folder = world.store_file().with_name("index") / "local" / OLD_MODEL.digest[:16]
        folder.mkdir(parents=True)
        (folder / "left").write_bytes(b"vectors of another time")

    def run(self, world: World) -> None:
        index(world, {})


class Outrun:
    """A source goes while an index file is written, so that the file is refused."""

    def set_up(self, world: World) -> None:
        for number in range(12):
            world.write(f"{number}.txt", 1)
        remember(world, "passing")
        index(world, {f"{number}.txt": 1 for number in range(12)}, embedder="")

    def run(self, world: World) -> None:
        assert world.at is not None
        world.at("index.half-written", lambda: forget(world, "passing"))
        index(world, {})
        forget(world, "passing")


class Purge:
    """A folder is purged, with versions, memories, facts and files of the index that hold its vectors."""

    forgotten = ("<default purged",)

    def set_up(self, world: World) -> None:
        for number in range(12):
            world.write(f"{number}.txt", 1)
        for number in range(4):
            world.write(f"purged/{number}.txt", 1, total=6)
        versions: dict[str, int | None] = {f"{number}.txt": 1 for number in range(12)}
        index(world, {**versions, **{f"purged/{number}.txt": 1 for number in range(4)}})
        remember(world, "purged-memory", origin=str(world.tree() / "purged" / "0.txt"))
        record_fact(world, "purged-fact", source=str(world.tree() / "purged" / "gone.txt"))

    def run(self, world: World) -> None:
        purge(
            world,
            str(world.tree() / "purged"),
            things=[
                *(source(DEFAULT, str(world.tree() / "purged" / f"{number}.txt")) for number in range(4)),
                memory(DEFAULT, "purged-memory"),
                fact(DEFAULT, "purged-fact"),
            ],
        )
        index(world, {})


class Workspaces:
    """Workspaces are made, given to projects, switched to, and deleted with all they hold."""

    def set_up(self, world: World) -> None:
        (world.tree() / ".git").mkdir(parents=True)
        (world.tree() / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        with world.open() as application:
            application.workspaces.create("doomed")
            application.config.set("workspace.unassigned", "doomed")
            application.memories.remember(WorkspaceName("doomed"), write_lines("doomed", "lost", 1))
        world.ledger.acknowledge(memory("doomed", "lost"), "v1")
        world.ledger.acknowledge("workspace doomed", "there")
        world.ledger.acknowledge("setting workspace.unassigned", "doomed")

    def run(self, world: World) -> None:
        ledger, tree = world.ledger, world.tree()
        file = tree / ".imprint" / "workspace.json"
        with world.open() as application:
            ledger.intend("workspace acme", "there")
            ledger.intend(f"root acme {tree}", "there")
            ledger.intend(f"file {file}", "acme")
            application.workspaces.use(tree, "acme")
            ledger.acknowledge("workspace acme", "there")
            ledger.acknowledge(f"root acme {tree}", "there")
            ledger.acknowledge(f"file {file}", "acme")
            ledger.intend("active", "acme")
            application.workspaces.switch("acme")
            ledger.acknowledge("active", "acme")
            if (
                "doomed" in {record.name for record in application.workspaces.list()}
                or world.store_file("doomed").exists()
            ):
                ledger.intend("workspace doomed", None)
                ledger.intend(memory("doomed", "lost"), None)
                ledger.intend("setting workspace.unassigned", None)
                application.workspaces.delete("doomed")
            ledger.acknowledge("workspace doomed", None)
            ledger.acknowledge(memory("doomed", "lost"), None)
            ledger.acknowledge("setting workspace.unassigned", None)


PROGRAMS: dict[str, Program] = {
    "first": First(),
    "remember": Remember(),
    "ingest": Ingest(),
    "large": Large(),
    "remodel": Remodel(),
    "outrun": Outrun(),
    "purge": Purge(),
    "workspaces": Workspaces(),
    "export": Export(),
    "import": Import(),
    "move": Move(),
    "backup": Backup(),
    "restore": Restore(),
    "mend": Mend(),
    "wipe": Wipe(),
    "connect": Connect(),
}
