"""Conversations in a store: they grow at their end, and the record of their transcripts is written with them."""

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from imprint.adapters.incoming_sources import IncomingSource, judge_incoming
from imprint.adapters.store_filters import in_list
from imprint.adapters.store_writing import SourceWriting, StagingLostError, insert_chunks, retire_sources
from imprint.domain.purge import is_key_excluded
from imprint.domain.sources import Source, SourceId, SourceKey
from imprint.domain.transcripts import KnownTurn, TranscriptId, TranscriptRecord, TranscriptState
from imprint.errors import StoreBusyError
from imprint.protocols.transcripts import SaidTurn
from imprint.protocols.versions import Replacement

__all__ = ["ConversationWriting"]

_COLUMNS = (
    "client, path, conversation, size, mtime_ns, fingerprint, mark, source, session, parent, directories, position, "
    "is_part, former"
)
_ASKED_AT_ONCE = 500


class ConversationWriting(SourceWriting):
    """Meets `imprint.protocols.transcripts.ConversationStore`."""

    def transcripts(self, client: str) -> Mapping[TranscriptId, TranscriptRecord]:
        with self._file.read() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS} FROM transcripts WHERE client = ?", (client,)).fetchall()
        return {record.id: record for record in map(_record_of, rows)}

    def known_turns(
        self, source: SourceKey, numbers: Collection[int], *, staged: SourceId | None = None
    ) -> Mapping[int, KnownTurn]:
        known: dict[int, KnownTurn] = {}
        asked = list(numbers)
        with self._file.read() as connection:
            for start in range(0, len(asked), _ASKED_AT_ONCE):
                some = asked[start : start + _ASKED_AT_ONCE]
                for number, digest, id, key in connection.execute(
                    "SELECT t.turn, t.digest, s.id, s.key FROM turns AS t JOIN sources AS s ON s.id = t.source "
                    f"WHERE t.turn {in_list(some)} AND (s.state = 'live' OR s.id = ?)",
                    (*some, staged),
                ):
                    is_own = key == source
                    if is_own and staged is not None and id != staged:
                        continue
                    if is_own or number not in known:
                        known[number] = KnownTurn(digest, is_own)
                for number in self._registry.excluded_turns(self._workspace, some):
                    known.setdefault(number, KnownTurn(0, is_own=False))
        return known

    def last_text(self, source: SourceKey) -> str:
        with self._file.read() as connection:
            found = connection.execute(
                "SELECT p.text FROM sources AS s JOIN chunks AS c ON c.source = s.id AND c.ordinal = s.chunks - 1 "
                "JOIN passages AS p ON p.chunk = c.id WHERE s.key = ? AND s.state = 'live'",
                (source,),
            ).fetchone()
        return "" if found is None else str(found[0])

    def append_turns(
        self,
        source: Source,
        turns: Sequence[SaidTurn],
        record: TranscriptRecord,
        *,
        staged: SourceId | None = None,
    ) -> Replacement:
        with self._write_bulk() as permit:
            connection = permit.connection
            if (verdict := judge_incoming(permit, IncomingSource(source, ()))) is not None:
                return verdict
            if turns:
                gone = self._registry.excluded_turns(self._workspace, [turn.number for turn in turns])
                turns = [turn for turn in turns if turn.number not in gone]
            id: int | None = staged
            if staged is not None:
                self._advance(connection, staged, "staged")
            else:
                id = _live_id(connection, source.key)
            outcome = Replacement.UNCHANGED
            if turns:
                outcome = Replacement.ADDED if id is None else Replacement.CHANGED
                if id is None:
                    id = self._insert_source(connection, IncomingSource(source, ()), state="live")
                self._grow(connection, id, source, turns)
            if staged is None:
                _write_record(connection, record)
        return outcome

    def stage_conversation(self, source: Source) -> SourceId:
        with self._write_bulk() as permit:
            return SourceId(self._insert_source(permit.connection, IncomingSource(source, ()), state="staged"))

    def publish_conversation(self, source: Source, staged: SourceId, record: TranscriptRecord) -> Replacement:
        with self._write_bulk() as permit:
            connection = permit.connection
            verdict = judge_incoming(permit, IncomingSource(source, ()))
            (chunks,) = connection.execute("SELECT chunks FROM sources WHERE id = ?", (staged,)).fetchone() or (0,)
            if verdict is not None or not chunks:
                self._advance(connection, staged, "dropped")
            if verdict is None:
                replaced = retire_sources(connection, [source.key])
                if chunks:
                    self._advance(connection, staged, "live")
                _write_record(connection, record)
                verdict = Replacement.CHANGED if replaced else Replacement.ADDED if chunks else Replacement.UNCHANGED
        self.sweep()
        return verdict

    def record_transcript(self, record: TranscriptRecord, *, moved_from: TranscriptId | None = None) -> None:
        with self._write_bulk() as permit:
            connection = permit.connection
            if is_key_excluded(record.id.path, permit.exclusions):
                return
            if moved_from is not None:
                connection.execute(
                    "DELETE FROM transcripts WHERE client = ? AND path = ? AND conversation = ?", moved_from
                )
                connection.execute(
                    "UPDATE sources SET path = ? WHERE key = ? AND state = 'live'", (record.id.path, record.source)
                )
            _write_record(connection, record)

    def settle_transcript(self, id: TranscriptId, state: TranscriptState) -> None:
        with self._write_bulk() as permit:
            permit.connection.execute(
                "UPDATE transcripts SET size = ?, mtime_ns = ? WHERE client = ? AND path = ? AND conversation = ?",
                (*state, *id),
            )

    def _advance(self, connection: sqlite3.Connection, staged: SourceId, state: str) -> None:
        try:
            self._advance_staging(connection, staged, state)
        except StagingLostError as error:
            raise StoreBusyError(str(self._file.path)) from error

    def _grow(self, connection: sqlite3.Connection, id: int, source: Source, turns: Sequence[SaidTurn]) -> None:
        (count,) = connection.execute("SELECT chunks FROM sources WHERE id = ?", (id,)).fetchone()
        chunks = [chunk for turn in turns for chunk in turn.chunks]
        insert_chunks(connection, id, count, chunks)
        connection.execute(
            "UPDATE sources SET chunks = ?, path = ?, size = ?, mtime_ns = ?, digest = ?, "
            "title = CASE ? WHEN '' THEN title ELSE ? END, indexed_at = ? WHERE id = ?",
            (
                count + len(chunks),
                None if source.path is None else str(source.path),
                source.size,
                source.mtime_ns,
                source.digest,
                source.title,
                source.title,
                self._clock.now(),
                id,
            ),
        )
        connection.executemany(
            "INSERT INTO turns (source, turn, digest) VALUES (?, ?, ?)",
            [(id, turn.number, turn.digest) for turn in turns],
        )


