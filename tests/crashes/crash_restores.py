"""The programs for a whole device or workspace at once: back it up, put it back, empty it."""

from contextlib import suppress

from crash_deeds import DEFAULT, add_text, create, fact, forget, memory, purge, remember, source
from crash_transfers import OTHER, VERSIONS, fill
from crash_worlds import DAMAGE, Silence, World

from imprint.errors import TargetExistsError

__all__ = ["Backup", "Mend", "Restore", "Wipe"]


class Backup:
    """Everything becomes one file."""

    def set_up(self, world: World) -> None:
        create(world, OTHER)
        fill(world)
        remember(world, "there", workspace=OTHER)

    def run(self, world: World) -> None:
        back_up(world)


class Restore:
    """What was changed, forgotten and deleted since is as it was; what was purged since stays out."""

    forgotten = ("<default 3.txt v1",)

    def set_up(self, world: World) -> None:
        create(world, OTHER)
        fill(world)
        remember(world, "there", workspace=OTHER)
        remember(world, "passing")
        add_text(world, "text", 1)
        back_up(world)
        add_text(world, "text", 2)
        add_text(world, "late", 1)
        forget(world, "passing")
        three = source(DEFAULT, str(world.tree() / "3.txt"))
        purge(world, str(world.tree() / "3.txt"), things=[three])
        with world.open() as application:
            application.workspaces.delete(OTHER)
        world.ledger.acknowledge(f"workspace {OTHER}", None)
        world.ledger.acknowledge(memory(OTHER, "there"), None)

    def run(self, world: World) -> None:
        restored = {
            source(DEFAULT, "text:text"): "v1",
            source(DEFAULT, "text:late"): None,
            memory(DEFAULT, "passing"): "v1",
            memory(OTHER, "there"): "v1",
            f"workspace {OTHER}": "there",
        }
        for thing, value in restored.items():
            world.ledger.intend(thing, value)
        with world.open() as application:
            application.transfers.restore.run(world.place / "device.zip", Silence())
        for thing, value in restored.items():
            world.ledger.acknowledge(thing, value)


class Mend:
    """A store that is damaged is put aside, and what the backup has of it in its place."""

    def set_up(self, world: World) -> None:
        fill(world)
        remember(world, "kept", workspace=DEFAULT)
        create(world, OTHER)
        remember(world, "there", workspace=OTHER)
        back_up(world)
        for suffix in ("-wal", "-shm"):
            with suppress(FileNotFoundError):
                world.store_file(OTHER).with_name(f"store.sqlite3{suffix}").unlink()
        world.store_file(OTHER).write_bytes(DAMAGE * 1_000)
        world.ledger.acknowledge(memory(OTHER, "there"), None)

    def run(self, world: World) -> None:
        world.ledger.intend(memory(OTHER, "there"), "v1")
        with world.open() as application:
            application.transfers.restore.run(world.place / "device.zip", Silence())
        world.ledger.acknowledge(memory(OTHER, "there"), "v1")


class Wipe:
    """A workspace forgets everything; another forgets nothing."""

    forgotten = ("<default ",)

    def set_up(self, world: World) -> None:
        create(world, OTHER)
        remember(world, "there", workspace=OTHER)
        fill(world)

    def run(self, world: World) -> None:
        things = [
            *(source(DEFAULT, str(world.tree() / name)) for name in VERSIONS),
            memory(DEFAULT, "kept"),
            fact(DEFAULT, "pier"),
        ]
        for thing in things:
            world.ledger.intend(thing, None)
        with world.open() as application:
            application.transfers.wipe.apply(DEFAULT)
        for thing in things:
            world.ledger.acknowledge(thing, None)


def back_up(world: World) -> None:
    """Back the device up, unless that was done."""
    path = world.place / "device.zip"
    world.ledger.intend(f"bundle {path}", "whole")
    with world.open() as application, suppress(TargetExistsError):
        application.transfers.backup.run(path, Silence())
    world.ledger.acknowledge(f"bundle {path}", "whole")
