"""What a store does to forget for good.

Purges are numbered in ``meta``. With the same transaction that deletes, the number grows; the work that follows notes
the number it has caught up with, so whoever opens the store sees by one read what is still to be done, and a purge that
comes while that work runs is not taken for finished.
"""

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from imprint.adapters.data_folders import INDEX_FOLDER
from imprint.adapters.store_connections import StoreConnection
from imprint.adapters.store_rows import SOURCE_COLUMNS, source_of
from imprint.domain.conversations import conversation_key
from imprint.domain.facts import FactId
from imprint.domain.purge import Exclusion, keep_out_conversations, keep_out_parts, path_of
from imprint.domain.purge_reports import PendingWork
from imprint.domain.purge_selections import Selection, VersionedSource, select
from imprint.domain.sources import SourceId
from imprint.errors import BusyError, StoreError
from imprint.failpoints import reach
from imprint.protocols.purges import Deletion, StoreTraces

__all__ = ["StoredPurges", "count_purge"]

_PURGES = "purges"
_DONE = {PendingWork.INDEX: "purges-indexed", PendingWork.WAL: "purges-emptied", PendingWork.SCRUB: "purges-scrubbed"}


class StoredPurges(StoreConnection):
    """Meets `imprint.protocols.purges.PurgeStore`."""

    def enumerate_target(self, exclusion: Exclusion) -> Deletion:
        with self._file.read() as connection:
            return _count(connection, _select(connection, exclusion, "s.state = 'live'"))

    def purge(self, exclusion: Exclusion) -> Deletion:
        with self._write(durable=True) as permit:
            connection = permit.connection
            deletion = _count(connection, _select(connection, exclusion, "s.state <> 'dropped'"))
            _delete(connection, deletion.selection)
            _delete(connection, _select(connection, exclusion, "s.state = 'dropped'"))
            # A file that a backend published before a vector went holds that vector still.
            connection.execute(
                "DELETE FROM generations WHERE EXISTS (SELECT 1 FROM tombstones "
                "WHERE tombstones.model = generations.model AND tombstones.seq > generations.position)"
            )
            count_purge(connection)
        return deletion

    def unfinished_purges(self) -> tuple[PendingWork, ...]:
        with self._file.read() as connection:
            numbers = _numbers(connection)
        return tuple(work for work, key in _DONE.items() if numbers.get(key, 0) < numbers.get(_PURGES, 0))

    def find_traces(self, exclusion: Exclusion) -> StoreTraces:
        with self._file.read() as connection:
            selection = _select(connection, exclusion, "1")
            numbers = _numbers(connection)
            (free_pages,) = connection.execute("PRAGMA freelist_count").fetchone()
        return StoreTraces(
            sources=len(selection.sources),
            facts=len(selection.facts),
            full_text_fault=self._file.find_full_text_fault("full_text"),
            journal_bytes=_size(self._file.path.with_name(self._file.path.name + "-wal")),
            free_pages=free_pages,
            unlisted_files=self._unlisted_files(),
            purges=numbers.get(_PURGES, 0),
            scrubbed=numbers.get(_DONE[PendingWork.SCRUB], 0),
            emptied=numbers.get(_DONE[PendingWork.WAL], 0),
        )

    def holds_text(self, text: str) -> bool:
        statement = (
            "SELECT 1 FROM passages AS p JOIN chunks AS c ON c.id = p.chunk JOIN sources AS s ON s.id = c.source "
            "WHERE s.state = 'live' AND (instr(p.text, :text) OR instr(p.context, :text)) "
            "UNION ALL SELECT 1 FROM facts WHERE instr(subject, :text) OR instr(object, :text) LIMIT 1"
        )
        with self._file.read() as connection:
            return connection.execute(statement, {"text": text}).fetchone() is not None

    def finish_purges(self, *, patience_seconds: float = 0) -> None:
        with self._file.patience(patience_seconds):
            self._catch_up(PendingWork.INDEX, self._delete_unlisted_files)
            # The journal is emptied last: writing the file anew fills it once more.
            if self._catch_up(PendingWork.SCRUB, self._scrub):
                self._catch_up(PendingWork.WAL, self._file.empty_journal)

    def _catch_up(self, work: PendingWork, do: Callable[[], bool]) -> bool:
        """Do some work unless it has caught up with every purge; whether it has then."""
        with self._file.read() as connection:
            numbers = _numbers(connection)
        if numbers.get(_DONE[work], 0) >= numbers.get(_PURGES, 0):
            return True
        try:
            if not do():
                return False
            with self._file.write() as connection:
                _note(connection, _DONE[work], numbers[_PURGES])
            reach("purge.caught-up")
            if work is PendingWork.WAL:
                self._file.empty_journal()  # of the note
        except (BusyError, StoreError):
            return False  # a full disk, another writer: it stays pending, and is told as such
        return True

    def _delete_unlisted_files(self) -> bool:
        """False where the system keeps a file, as Windows does while somebody maps it."""
        for name in self._unlisted_files():
            reach("purge.unlink")
            with suppress(OSError):
                (self._index_folder / name).unlink()
        return not self._unlisted_files()

    def _unlisted_files(self) -> tuple[str, ...]:
        """Files below the index folder that neither are those of a published generation nor named after one."""
        with self._file.read() as connection:
            listed = {name for (name,) in connection.execute("SELECT file FROM generations")}
        return tuple(
            sorted(
                str(path.relative_to(self._index_folder))
                for path in self._index_folder.rglob("*")
                if not path.is_dir() and path.name not in listed and path.stem not in listed
            )
        )

    def _scrub(self) -> bool:
        """Write the file anew from what is live, full text first, so that no gap of a page keeps what was deleted."""
        with self._file.write() as connection:
            connection.execute("INSERT INTO full_text (full_text) VALUES ('optimize')")
            _forget_samples(connection)
        self._file.rewrite()
        return True

    @property
    def _index_folder(self) -> Path:
        return self._file.path.with_name(INDEX_FOLDER)


