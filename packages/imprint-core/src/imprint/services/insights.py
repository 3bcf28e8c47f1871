"""What a conversation showed is written down as memories that were drawn from it."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

import attrs

from imprint.domain.conversation_summaries import Tally, summarize
from imprint.domain.identifiers import index_text
from imprint.domain.insights import Insight, Said, judge, unite
from imprint.domain.redaction import Redact
from imprint.domain.sources import Chunk, MemoryKind, Source, SourceKey, SourceKind, StoredChunk, StoredSource
from imprint.protocols.stores import SourceStore
from imprint.services.model_readings import ModelReader

__all__ = ["InsightWriter"]

_PAGE = 500
_SHORT_PAGE = 20
_EVIDENCE = "\n(said by the "


class _Drawn(NamedTuple):
    """What is known of a conversation up to some passage.

    Attributes:
        fresh: Those of the insights that were not known before.
        outcome: What it came to, as ``model`` found; both may be empty.
    """

    insights: Sequence[Insight]
    fresh: Sequence[Insight]
    tally: Tally
    outcome: str = ""
    model: str = ""


@attrs.frozen(kw_only=True)
class InsightWriter:
    """Writes the memories of conversations.

    Attributes:
        redact: Asked about everything once more before it is stored.
        reader: A language model; `None`: rules read.
    """

    redact: Redact
    reader: ModelReader | None = None

    def write(self, store: SourceStore, conversation: Source, *, since: int = 0) -> None:
        """Bring the memories of a conversation in line with what is stored of it.

        They are made of stored passages, which hold no secrets and no tool's output. The conversation is their origin,
        so that purging it takes them too; their keys follow from it and from what they say, so that learning it again
        changes nothing. What a conversation does not show any more goes, when all of it is read.

        Args:
            since: How many passages its memories were drawn from before; 0: none, or it is another conversation now.
                Only what came after is read where they tell that they stem from just these.
        """
        prefix = f"memory:learned-{_digest(conversation.key)}-"
        known = {one.source.key: one for one in store.sources(glob=f"{prefix}*")}
        before = _recall(store, known, since) if since else None
        drawn = self._draw(store, conversation.key, before)
        wanted = {source.key: (source, chunk) for source, chunk in self._memories(store, prefix, conversation, drawn)}
        store.replace_sources(
            [
                (source, [(chunk, index_text(chunk, source))])
                for key, (source, chunk) in wanted.items()
                if key not in known or known[key].source.digest != source.digest
            ]
        )
        if gone := {key for key, one in known.items() if before is None or _is_summary(one)} - wanted.keys():
            store.remove_sources(gone)

    def _draw(self, store: SourceStore, key: SourceKey, before: _Drawn | None) -> _Drawn:
        """Read on, a page at a time: a conversation may be longer than it is wise to hold."""
        tally = before.tally if before else Tally()
        window = self.reader.new_window() if self.reader else None
        by_rules: list[tuple[int, Insight]] = []
        for page in _pages(store, key, start=tally.passages):
            for place, said in enumerate(page, start=tally.passages):
                by_rules += [(place, one) for one in judge(said)]
                if window:
                    window.add(place, said)
            tally = tally.add(page)
        reading = self.reader.read(window) if self.reader and window else None
        if window and reading:
            by_rules = [(place, one) for place, one in by_rules if place < window.start]
        found = [one for _, one in by_rules] + list(reading.insights if reading else ())
        standing = before.insights if before else ()
        insights = unite([*standing, *found])
        fresh = [one for one in insights if one not in standing]
        return _Drawn(insights, fresh, tally, *((reading.outcome, reading.model) if reading else ()))

    def _memories(
        self, store: SourceStore, prefix: str, conversation: Source, drawn: _Drawn
    ) -> Iterator[tuple[Source, Chunk]]:
        for one in drawn.fresh:
            finder = f"; found by {one.finder}" if one.finder else ""
            evidence, _ = self.redact(f"{one.text}{_EVIDENCE}{one.said.speaker}, {one.said.reference}{finder})")
            chunk = Chunk(text=evidence, start_line=one.said.line, end_line=one.said.line, role=one.said.speaker)
            yield _memory(prefix, conversation, one.kind, chunk, one.said.time), chunk
        key, tally = conversation.key, drawn.tally
        first = next(
            (said for page in _pages(store, key, size=_SHORT_PAGE) for said in page if said.speaker == "user"), None
        )
        last = next((said for said in _backwards(store, key, tally.passages) if said.speaker == "assistant"), None)
        if summary := summarize(tally, drawn.insights, first=first, last=last, outcome=drawn.outcome):
            finder = f"\n(read by {drawn.model})" if drawn.model else ""
            chunk = Chunk(text=self.redact(summary + finder)[0], context=tally.write())
            yield _memory(prefix, conversation, MemoryKind.SUMMARY, chunk, conversation.time), chunk


def _recall(store: SourceStore, known: Mapping[SourceKey, StoredSource], since: int) -> _Drawn | None:
    """What was drawn from just the first passages; `None` where the memories do not tell that they stem from these."""
    found = sorted(
        ((one, chunk) for one in known.values() for chunk in store.source_chunks(one.source.key)),
        key=lambda pair: (pair[1].chunk.start_line or 0, pair[0].id),
    )
    tallies = [Tally.read(chunk.chunk.context) for one, chunk in found if _is_summary(one)]
    if len(tallies) != 1 or tallies[0] is None or tallies[0].passages != since:
        return None
    return _Drawn([_insight(chunk) for one, chunk in found if not _is_summary(one)], (), tallies[0])


def _insight(stored: StoredChunk) -> Insight:
    text, _, _ = stored.chunk.text.rpartition(_EVIDENCE)
    return Insight(kind=stored.source.memory_kind or MemoryKind.NOTE, text=text, said=_said(stored))


def _is_summary(stored: StoredSource) -> bool:
    return stored.source.memory_kind is MemoryKind.SUMMARY


def _pages(store: SourceStore, key: SourceKey, *, start: int = 0, size: int = _PAGE) -> Iterator[list[Said]]:
    while page := store.source_chunks(key, start=start, limit=size):
        yield list(map(_said, page))
        start += len(page)


def _backwards(store: SourceStore, key: SourceKey, end: int) -> Iterator[Said]:
    while end > 0:
        start = max(0, end - _SHORT_PAGE)
        yield from map(_said, reversed(store.source_chunks(key, start=start, limit=end - start)))
        end = start


def _memory(prefix: str, conversation: Source, kind: MemoryKind, chunk: Chunk, time: str) -> Source:
    return Source(
        key=SourceKey(prefix + _digest(f"{kind.value}\0{chunk.text}")),
        kind=SourceKind.MEMORY,
        origin=conversation.key,
        project=conversation.project,
        title=conversation.title if kind is MemoryKind.SUMMARY else "",
        memory_kind=kind,
        size=len(chunk.text.encode()),
        digest=blake2b(f"{chunk.text}\0{chunk.context}".encode(), digest_size=16).hexdigest(),
        time=time or conversation.time,
    )


def _said(stored: StoredChunk) -> Said:
    chunk = stored.chunk
    line = chunk.start_line
    reference = f"line {line} of {stored.source.key}" if line is not None else f"in {stored.source.key}"
    return Said(speaker=chunk.role, text=chunk.text, reference=reference, time=chunk.time, line=line)


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=6).hexdigest()
