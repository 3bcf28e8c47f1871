"""What is on record of one client's transcripts: which conversation each is, and where it was held."""

from collections.abc import Collection, Iterator

import attrs

from imprint.domain.conversations import conversation_key
from imprint.domain.sources import CanonicalPath, SourceKey
from imprint.domain.transcripts import TranscriptId, TranscriptRecord
from imprint.plugins.clients import TranscriptReference
from imprint.protocols.stores import WorkspaceStore
from imprint.services.transcript_origins import TranscriptOrigin

__all__ = ["TranscriptRecords"]


@attrs.define(kw_only=True)
class TranscriptRecords:
    """The records, and what a run adds to them.

    Attributes:
        store: `None` where nothing is on record.
    """

    origin: TranscriptOrigin
    store: WorkspaceStore | None
    dry_run: bool
    _known: dict[TranscriptId, TranscriptRecord] = attrs.field(init=False, factory=dict)
    _owners: dict[SourceKey, TranscriptId] = attrs.field(init=False, factory=dict)
    _by_name: dict[str, list[TranscriptRecord]] = attrs.field(init=False, factory=dict)
    _by_session: dict[str, dict[TranscriptId, TranscriptRecord]] = attrs.field(init=False, factory=dict)
    _beside: dict[CanonicalPath, dict[str, None]] = attrs.field(init=False, factory=dict)

    def recall(self, present: Collection[TranscriptId] | None) -> None:
        """Read what is on record.

        Args:
            present: What the client has now; others on record are gone. `None`: nobody knows.

        Raises:
            StoreError: The store cannot be read.
        """
        self._known = dict(self.store.transcripts(self.origin.client)) if self.store is not None else {}
        for record in self._known.values():
            self._by_session.setdefault(record.session, {})[record.id] = record
        gone = set() if present is None else self._known.keys() - present
        self._owners = {record.source: id for id, record in self._known.items() if id not in gone}
        for id in self._known if present is None else gone:
            self._by_name.setdefault(self.origin.lasting_name(id), []).append(self._known[id])

    def find(self, id: TranscriptId, reference: TranscriptReference) -> TranscriptRecord | None:
        """The record of a transcript, or of the one that was moved to its place."""
        return self._known.get(id) or self._take_over(id, reference)

    def name(self, session: str, id: TranscriptId) -> SourceKey:
        """The conversation's key; that of a second file of one session has a number.

        A file that is gone leaves its conversation to another of the session: the client keeps it elsewhere now.
        """
        plain = conversation_key(self.origin.client, session)
        key, number = SourceKey(plain), 1
        while self._owners.get(key, id) != id:
            number += 1
            key = SourceKey(f"{plain}/{number}")
        self._owners[key] = id
        return key

    def note(self, folder: CanonicalPath, record: TranscriptRecord) -> None:
        """Take over what was read of a transcript in a folder."""
        self._by_session.setdefault(record.session, {})[record.id] = record
        self.note_beside(folder, record)

    def note_beside(self, folder: CanonicalPath, record: TranscriptRecord) -> None:
        """Take over where a transcript in a folder was held."""
        self._beside.setdefault(folder, {}).update(dict.fromkeys(record.directories))

    def keep(self, record: TranscriptRecord) -> None:
        """Remember what a transcript said of itself, so that it need not be read to be left out again."""
        if self.store is not None and not self.dry_run:
            self.store.record_transcript(record)

    def directories_beside(self, folder: CanonicalPath) -> tuple[str, ...]:
        """The directories that the transcripts in a folder record, as far as they have been read."""
        return tuple(self._beside.get(folder, ()))

    def knows(self, session: str) -> bool:
        """Whether any transcript of a session was read, now or before."""
        return session in self._by_session

    def ancestors(self, record: TranscriptRecord) -> Iterator[TranscriptRecord]:
        """The transcripts of the session that one was spawned or forked from, then those of that one's, and so on."""
        met, waiting = {record.session}, [record.parent]
        while waiting:
            session = waiting.pop()
            if session and session not in met:
                met.add(session)
                found = self._by_session.get(session, {}).values()
                yield from found
                waiting += [one.parent for one in found]

    def directories_of(self, record: TranscriptRecord) -> tuple[str, ...]:
        """A subagent's part of a conversation is held where the whole is."""
        above = (directory for one in self.ancestors(record) for directory in one.directories)
        return tuple(dict.fromkeys((*record.directories, *above)))

    def _take_over(self, id: TranscriptId, reference: TranscriptReference) -> TranscriptRecord | None:
        for known in self._by_name.get(self.origin.lasting_name(id), ()):
            if self.origin.is_moved(known, reference):
                record = known.moved_to(id)
                if self.store is not None and not self.dry_run:
                    self.store.record_transcript(record, moved_from=known.id)
                self._owners[record.source] = id
                return record
        return None