def count_purge(connection: sqlite3.Connection, *, scrubbed: bool = False) -> None:
    """Note that something was deleted for good, so that the work that follows is pending.

    Args:
        scrubbed: No page or gap of the file holds anything of it any more.
    """
    number = _numbers(connection).get(_PURGES, 0) + 1
    _note(connection, _PURGES, number)
    if scrubbed:
        _note(connection, _DONE[PendingWork.SCRUB], number)


def _select(connection: sqlite3.Connection, exclusion: Exclusion, condition: str) -> Selection:
    (epoch,) = connection.execute("SELECT value FROM meta WHERE key = 'epoch'").fetchone()
    exclusion = keep_out_conversations(exclusion, _conversations_at(connection, exclusion))
    exclusion = keep_out_parts(exclusion, _parts(connection))
    plausible, values = _narrow(exclusion, ("s.key", "s.path", "s.origin"))
    if exclusion.conversations:
        named = "(SELECT value FROM json_each(?))"
        plausible += f" OR s.key IN {named} OR s.origin IN {named}"
        values += [json.dumps(sorted(exclusion.conversations))] * 2
    rows = connection.execute(
        f"SELECT {SOURCE_COLUMNS}, s.id FROM sources AS s WHERE {condition} AND ({plausible})", values
    )
    sources = (VersionedSource(SourceId(row[-1]), source_of(row)) for row in rows)
    facts = {FactId(id): key for id, key in connection.execute("SELECT id, source FROM facts WHERE source <> ''")}
    return select(exclusion, sources, facts, epoch=epoch)


def _conversations_at(connection: sqlite3.Connection, exclusion: Exclusion) -> list[tuple[str, str]]:
    """Path and key of those that may be of the target's, stored or refused; a transcript has every path it had."""
    if path_of(exclusion.target) is None:
        return []
    plausible, values = _narrow(exclusion, ("path",))
    once, bound = _narrow(exclusion, ("value",))
    return connection.execute(
        f"SELECT path, source FROM transcripts WHERE {plausible} "
        f"UNION SELECT path, key FROM sources WHERE kind = 'conversation' AND path <> '' AND ({plausible}) "
        f"UNION SELECT value, source FROM transcripts, json_each(former) WHERE former <> '[]' AND ({once})",
        [*values, *values, *bound],
    ).fetchall()


def _parts(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """The conversation that a subagent's part is one of, and the part's own."""
    rows = connection.execute("SELECT client, parent, source FROM transcripts WHERE is_part")
    return [(conversation_key(client, parent), source) for client, parent, source in rows]


def _narrow(exclusion: Exclusion, columns: Sequence[str]) -> tuple[str, list[str]]:
    """A condition that all that is covered meets, and few others: judging a row costs much more than this.

    What is covered has every component of the target in its key, path or origin, in some case. SQLite knows the case of
    ASCII alone, so texts with other characters are always judged.
    """
    conditions, values = [], []
    for place in (exclusion.target, *map(str, exclusion.elsewhere)):
        path = path_of(place)
        parts = [place.rstrip("/")] if path is None else path.parts[1:]
        wanted = [part.lower() for part in parts if part.isascii()]
        for column in columns:
            has_all = " AND ".join([f"instr(lower({column}), ?)"] * len(wanted)) or "1"
            conditions.append(f"({has_all}) OR {column} GLOB '*[^ -~]*'")
            values += wanted
    return " OR ".join(conditions), values


def _count(connection: sqlite3.Connection, selection: Selection) -> Deletion:
    chunks = vectors = 0
    turns: set[int] = set()
    for one in selection.sources:
        of_source = connection.execute(
            "SELECT count(*), total((SELECT count(*) FROM vectors WHERE vectors.chunk = chunks.id)) "
            "FROM chunks WHERE source = ?",
            (one.version,),
        ).fetchone()
        chunks += of_source[0]
        vectors += int(of_source[1])
        turns.update(turn for (turn,) in connection.execute("SELECT turn FROM turns WHERE source = ?", (one.version,)))
    return Deletion(selection=selection, chunks=chunks, vectors=vectors, turns=frozenset(turns))


def _delete(connection: sqlite3.Connection, selection: Selection) -> None:
    connection.executemany("DELETE FROM sources WHERE id = ?", [(one.version,) for one in selection.sources])
    connection.executemany("DELETE FROM facts WHERE id = ?", [(id,) for id in selection.facts])


def _numbers(connection: sqlite3.Connection) -> dict[str, int]:
    rows = connection.execute("SELECT key, value FROM meta WHERE key >= 'purges' AND key < 'purges.'")
    return {key: int(value) for key, value in rows}


def _note(connection: sqlite3.Connection, key: str, purges: int) -> None:
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, str(purges)),
    )


def _forget_samples(connection: sqlite3.Connection) -> None:
    """Some builds of SQLite keep samples of indexed values for their planner, and so words of what was deleted."""
    if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat4'").fetchone():
        connection.execute("DELETE FROM sqlite_stat4")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
