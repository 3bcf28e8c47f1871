"""What must hold on a device at any moment, whoever was killed, and what must hold once somebody has run to the end."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import numpy
from crash_observations import databases, observe, store_workspaces
from crash_worlds import World

from imprint.adapters.clocks import SystemClock
from imprint.domain.sources import WorkspaceName
from imprint.domain.times import shift
from imprint.protocols.stores import WorkspaceStore

__all__ = ["find_faults", "find_leftovers", "find_residue"]


class LateClock(SystemClock):
    """An hour ahead: what nobody has worked on since is stale."""

    def now(self) -> str:
        return shift(super().now(), seconds=3600)


def find_faults(world: World) -> list[str]:
    """What contradicts the invariants that hold at every moment; changes nothing but what any opening does."""
    return [*_find_lies(world), *_find_damage(world), *_find_strays(world), *_find_wrong_answers(world)]


def find_leftovers(world: World) -> list[str]:
    """What nobody needs and nobody has cleared away, some time after the last program ran to its end."""
    return list(_find_leftovers(world))


def find_residue(world: World, *texts: str) -> list[str]:
    """Files of the data folder in which some text is, byte for byte."""
    files = [path for path in world.data.rglob("*") if path.is_file()]
    contents = {path: path.read_bytes() for path in files}
    return [f"{text!r} is in {path}" for text in texts for path, data in contents.items() if text.encode() in data]


def _find_lies(world: World) -> Iterator[str]:
    """Things that are not what somebody was told, nor what somebody was about to make of them."""
    observed = observe(world)
    allowed = world.ledger.allowed()
    for thing in sorted({*observed, *allowed}):
        is_expected = thing in allowed or thing.startswith("root ")
        if not is_expected:
            yield f"{thing} is {observed[thing]!r}, and nobody wrote that"
        elif thing in allowed and observed.get(thing) not in allowed[thing]:
            yield f"{thing} is {observed.get(thing)!r} instead of {sorted(map(str, allowed[thing]))}"


def _find_damage(world: World) -> Iterator[str]:
    """What SQLite itself finds."""
    for path in databases(world):
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for pragma in ("integrity_check", "foreign_key_check"):
                for row in connection.execute(f"PRAGMA {pragma}").fetchall():
                    if row != ("ok",):
                        yield f"{path.name}: {pragma}: {row}"
            if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'full_text'").fetchone():
                try:
                    connection.execute("INSERT INTO full_text (full_text, rank) VALUES ('integrity-check', 1)")
                except sqlite3.DatabaseError as error:
                    yield f"{path.name}: full text: {error}"


def _find_strays(world: World) -> Iterator[str]:
    """Rows that do not belong together."""
    for workspace in store_workspaces(world):
        with closing(sqlite3.connect(world.store_file(workspace))) as connection:
            if not connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
                continue
            for name, query in _STRAYS.items():
                (count,) = connection.execute(query).fetchone()
                if count:
                    yield f"workspace {workspace}: {count} {name}"
            found = connection.execute("SELECT value FROM meta WHERE key = 'workspace'").fetchone()
            if found not in (None, (workspace,)):
                yield f"workspace {workspace}: the store says it belongs to {found}"
            lines = connection.execute(
                "SELECT text FROM passages WHERE text NOT LIKE ? AND text NOT LIKE '<both %'", (f"<{workspace} %",)
            ).fetchall()
            if lines:
                yield f"workspace {workspace}: passages of another: {lines[:2]}"


_STRAYS = {
    "chunks without a passage": "SELECT count(*) FROM chunks WHERE id NOT IN (SELECT chunk FROM passages)",
    "passages without a chunk": "SELECT count(*) FROM passages WHERE chunk NOT IN (SELECT id FROM chunks)",
    "vectors without a chunk": "SELECT count(*) FROM vectors WHERE chunk NOT IN (SELECT id FROM chunks)",
    "sources with other chunks than they say": (
        "SELECT count(*) FROM sources AS s WHERE state = 'live' "
        "AND chunks <> (SELECT count(*) FROM chunks WHERE source = s.id)"
    ),
    "keys that are live twice": (
        "SELECT count(*) FROM (SELECT 1 FROM sources WHERE state = 'live' GROUP BY key HAVING count(*) > 1)"
    ),
    "numbers beyond the sequence": (
        "SELECT count(*) FROM (SELECT seq FROM vectors UNION ALL SELECT seq FROM tombstones) "
        "WHERE seq > (SELECT last FROM sequence)"
    ),
    "numbers given twice": "SELECT count(*) FROM vectors JOIN tombstones USING (seq)",
    "files of the index ahead of the store": (
        "SELECT count(*) FROM generations WHERE position > (SELECT last FROM sequence)"
    ),
}


def _find_wrong_answers(world: World) -> Iterator[str]:
    """The index answers from its files what the vectors of the store say, and full text what the passages say."""
    with world.open(embedder="") as application:
        for record in application.workspaces.list():
            if record.name not in store_workspaces(world):
                continue
            with application._stores.open(record.name) as store:
                for model in store.known_models():
                    yield from _find_wrong_neighbours(world, application, store, model)


def _find_wrong_neighbours(world: World, application, store: WorkspaceStore, model) -> Iterator[str]:
    rows = _vectors_of(world, store.workspace, model)
    with application._chosen.open_backend(store.workspace, store.feed(model)) as backend:
        for id, vector in list(rows.items())[:: max(1, len(rows) // 3)]:
            found = Counter(hit.id for hit in backend.search(vector, 5))
            unknown = found.keys() - rows.keys()
            if unknown:
                yield f"workspace {store.workspace}: the index finds chunks that are not there: {sorted(unknown)}"
            nearest = max((_cosine(rows[other], vector) for other in found.keys() & rows.keys()), default=0.0)
            if nearest < 0.99 or max(found.values()) > 1:
                yield f"workspace {store.workspace}: the index finds {dict(found)} instead of chunk {id}"
        scored = {hit.id for hit in backend.scores(numpy.ones(model.width, dtype=numpy.float32), list(rows))}
        if scored != rows.keys():
            yield f"workspace {store.workspace}: the index knows {len(scored)} of {len(rows)} vectors"


def _vectors_of(world: World, workspace: WorkspaceName, model) -> dict[int, numpy.ndarray]:
    with closing(sqlite3.connect(world.store_file(workspace))) as connection:
        rows = connection.execute(
            "SELECT v.chunk, v.f16 FROM vectors AS v JOIN models AS m ON m.id = v.model "
            "JOIN chunks AS c ON c.id = v.chunk JOIN sources AS s ON s.id = c.source "
            "WHERE m.name = ? AND NOT m.dropped AND s.state = 'live'",
            (model.name,),
        ).fetchall()
    return {id: numpy.frombuffer(blob, dtype=numpy.float16).astype(numpy.float32) for id, blob in rows}


def _cosine(one: numpy.ndarray, other: numpy.ndarray) -> float:
    return float(one @ other) / (float(numpy.linalg.norm(one)) * float(numpy.linalg.norm(other)))


def _find_leftovers(world: World) -> Iterator[str]:
    with world.open(embedder="") as application:
        live = {record.name for record in application.workspaces.list()}
        for name in sorted(live):
            if not application._stores.exists(name):
                continue
            with application._stores.open(name) as store:
                store._clock = LateClock()
                store.sweep()
                if unfinished := store.unfinished_purges():
                    yield f"workspace {name}: pending: {unfinished}"
                if unlisted := store._unlisted_files():
                    yield f"workspace {name}: files that nobody lists: {unlisted}"
    for workspace in store_workspaces(world):
        if workspace not in live:
            yield f"workspace {workspace} is deleted, and has a store"
            continue
        with closing(sqlite3.connect(world.store_file(workspace))) as connection:
            states = connection.execute("SELECT state, key FROM sources WHERE state <> 'live'").fetchall()
            dropped = connection.execute("SELECT name FROM models WHERE dropped").fetchall()
            if states or dropped:
                yield f"workspace {workspace}: {states} {dropped}"
    for path in world.place.rglob("*"):
        if path.suffix == ".tmp" or path.name.startswith((".config.toml.", ".workspace.json.")):
            yield f"{path} was left"
