"""What the members of a crowd do, each in a process of its own, over and over until it is enough."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from crash_deeds import DEFAULT, add_text, create, forget, index, memory, purge, record_fact, remember, source
from crash_worlds import Silence, World, describe_lines

from imprint.domain.sources import WorkspaceName
from imprint.errors import BusyError, NothingStoredError
from imprint.services.search import SearchRequest

__all__ = ["ROLES", "Role", "let_end", "set_stage"]

_FILES = 16
_SECRETS = 40


class Role(Protocol):
    """What a role does; busy others are no reason to end."""

    def run(self, world: World) -> None: ...


def set_stage(world: World) -> None:
    """Files that are indexed, some of which are to be purged."""
    versions: dict[str, int | None] = {}
    for name in (
        *(f"{number}.txt" for number in range(_FILES)),
        *(f"secret/{number}.txt" for number in range(_SECRETS)),
    ):
        world.write(name, 1)
        versions[name] = 1
    index(world, versions)


def let_end(world: World) -> None:
    """Let every role end with its turn."""
    _mark(world).touch()


class Writer:
    """Remembers, replaces a text, records facts, and forgets half of what it remembered."""

    def run(self, world: World) -> None:
        for number in _turns(world):
            name = f"{world.name}-{number}"
            _patiently(lambda name=name: remember(world, name))
            _patiently(lambda number=number: add_text(world, f"by-{world.name}", number, total=1 + number % 5))
            _patiently(lambda name=name: record_fact(world, name))
            if number % 2:
                _patiently(lambda name=name: forget(world, name))


class Editor:
    """Changes files and indexes the tree, in which the purged ones lie still."""

    def run(self, world: World) -> None:
        for number in _turns(world):
            chosen = [f"{(number * 3 + step) % _FILES}.txt" for step in range(3)]
            versions: dict[str, int | None] = dict.fromkeys(chosen, number + 1)
            for name in chosen:
                # Intended before it is written: whoever else indexes the tree may see it at once.
                world.ledger.intend(source(DEFAULT, str(world.tree() / name)), f"v{number + 1}")
                world.write(name, number + 1, total=2 + number % 4)
            _patiently(lambda versions=versions: index(world, versions))


class Refresher:
    """Indexes the tree as well, and tells nobody."""

    def run(self, world: World) -> None:
        for _ in _turns(world):
            with world.open() as application:
                _patiently(lambda application=application: application.refresh.refresh_all(Silence()))


class Purger:
    """Purges one secret after the other."""

    def run(self, world: World) -> None:
        for number in _turns(world):
            if number > _SECRETS:
                return
            path = str(world.tree() / "secret" / f"{number - 1}.txt")
            _patiently(lambda path=path: purge(world, path, things=[source(DEFAULT, path)], recursive=False))


class Reader:
    """Searches, and reads whole sources: it sees a version of each, never half of two, and of no other workspace."""

    def run(self, world: World) -> None:
        for number in _turns(world):
            with world.open() as application:
                query = ("harbour pier tide", "anchor vessel", "storm reef sail")[number % 3]
                report = application.search.run(SearchRequest(query=query, workspaces=(DEFAULT,)))
                for result in report.results:
                    assert result.passage.chunk.text.startswith("<default "), result.passage
                for key in (str(world.tree() / f"{number % _FILES}.txt"), "text:by-writer-0"):
                    with_key = _show(application, key)
                    assert " of " not in with_key, with_key
                    assert " and " not in with_key, with_key


class Founder:
    """Makes a workspace, fills it, deletes it, and makes it again."""

    def run(self, world: World) -> None:
        for number in _turns(world):
            name = f"ws-{world.name}"
            create(world, name)
            _patiently(lambda name=name, number=number: remember(world, f"{number}", workspace=name))
            things = (f"workspace {name}", memory(name, str(number)))
            for thing in things:
                world.ledger.intend(thing, None)
            with world.open() as application:
                application.workspaces.delete(WorkspaceName(name))
            for thing in things:
                world.ledger.acknowledge(thing, None)


def _turns(world: World) -> Iterator[int]:
    return itertools.takewhile(lambda _: not _mark(world).exists(), itertools.count(1))


def _mark(world: World) -> Path:
    return world.place / "enough"


def _patiently(deed) -> None:
    """Do something; that others were in the way for too long is an answer too."""
    try:
        deed()
    except BusyError:
        time.sleep(0.01)


def _show(application, key: str) -> str:
    try:
        excerpt = application.reading.show(DEFAULT, key)
    except NothingStoredError:
        return ""
    return describe_lines(passage.chunk.text for passage in excerpt.passages)


ROLES: dict[str, Role] = {
    "writer": Writer(),
    "editor": Editor(),
    "refresher": Refresher(),
    "purger": Purger(),
    "reader": Reader(),
    "founder": Founder(),
}
