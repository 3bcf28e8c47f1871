"""Writing one conversation: turns that are new are redacted, cut and stored, together with how far they were read."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

import attrs

from imprint.domain.conversation_chunks import chunk_turn, title_of
from imprint.domain.conversations import Checkpoint, Role, TranscriptItem, Turn
from imprint.domain.identifiers import index_text
from imprint.domain.injected_context import strip_context
from imprint.domain.outlines import Document, Outline
from imprint.domain.redaction import Redact
from imprint.domain.sources import Source, SourceId
from imprint.domain.transcripts import TranscriptRecord, number_turn, turn_digest
from imprint.protocols.stores import WorkspaceStore
from imprint.protocols.transcripts import SaidTurn
from imprint.protocols.versions import Replacement

__all__ = ["ConversationRewrittenError", "ConversationWriter", "TurnPreparation", "find_last_texts"]

_BATCH_TURNS = 100
_BATCH_CHARACTERS = 1 << 18
_ROWS_AT_ONCE = 200


class ConversationRewrittenError(Exception):
    """A turn that is stored has another text now: the conversation is to be read from its start."""


@attrs.frozen(kw_only=True)
class TurnPreparation:
    """What is done to a turn before it is stored.

    Attributes:
        redact: Asked before anything is stored or embedded.
        outline_document: Finds the structure of a document.
    """

    redact: Redact
    outline_document: Callable[[Document], Outline]

    def outline(self, text: str) -> Outline:
        """The structure of a long turn, which is Markdown as models write it."""
        return self.outline_document(Document(name="turn.md", language="markdown", data=text.encode(), text=text))


@attrs.define(kw_only=True)
class ConversationWriter:
    """Writes what one reading of a transcript gives; used once.

    Attributes:
        source: Without digest and time; these are found on the way.
        record: As it is to be when all is written.
        staged: The version that replaces the conversation; `None`: it grows.
        last_texts: Digests of the last texts of turns that come more than once with different ones.
    """

    store: WorkspaceStore
    preparation: TurnPreparation
    source: Source
    record: TranscriptRecord
    staged: SourceId | None = None
    last_texts: Mapping[int, int] = attrs.field(factory=dict)
    redactions: int = attrs.field(init=False, default=0)
    chunks: int = attrs.field(init=False, default=0)
    outcome: Replacement = attrs.field(init=False, default=Replacement.UNCHANGED)
    _position: str = attrs.field(init=False, default="")
    _before: str = attrs.field(init=False, default="")
    _batch: dict[int, Turn] = attrs.field(init=False, factory=dict)
    _characters: int = attrs.field(init=False, default=0)

    def write(self, items: Iterable[TranscriptItem]) -> None:
        """Store what is new among the turns. Each transaction leaves a record from which the next reading goes on.

        Raises:
            ConversationRewrittenError: See there; never while a version is staged.
        """
        self._position = self.record.position
        if self.staged is None:
            self._continue()
        for item in items:
            if isinstance(item, Turn):
                self._take(item)
            elif isinstance(item, Checkpoint):
                self._position = item.position
            if len(self._batch) >= _BATCH_TURNS or self._characters >= _BATCH_CHARACTERS:
                self._flush(attrs.evolve(self.record, state=None, position=self._position))
        self._flush(attrs.evolve(self.record, position=self._position))
        if self.staged is not None and self.outcome is not Replacement.EXCLUDED:
            self.outcome = self.store.publish_conversation(self.source, self.staged, self.record)

    def _continue(self) -> None:
        known = self.store.find_source(self.source.key)
        if known is not None:
            title = self.source.title or known.source.title
            self.source = attrs.evolve(self.source, digest=known.source.digest, time=known.source.time, title=title)
            self._before = self.store.last_text(self.source.key)

    def _take(self, turn: Turn) -> None:
        text = strip_context(turn.text)
        if not text:
            return
        turn = turn._replace(text=text)
        number = number_turn(self.record.id.client, self.record.session, turn)
        if self.last_texts.get(number, digest := turn_digest(turn)) == digest:
            self._batch[number] = turn
            self._characters += len(text)

    def _flush(self, record: TranscriptRecord) -> None:
        batch, self._batch, self._characters = self._batch, {}, 0
        new = list(self._prepare(batch)) if batch else []
        groups = list(_groups(new)) or [[]]
        for group in groups:
            if self.outcome is Replacement.EXCLUDED:
                return
            is_last = group is groups[-1]
            self._append(group, record if is_last else attrs.evolve(record, state=None, position=self.record.position))
        self.record = attrs.evolve(self.record, position=record.position)

    def _append(self, group: Sequence[SaidTurn], record: TranscriptRecord) -> None:
        if self.staged is not None and not group:
            return
        digest = blake2b(self.source.digest.encode(), digest_size=20)
        for turn in group:
            digest.update(turn.digest.to_bytes(8, "big", signed=True))
        source = attrs.evolve(self.source, digest=digest.hexdigest()) if group else self.source
        outcome = self.store.append_turns(source, group, record, staged=self.staged)
        if outcome is not Replacement.UNCHANGED and self.outcome is not Replacement.ADDED:
            self.outcome = outcome
        if outcome is Replacement.EXCLUDED:
            self.outcome = outcome
            return
        self.source = source
        self.chunks += sum(len(turn.chunks) for turn in group)

    def _prepare(self, batch: Mapping[int, Turn]) -> Iterator[SaidTurn]:
        known = self.store.known_turns(self.source.key, batch.keys(), staged=self.staged)
        digests = {number: turn_digest(turn) for number, turn in batch.items()}
        for number, one in known.items():
            if one.is_own and one.digest != digests[number] and self.staged is None:
                raise ConversationRewrittenError
        texts = {number: self.preparation.redact(turn.text) for number, turn in batch.items()}
        said = [(number, turn._replace(text=texts[number][0])) for number, turn in batch.items()]
        # What another conversation holds goes with that one: none of it may stay here as a neighbour's words.
        around = ["" if number in known and not known[number].is_own else turn.text for number, turn in said]
        for place, (number, turn) in enumerate(said):
            if number not in known:
                self._describe(turn)
                after = around[place + 1] if place + 1 < len(said) else ""
                chunks = chunk_turn(turn, before=self._before, after=after, outline=self.preparation.outline)
                self.redactions += texts[number][1]
                yield SaidTurn(number, digests[number], [(chunk, index_text(chunk, self.source)) for chunk in chunks])
            self._before = around[place]

    def _describe(self, turn: Turn) -> None:
        """A conversation begins with its first turn, and has its first question as a title where it has no other."""
        if not self.source.time:
            self.source = attrs.evolve(self.source, time=turn.time)
        if not self.source.title and turn.role is Role.USER:
            self.source = attrs.evolve(self.source, title=title_of(turn))


def find_last_texts(client: str, session: str, items: Iterable[TranscriptItem]) -> dict[int, int]:
    """The turns that come with several texts, and the digest of the last one of each."""
    last: dict[int, int] = {}
    changed: set[int] = set()
    for item in items:
        if isinstance(item, Turn) and (text := strip_context(item.text)):
            turn = item._replace(text=text)
            number, digest = number_turn(client, session, turn), turn_digest(turn)
            if last.setdefault(number, digest) != digest:
                changed.add(number)
                last[number] = digest
    return {number: last[number] for number in changed}


def _groups(turns: Sequence[SaidTurn]) -> Iterator[list[SaidTurn]]:
    """Whole turns together, up to the rows of one transaction."""
    group: list[SaidTurn] = []
    rows = 0
    for turn in turns:
        if group and rows + len(turn.chunks) > _ROWS_AT_ONCE:
            yield group
            group, rows = [], 0
        group.append(turn)
        rows += len(turn.chunks)
    if group:
        yield group
