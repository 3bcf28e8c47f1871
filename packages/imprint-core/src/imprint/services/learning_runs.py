"""One run of learning: transcripts are found unchanged, or read, decided on and stored."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from imprint.domain.claim_reasons import explain_claims
from imprint.domain.conversations import conversation_key
from imprint.domain.purge import is_key_excluded
from imprint.domain.sources import CanonicalPath, Source, SourceKind
from imprint.domain.transcripts import TranscriptId, TranscriptRecord, TranscriptState
from imprint.errors import PluginError, SourceError
from imprint.plugins.clients import TranscriptReference
from imprint.protocols.progress import Progress
from imprint.protocols.stores import WorkspaceStore
from imprint.services.claims import ConversationClaims
from imprint.services.conversation_writing import TurnPreparation
from imprint.services.indexing_reports import Outcome
from imprint.services.insights import InsightWriter
from imprint.services.learning_plans import LearningPlan
from imprint.services.learning_reports import ConversationVerdict, LearnTally
from imprint.services.transcript_glances import TranscriptGlances
from imprint.services.transcript_origins import TranscriptOrigin
from imprint.services.transcript_readings import ReadTranscript, read_ahead
from imprint.services.transcript_records import TranscriptRecords
from imprint.services.transcript_storing import TranscriptStoring

__all__ = ["LearningRun"]


@attrs.frozen(kw_only=True)
class _Candidate:
    """A transcript that has to be read."""

    reference: TranscriptReference
    id: TranscriptId
    state: TranscriptState
    record: TranscriptRecord | None
    is_replaced: bool

    @property
    def position(self) -> str:
        """Where reading goes on."""
        return "" if self.record is None or self.is_replaced else self.record.position


@attrs.define(kw_only=True)
class LearningRun:
    """One client's or service's transcripts in one run; used once.

    Attributes:
        store: `None` in a dry run over a workspace that has none yet.
        find_project: The project's name, by a directory and the project's folder.
    """

    plan: LearningPlan
    origin: TranscriptOrigin
    store: WorkspaceStore | None
    claims: ConversationClaims
    preparation: TurnPreparation
    find_project: Callable[[CanonicalPath, CanonicalPath], str]
    insights: InsightWriter
    tally: LearnTally
    progress: Progress
    client: str = attrs.field(init=False)
    _records: TranscriptRecords = attrs.field(init=False)
    _glances: TranscriptGlances = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.client = self.origin.client
        self._records = TranscriptRecords(origin=self.origin, store=self.store, dry_run=self.plan.dry_run)
        self._glances = TranscriptGlances(self.origin, self._records)

    def learn(
        self, references: Sequence[TranscriptReference], is_wanted: Callable[[TranscriptReference], bool]
    ) -> None:
        """Learn from transcripts. One that cannot be read is listed, and the others go on.

        Args:
            references: All that the client has now; those that are not wanted are left alone, and are not gone.

        Raises:
            StoreError: The store cannot be written; what was written is kept.
        """
        self._records.recall({self.origin.identify(reference) for reference in references})
        self._glances.expect(references)
        self._go_through(filter(is_wanted, references))

    def follow(self, references: Iterable[TranscriptReference]) -> None:
        """The same of transcripts that come one after the other, and that any of those on record may be.

        Raises:
            StoreError: Likewise.
        """
        self._records.recall(None)
        self._go_through(references)

    def _go_through(self, references: Iterable[TranscriptReference]) -> None:
        for reference in references:
            try:
                self._learn(reference)
            except (SourceError, PluginError) as error:
                self.tally.fail(str(reference.path), error)
                self._glances.pass_over(reference)
            self.progress.advance(1, 0, reference.path.name)

    def directories_beside(self, folder: CanonicalPath) -> tuple[str, ...]:
        """The directories that the transcripts in a folder record; none where that is not known of all of them."""
        return self._glances.directories_beside(folder)

    def _learn(self, reference: TranscriptReference) -> None:
        id = self.origin.identify(reference)
        state = self.origin.look(reference)
        if state is None:
            return  # gone since it was found
        if self.plan.since_ns and self.origin.ended_before(reference, state, self.plan.since_ns):
            self.tally.older += 1
            self._glances.pass_over(reference)
            return
        record = self._records.find(id, reference)
        if reference.needs_cwd and (record is None or not record.directories):
            self.tally.untold += 1
            return
        names = [id.path, *self._whole_of(reference), *([record.source] if record else [])]
        if any(is_key_excluded(name, self.plan.exclusions) for name in names):
            self.tally.count(Outcome.EXCLUDED)
            self._glances.pass_over(reference)
            return
        is_replaced = False
        if record is not None:
            self._records.note_beside(reference.path.parent, record)
            if not self._is_allowed(record):
                self._conclude(Outcome.REFUSED, record)
                return
            if self.origin.is_current(record, reference, state) and record.position:
                self._conclude(Outcome.UNCHANGED, record, reference.title)
                return
            is_replaced = self.origin.is_replaced(record, reference)
        self._read(_Candidate(reference=reference, id=id, state=state, record=record, is_replaced=is_replaced))

    def _whole_of(self, reference: TranscriptReference) -> Iterator[str]:
        """Key and paths of the session that a subagent's transcript is said to be a part of."""
        if reference.part_of:
            yield conversation_key(self.client, reference.part_of)
            yield from (str(self.origin.place(one.path)) for one in self._glances.find(reference.part_of))

    def _is_allowed(self, record: TranscriptRecord) -> bool:
        return self.claims.allow(self.plan.workspace, self._records.directories_of(record))

    def _read(self, candidate: _Candidate) -> None:
        with self.origin.open(candidate.reference) as reading:
            read = read_ahead(reading(candidate.position))
            read.title = read.title or candidate.reference.title
            record = self._describe(candidate, read)
            self._records.note(candidate.reference.path.parent, record)
            self._glances.meet_parent(record)
            if self._is_excluded(candidate, record):
                self._records.keep(attrs.evolve(record, position=""))
                self._conclude(Outcome.EXCLUDED, record, read.title)
            elif not self._is_allowed(record):
                self._records.keep(record)
                self._conclude(Outcome.REFUSED, record, read.title)
            elif self.plan.dry_run or self.store is None:
                outcome = Outcome.ADDED if not candidate.position else Outcome.CHANGED
                self._conclude(outcome if read.turns else Outcome.UNCHANGED, record, read.title)
            else:
                storing = TranscriptStoring(
                    store=self.store, preparation=self.preparation, insights=self.insights, tally=self.tally
                )
                source = self._source_of(candidate, read, record)
                known = candidate.record
                outcome = storing.store_turns(
                    source,
                    record,
                    read,
                    reading,
                    is_replaced=candidate.is_replaced,
                    was_cut_short=known is not None and known.state is None,
                )
                self._conclude(outcome, record, read.title)

    def _is_excluded(self, candidate: _Candidate, record: TranscriptRecord) -> bool:
        """What was purged of a session stays out of its other files too; what was stored of one before stays there.

        A subagent's part stays out with the session that it is a part of.
        """
        known = candidate.record
        is_new = known is None or not known.position
        keys = [
            record.source,
            *([conversation_key(self.client, record.session)] if is_new else ()),
            *self._wholes(record),
        ]
        return any(is_key_excluded(key, self.plan.exclusions) for key in keys)

    def _wholes(self, record: TranscriptRecord) -> Iterator[str]:
        """Keys and paths of what a transcript is a part of."""
        if record.is_part:
            yield conversation_key(self.client, record.parent)
            for one in self._records.ancestors(record):
                yield from (one.source, one.id.path)
                if not one.is_part:
                    return

    def _describe(self, candidate: _Candidate, read: ReadTranscript) -> TranscriptRecord:
        """The record that is to be kept once all of it is stored."""
        reference, known = candidate.reference, candidate.record
        session = known.session if known else read.session or reference.session
        before = () if known is None or candidate.is_replaced else known.directories
        return TranscriptRecord(
            id=candidate.id,
            state=candidate.state,
            fingerprint=reference.fingerprint,
            mark=self.origin.mark(reference, candidate.state),
            source=known.source if known else self._records.name(session, candidate.id),
            session=session,
            parent=read.parent or (known.parent if known else ""),
            former=known.former if known else (),
            is_part=read.is_part or (known is not None and known.is_part),
            directories=tuple(dict.fromkeys((*before, *self.origin.directories(reference), *read.directories))),
            position=candidate.position,
        )

    def _source_of(self, candidate: _Candidate, read: ReadTranscript, record: TranscriptRecord) -> Source:
        place = self.claims.find_project(self._records.directories_of(record))
        return Source(
            key=record.source,
            kind=SourceKind.CONVERSATION,
            path=self.origin.place(candidate.reference.path),
            project=self.find_project(*place) if place is not None else "",
            title=self.preparation.redact(read.title)[0] if read.title else "",
            mtime_ns=candidate.state.mtime_ns,
            size=candidate.state.size,
        )

    def _conclude(self, outcome: Outcome, record: TranscriptRecord, title: str = "") -> None:
        self.tally.count(outcome)
        if not self.plan.dry_run:
            return
        directories = self._records.directories_of(record)
        self.tally.conversations.append(
            ConversationVerdict(
                client=self.client,
                source=record.source,
                path=record.id.path,
                title=title,
                outcome=outcome,
                workspaces=tuple(name for name in self.plan.workspaces if self.claims.allow(name, directories)),
                reason=explain_claims(self.claims.describe(directories), inbox=self.plan.inbox),
            )
        )
