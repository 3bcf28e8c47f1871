"""A transcript into the store: its turns, what is drawn from them, and how far it was read."""

import attrs

from imprint.domain.sources import Source
from imprint.domain.transcripts import TranscriptRecord
from imprint.protocols.stores import WorkspaceStore
from imprint.protocols.versions import Replacement
from imprint.services.conversation_writing import (
    ConversationRewrittenError,
    ConversationWriter,
    TurnPreparation,
    find_last_texts,
)
from imprint.services.indexing_reports import Outcome
from imprint.services.insights import InsightWriter
from imprint.services.learning_reports import LearnTally
from imprint.services.transcript_origins import Reading
from imprint.services.transcript_readings import ReadTranscript

__all__ = ["TranscriptStoring"]

_OUTCOMES = {
    Replacement.ADDED: Outcome.ADDED,
    Replacement.CHANGED: Outcome.CHANGED,
    Replacement.UNCHANGED: Outcome.UNCHANGED,
    Replacement.EXCLUDED: Outcome.EXCLUDED,
}


@attrs.frozen(kw_only=True)
class TranscriptStoring:
    """What it takes."""

    store: WorkspaceStore
    preparation: TurnPreparation
    insights: InsightWriter
    tally: LearnTally

    def store_turns(
        self,
        source: Source,
        record: TranscriptRecord,
        read: ReadTranscript,
        reading: Reading,
        *,
        is_replaced: bool,
        was_cut_short: bool,
    ) -> Outcome:
        """Store what was said since the record's position, or all of it where it is not what it was.

        Args:
            record: What is to be on record once all of it is stored.
            is_replaced: Another transcript took the place of the one on record.
            was_cut_short: What follows from the turns was not written as well when they were.

        Raises:
            StoreError: The store cannot be written; what was written is kept, and the next run goes on from there.
        """
        state, unsettled = record.state, attrs.evolve(record, state=None)
        is_anew = is_replaced or (not record.position and self.store.find_source(source.key) is not None)
        writer = ConversationWriter(store=self.store, preparation=self.preparation, source=source, record=unsettled)
        try:
            if is_anew:
                raise ConversationRewrittenError
            writer.write(read.items if read.items is not None else reading(record.position))
        except ConversationRewrittenError:
            writer = ConversationWriter(
                store=self.store,
                preparation=self.preparation,
                source=source,
                record=attrs.evolve(unsettled, position=""),
                staged=self.store.stage_conversation(source),
                last_texts=find_last_texts(record.id.client, record.session, reading("")),
            )
            writer.write(reading(""))
        if writer.outcome in (Replacement.ADDED, Replacement.CHANGED) or was_cut_short:
            self._draw(writer, is_anew=is_anew or was_cut_short or writer.staged is not None)
        if state is not None:
            self.store.settle_transcript(record.id, state)
        self.tally.chunks += writer.chunks
        self.tally.redactions += writer.redactions
        return _OUTCOMES[writer.outcome]

    def _draw(self, writer: ConversationWriter, *, is_anew: bool) -> None:
        """Bring what was drawn from a conversation in line with it; what only grew is read from where it had ended."""
        stored = self.store.find_source(writer.source.key)
        grown = 0 if is_anew or stored is None else stored.chunks - writer.chunks
        self.insights.write(self.store, writer.source, since=grown)
