"""The programs that carry what is stored from one place to another."""

from contextlib import suppress

from crash_deeds import DEFAULT, add_text, create, fact, index, purge, record_fact, remember, source
from crash_worlds import Silence, World, write_lines

from imprint.domain.moves import MoveChoice
from imprint.domain.sources import WorkspaceName
from imprint.errors import NothingToMoveError, TargetExistsError

__all__ = ["VERSIONS", "Export", "Import", "Move", "fill"]

OTHER = WorkspaceName("other")
VERSIONS: dict[str, int | None] = {f"{number}.txt": 1 for number in range(12)}


class Export:
    """A workspace becomes one file."""

    def set_up(self, world: World) -> None:
        fill(world)

    def run(self, world: World) -> None:
        bundle = world.place / "bundle.zip"
        world.ledger.intend(f"bundle {bundle}", "whole")
        with world.open() as application, suppress(TargetExistsError):
            application.transfers.export.run(DEFAULT, bundle, Silence())
        world.ledger.acknowledge(f"bundle {bundle}", "whole")


class Import:
    """A bundle of another device is taken in: new things, older and newer ones, and one that was purged here."""

    def set_up(self, world: World) -> None:
        elsewhere = World(world.place / "elsewhere")
        fill(elsewhere)
        for version in (1, 2):
            add_text(elsewhere, "newer", version)
        add_text(elsewhere, "older", 1)
        add_text(elsewhere, "large", 1, total=420, width=12)
        with elsewhere.open() as application:
            application.transfers.export.run(DEFAULT, world.place / "bundle.zip", Silence())
        world.ledger.acknowledge(f"bundle {world.place / 'bundle.zip'}", "whole")
        fill(world)
        add_text(world, "older", 2)
        purge(world, str(elsewhere.tree() / "3.txt"), things=[])

    def run(self, world: World) -> None:
        elsewhere = World(world.place / "elsewhere")
        arriving = {
            **{source(DEFAULT, str(elsewhere.tree() / name)): "v1" for name in VERSIONS if name != "3.txt"},
            source(DEFAULT, "text:newer"): "v2",
            source(DEFAULT, "text:large"): "v1",
        }
        for thing, value in arriving.items():
            world.ledger.intend(thing, value)
        with world.open() as application:
            application.transfers.importing.run(DEFAULT, world.place / "bundle.zip", Silence())
        for thing, value in arriving.items():
            world.ledger.acknowledge(thing, value)


class Move:
    """Sources and their facts go to another workspace; each is in one of the two at any moment, or in both."""

    def set_up(self, world: World) -> None:
        create(world, OTHER)
        fill(world)
        for number in range(4):
            key = f"text:moving/{number}"
            with world.open() as application:
                application.memories.add_text(DEFAULT, f"moving/{number}", write_lines("both", f"moving/{number}", 1))
                application.facts.add(DEFAULT, subject=f"moving-{number}", predicate="is", object="there", source=key)
            world.ledger.acknowledge(source(DEFAULT, key), "v1")
            world.ledger.acknowledge(source("somewhere", key), "v1")
            world.ledger.acknowledge(fact(DEFAULT, f"moving-{number}"), "open")

    def run(self, world: World) -> None:
        keys = [f"text:moving/{number}" for number in range(4)]
        facts = [f"moving-{number}" for number in range(4)]
        coming = {**{source(OTHER, key): "v1" for key in keys}, **{fact(OTHER, name): "open" for name in facts}}
        going = [*(source(DEFAULT, key) for key in keys), *(fact(DEFAULT, name) for name in facts)]
        for thing, value in coming.items():
            world.ledger.intend(thing, value)
        for thing in going:
            world.ledger.intend(thing, None)
        with world.open() as application, suppress(NothingToMoveError):
            choice = MoveChoice(source="text:moving/*")
            application.transfers.move.run(choice, Silence(), origin=DEFAULT, target=OTHER)
        for thing, value in coming.items():
            world.ledger.acknowledge(thing, value)
        for thing in going:
            world.ledger.acknowledge(thing, None)


def fill(world: World) -> None:
    """Files with an index of their vectors, a memory and a fact."""
    for name in VERSIONS:
        world.write(name, 1)
    index(world, VERSIONS)
    remember(world, "kept")
    record_fact(world, "pier")
