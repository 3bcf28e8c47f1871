"""References: how people name a stored passage or source."""

from collections.abc import Sequence

from imprint.domain.sources import ChunkId, Source, SourceKey
from imprint.errors import NotForgettableError, UnknownPassageError
from imprint.protocols.stores import SourceStore, WorkspaceStore

__all__ = ["find_forgettable", "find_sources", "parse_chunk_id"]

_AUTHORED = ("memory:", "text:")
"""What only was written into the store: nothing brings it back."""

_LARGEST_ID = 2**63 - 1


def find_forgettable(store: WorkspaceStore, references: Sequence[str]) -> tuple[SourceKey, ...]:
    """Keys of the memories and inline texts that are referred to, each once.

    Raises:
        UnknownPassageError: Nothing is stored under one of the references.
        NotForgettableError: One of the sources comes from elsewhere.
    """
    found = find_sources(store, references)
    for reference, source in found.items():
        if not source.key.startswith(_AUTHORED):
            raise NotForgettableError(reference, source.key, store.workspace)
    return tuple(dict.fromkeys(source.key for source in found.values()))


def find_sources(store: SourceStore, references: Sequence[str]) -> dict[str, Source]:
    """The sources that are referred to by their key or by the id of one of their passages.

    Raises:
        UnknownPassageError: Nothing is stored under one of the references.
    """
    wanted = {reference: parse_chunk_id(reference) for reference in references}
    passages = {chunk.id: chunk.source for chunk in store.chunks([id for id in wanted.values() if id is not None])}
    found: dict[str, Source] = {}
    for reference, id in wanted.items():
        if id is not None and id in passages:
            found[reference] = passages[id]
        elif id is None and (stored := store.find_source(SourceKey(reference))):
            found[reference] = stored.source
    if unknown := tuple(reference for reference in wanted if reference not in found):
        raise UnknownPassageError(unknown)
    return found


def parse_chunk_id(text: str) -> ChunkId | None:
    """The id that a text is, or `None`."""
    if text.isascii() and text.isdecimal() and len(text) < 20 and (number := int(text)) <= _LARGEST_ID:
        return ChunkId(number)
    return None
