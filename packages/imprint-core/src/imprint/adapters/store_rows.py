"""Values and rows: what a store's tables hold of a source, a chunk, a fact."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby, repeat
from operator import itemgetter
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from imprint.domain.indexing import IndexedText
from imprint.domain.sources import (
    CanonicalPath,
    Chunk,
    ChunkId,
    MemoryKind,
    Source,
    SourceKey,
    SourceKind,
    StoredChunk,
)

__all__ = [
    "CHUNK_COLUMNS",
    "SOURCE_COLUMNS",
    "chunk_row",
    "chunk_values",
    "passage_values",
    "source_of",
    "source_values",
    "sources_of",
    "stored_chunk_of",
]

SOURCE_COLUMNS = (
    "s.key, s.kind, s.path, s.origin, s.project, s.language, s.url, s.title, s.memory_kind, s.mtime_ns, s.size, "
    "s.digest, s.time"
)
_SOURCE_WIDTH = 13

CHUNK_COLUMNS = (
    f"{SOURCE_COLUMNS}, c.id, c.ordinal, c.start_line, c.end_line, c.symbol, c.role, c.time, p.text, p.context"
)
"""Of ``sources AS s``, ``chunks AS c`` and ``passages AS p``."""


def source_values(source: Source) -> tuple[str | int | None, ...]:
    """The values for `SOURCE_COLUMNS`."""
    return (
        source.key,
        source.kind.value,
        None if source.path is None else str(source.path),
        source.origin,
        source.project,
        source.language,
        source.url,
        source.title,
        None if source.memory_kind is None else source.memory_kind.value,
        source.mtime_ns,
        source.size,
        source.digest,
        source.time,
    )


def source_of(row: tuple[Any, ...]) -> Source:
    """The source whose `SOURCE_COLUMNS` a row begins with."""
    key, kind, path, origin, project, language, url, title, memory_kind, mtime_ns, size, digest, time = row[
        :_SOURCE_WIDTH
    ]
    return Source(
        key=SourceKey(key),
        kind=SourceKind(kind),
        path=None if path is None else _path_of(path),
        origin=origin,
        project=project,
        language=language,
        url=url,
        title=title,
        memory_kind=None if memory_kind is None else MemoryKind(memory_kind),
        mtime_ns=mtime_ns,
        size=size,
        digest=digest,
        time=time,
    )


def sources_of(rows: Iterable[tuple[Any, ...]]) -> Iterator[Source]:
    """The source of each row; those that follow each other with the same one share it, since making it costs most."""
    for columns, some in groupby(rows, key=itemgetter(slice(_SOURCE_WIDTH))):
        yield from repeat(source_of(columns), sum(1 for _ in some))


def chunk_values(source_id: int, ordinal: int, chunk: Chunk) -> tuple[str | int | None, ...]:
    """A row of ``chunks`` but for its id."""
    return (source_id, ordinal, chunk.start_line, chunk.end_line, chunk.symbol, chunk.role, chunk.time)


def passage_values(chunk: Chunk, indexed: IndexedText) -> tuple[str, ...]:
    """A row of ``passages`` but for its id; the context is that of the index, which is the chunk's own."""
    return (chunk.text, indexed.words, indexed.names, indexed.place, indexed.context)


def stored_chunk_of(row: tuple[Any, ...]) -> StoredChunk:
    """The chunk in a row of `CHUNK_COLUMNS`."""
    id, ordinal, chunk = chunk_row(row)
    return StoredChunk(id=id, ordinal=ordinal, chunk=chunk, source=source_of(row))


def chunk_row(row: tuple[Any, ...]) -> tuple[ChunkId, int, Chunk]:
    """Id, place and content of the chunk in a row of `CHUNK_COLUMNS`."""
    id, ordinal, start_line, end_line, symbol, role, time, text, context = row[_SOURCE_WIDTH:]
    chunk = Chunk(
        text=text,
        start_line=start_line,
        end_line=end_line,
        symbol=symbol,
        role=role,
        time=time,
        context=context,
    )
    return ChunkId(id), ordinal, chunk


@lru_cache(maxsize=1024)
def _path_of(text: str) -> CanonicalPath:
    """A canonical path tells by its first character which system it is from; the store may have been made elsewhere."""
    return PurePosixPath(text) if text.startswith("/") else PureWindowsPath(text)
