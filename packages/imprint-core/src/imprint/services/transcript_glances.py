"""Transcripts that are looked into only to tell where they were held, because others go where they go."""

from collections.abc import Iterable, Sequence

import attrs

from imprint.domain.conversations import conversation_key
from imprint.domain.sources import CanonicalPath, SourceKey
from imprint.domain.transcripts import TranscriptRecord
from imprint.errors import PluginError, SourceError
from imprint.plugins.clients import TranscriptReference
from imprint.services.transcript_origins import TranscriptOrigin
from imprint.services.transcript_readings import read_ahead
from imprint.services.transcript_records import TranscriptRecords

__all__ = ["TranscriptGlances"]

_ID_LENGTH = 36
"""Of a UUID."""


@attrs.frozen
class TranscriptGlances:
    """What a run left alone, or comes to later, as far as it decides about something else."""

    origin: TranscriptOrigin
    records: TranscriptRecords
    _by_name: dict[str, list[TranscriptReference]] = attrs.field(init=False, factory=dict)
    _passed_over: dict[CanonicalPath, list[TranscriptReference]] = attrs.field(init=False, factory=dict)

    def expect(self, references: Iterable[TranscriptReference]) -> None:
        """Take note of what the client has."""
        for reference in references:
            for name in _names_of(reference):
                self._by_name.setdefault(name, []).append(reference)

    def find(self, session: str) -> Sequence[TranscriptReference]:
        """What the client has of a session."""
        return self._by_name.get(session, ())

    def pass_over(self, reference: TranscriptReference) -> None:
        """Take note of a transcript that is not read now, and of which nothing need be on record."""
        self._passed_over.setdefault(reference.path.parent, []).append(reference)

    def meet_parent(self, record: TranscriptRecord) -> None:
        """See where a session was held before anything is decided about its part, or about a fork of it.

        Raises:
            PluginError: The session's transcript cannot be read, so nobody knows where the part belongs.
            SourceError: Likewise.
        """
        if record.parent and not self.records.knows(record.parent):
            for reference in self.find(record.parent):
                self._look_into(reference)

    def directories_beside(self, folder: CanonicalPath) -> tuple[str, ...]:
        """The directories that the transcripts in a folder record; none where one of them cannot be read."""
        try:
            while passed_over := self._passed_over.get(folder):
                self._look_into(passed_over[-1])
                passed_over.pop()
        except (PluginError, SourceError):
            return ()
        return self.records.directories_beside(folder)

    def _look_into(self, reference: TranscriptReference) -> None:
        state = self.origin.look(reference)
        if state is None:
            return
        with self.origin.open(reference) as reading:
            read = read_ahead(reading(""))
        session = read.session or reference.session
        record = TranscriptRecord(
            id=self.origin.identify(reference),
            state=None,
            fingerprint="",
            mark="",
            source=SourceKey(conversation_key(self.origin.client, session)),
            session=session,
            parent=read.parent,
            is_part=read.is_part,
            directories=tuple(dict.fromkeys((*self.origin.directories(reference), *read.directories))),
            position="",
        )
        self.records.note(reference.path.parent, record)
        self.meet_parent(record)


def _names_of(reference: TranscriptReference) -> set[str]:
    """What a session may be called by others: clients name a file after it, some with the moment before its id."""
    return {reference.session, reference.path.stem[-_ID_LENGTH:]}
