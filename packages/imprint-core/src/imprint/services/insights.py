"""What a conversation showed is written down as memories that were drawn from it."""

from collections.abc import Iterator
from hashlib import blake2b

from imprint.domain.identifiers import index_text
from imprint.domain.insights import Said, find_insights, summarize
from imprint.domain.sources import Chunk, MemoryKind, Source, SourceKey, SourceKind, StoredChunk
from imprint.protocols.stores import SourceStore

__all__ = ["write_insights"]

_PAGE = 500


def write_insights(store: SourceStore, conversation: Source) -> int:
    """Bring the memories of a conversation in line with what is stored of it; how many there are.

    They are made of stored passages, which hold no secrets and no tool's output. The conversation is their origin, so
    that purging it takes them too; their keys follow from it and from what they say, so that learning it again changes
    nothing. What it does not show any more goes.
    """
    prefix = f"memory:learned-{_digest(conversation.key)}-"
    known = {one.source.key for one in store.sources(glob=f"{prefix}*")}
    wanted = {source.key: (source, chunk) for source, chunk in _memories(store, prefix, conversation)}
    store.replace_sources(
        [(source, [(chunk, index_text(chunk, source))]) for key, (source, chunk) in wanted.items() if key not in known]
    )
    if gone := known - wanted.keys():
        store.remove_sources(gone)
    return len(wanted)


def _memories(store: SourceStore, prefix: str, conversation: Source) -> Iterator[tuple[Source, Chunk]]:
    insights = find_insights(_read(store, conversation.key))
    for one in insights:
        evidence = f"{one.text}\n(said by the {one.said.speaker}, {one.said.reference})"
        chunk = Chunk(text=evidence, start_line=one.said.line, end_line=one.said.line, role=one.said.speaker)
        yield _memory(prefix, conversation, one.kind, evidence, one.said.time), chunk
    if summary := summarize(_read(store, conversation.key), insights):
        yield _memory(prefix, conversation, MemoryKind.SUMMARY, summary, conversation.time), Chunk(text=summary)


def _read(store: SourceStore, key: SourceKey) -> Iterator[Said]:
    """What was said, a page at a time: a conversation may be longer than it is wise to hold."""
    start = 0
    while page := store.source_chunks(key, start=start, limit=_PAGE):
        yield from map(_said, page)
        start += len(page)


def _memory(prefix: str, conversation: Source, kind: MemoryKind, text: str, time: str) -> Source:
    return Source(
        key=SourceKey(prefix + _digest(f"{kind.value}\0{text}")),
        kind=SourceKind.MEMORY,
        origin=conversation.key,
        project=conversation.project,
        title=conversation.title if kind is MemoryKind.SUMMARY else "",
        memory_kind=kind,
        size=len(text.encode()),
        digest=blake2b(text.encode(), digest_size=16).hexdigest(),
        time=time or conversation.time,
    )


def _said(stored: StoredChunk) -> Said:
    chunk = stored.chunk
    line = chunk.start_line
    reference = f"line {line} of {stored.source.key}" if line is not None else f"in {stored.source.key}"
    return Said(speaker=chunk.role, text=chunk.text, reference=reference, time=chunk.time, line=line)


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=6).hexdigest()
