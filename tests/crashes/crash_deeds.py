"""What programs do to a device, and what they note of it in the ledger: before, what they intend; after, what is so."""

from contextlib import suppress
from hashlib import blake2b

from crash_worlds import Silence, World, write_lines

from imprint.domain.sources import WorkspaceName
from imprint.errors import UnknownPassageError

__all__ = [
    "DEFAULT",
    "add_text",
    "create",
    "fact",
    "forget",
    "index",
    "memory",
    "purge",
    "record_fact",
    "remember",
    "source",
]

DEFAULT = WorkspaceName("default")


def create(world: World, workspace: str) -> None:
    """Make a workspace."""
    world.ledger.intend(f"workspace {workspace}", "there")
    with world.open() as application:
        application.workspaces.create(workspace)
    world.ledger.acknowledge(f"workspace {workspace}", "there")


def source(workspace: str, key: str) -> str:
    """How the ledger calls a source."""
    return f"source {workspace} {key}"


def memory(workspace: str, name: str) -> str:
    """How the ledger calls a memory."""
    return f"memory {workspace} {name}"


def fact(workspace: str, name: str) -> str:
    """How the ledger calls a fact."""
    return f"fact {workspace} {name}"


def remember(world: World, name: str, *, workspace: str = "default", origin: str = "") -> None:
    """Store a memory of this name."""
    thing = memory(workspace, name)
    world.ledger.intend(thing, "v1")
    with world.open() as application:
        application.memories.remember(WorkspaceName(workspace), write_lines(workspace, name, 1, 1), origin=origin)
    world.ledger.acknowledge(thing, "v1")


def forget(world: World, name: str) -> None:
    """Forget the memory of this name, if it is there."""
    thing = memory(DEFAULT, name)
    world.ledger.intend(thing, None)
    text = write_lines(DEFAULT, name, 1, 1)
    key = f"memory:{blake2b(chr(0).encode() + text.encode(), digest_size=16).hexdigest()[:16]}"
    with world.open() as application, suppress(UnknownPassageError):
        application.memories.forget(DEFAULT, [key])
    world.ledger.acknowledge(thing, None)


def add_text(world: World, name: str, version: int, *, total: int = 3, width: int = 1) -> None:
    """Store an inline text in one of its versions."""
    thing = source(DEFAULT, f"text:{name}")
    world.ledger.intend(thing, f"v{version}")
    with world.open() as application:
        application.memories.add_text(DEFAULT, name, write_lines(DEFAULT, name, version, total, width=width))
    world.ledger.acknowledge(thing, f"v{version}")


def record_fact(world: World, name: str, *, source: str = "") -> None:
    """Record a fact of this subject, once, and end it."""
    thing = fact(DEFAULT, name)
    with world.open() as application:
        found = application.facts.history(DEFAULT, subject=name)
        world.ledger.intend(thing, "open")
        if not found:
            found = [application.facts.add(DEFAULT, subject=name, predicate="is", object="there", source=source).fact]
        world.ledger.intend(thing, "ended")
        application.facts.end(DEFAULT, found[0].id)
    world.ledger.acknowledge(thing, "ended")


def index(
    world: World, versions: dict[str, int | None], *, workspace: str = "default", embedder: str = "memvec"
) -> None:
    """Ingest a workspace's tree, in which files have these versions now, or are gone."""
    things = {
        source(workspace, str(world.tree(workspace) / name)): None if version is None else f"v{version}"
        for name, version in versions.items()
    }
    for thing, value in things.items():
        world.ledger.intend(thing, value)
    with world.open(embedder=embedder) as application:
        application.ingest.ingest([world.tree(workspace)], Silence(), explicit=workspace)
    for thing, value in things.items():
        world.ledger.acknowledge(thing, value)


def purge(world: World, target: str, *, things: list[str], recursive: bool = True) -> None:
    """Purge a folder or file of the default workspace, and with it some things."""
    excluded = f"exclusion default {target}"
    for thing in things:
        world.ledger.intend(thing, None)
    world.ledger.intend(excluded, "there")
    with world.open() as application:
        application.purge.apply(DEFAULT, target, recursive=recursive)
    for thing in things:
        world.ledger.acknowledge(thing, None)
    world.ledger.acknowledge(excluded, "there")