def _live_id(connection: sqlite3.Connection, key: SourceKey) -> int | None:
    found = connection.execute("SELECT id FROM sources WHERE key = ? AND state = 'live'", (key,)).fetchone()
    return None if found is None else int(found[0])


def _record_of(row: tuple[Any, ...]) -> TranscriptRecord:
    client, path, conversation, size, mtime_ns, fingerprint, mark, source, session, parent, *rest = row
    directories, position, is_part, former = rest
    return TranscriptRecord(
        id=TranscriptId(client, path, conversation),
        state=None if size is None else TranscriptState(size, mtime_ns),
        fingerprint=fingerprint,
        mark=mark,
        source=SourceKey(source),
        session=session,
        parent=parent,
        directories=tuple(json.loads(directories)),
        position=position,
        former=tuple(json.loads(former)),
        is_part=bool(is_part),
    )


def _write_record(connection: sqlite3.Connection, record: TranscriptRecord) -> None:
    size, mtime_ns = record.state or (None, None)
    connection.execute(
        f"INSERT OR REPLACE INTO transcripts ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *record.id,
            size,
            mtime_ns,
            record.fingerprint,
            record.mark,
            record.source,
            record.session,
            record.parent,
            json.dumps(record.directories),
            record.position,
            record.is_part,
            json.dumps(record.former),
        ),
    )
