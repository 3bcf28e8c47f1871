"""The records of a bundle: a line for a source, each of its chunks, and a fact; a few bytes for a vector."""

import struct
from pathlib import PurePosixPath, PureWindowsPath

import attrs

from imprint.domain.archives import (
    MalformedError,
    finish,
    parse_object,
    render_object,
    take_moment,
    take_number,
    take_optional_number,
    take_text,
)
from imprint.domain.facts import NewFact
from imprint.domain.purge import path_of
from imprint.domain.sources import CanonicalPath, Chunk, MemoryKind, Source, SourceKey, SourceKind
from imprint.domain.versions import FactVersion, SourceVersion

__all__ = [
    "parse_chunk",
    "parse_fact",
    "parse_source",
    "parse_vector",
    "render_chunk",
    "render_fact",
    "render_source",
    "render_vector",
    "vector_size",
]

_NUMBER = struct.Struct("<Q")
_FINITE = bytes(high for high in range(256) if high & 0x7C != 0x7C)
"""The upper bytes of half floats that are finite."""


def render_source(version: SourceVersion) -> bytes:
    """Write the line of a source; the lines of its chunks follow."""
    source = attrs.asdict(version.source, value_serializer=lambda _, __, value: _plain(value))
    said = {name: value for name, value in source.items() if value not in (None, "")}
    return render_object({"source": said, "indexed_at": version.indexed_at, "chunks": len(version.chunks)})


def parse_source(line: bytes) -> tuple[Source, str, int]:
    """Read the line of a source: the source, when it was indexed, and how many lines of chunks follow.

    Raises:
        MalformedError: It is no such line.
    """
    fields = parse_object(line)
    said = fields.pop("source", None)
    if not isinstance(said, dict):
        raise MalformedError("a line that should be a source's is none")
    indexed_at, chunks = take_moment(fields, "indexed_at"), take_number(fields, "chunks")
    finish(fields)
    source = Source(
        key=SourceKey(take_text(said, "key")),
        kind=_parse_kind(take_text(said, "kind")),
        path=_parse_path(take_text(said, "path", default="")),
        origin=take_text(said, "origin", default=""),
        project=take_text(said, "project", default=""),
        language=take_text(said, "language", default=""),
        url=take_text(said, "url", default=""),
        title=take_text(said, "title", default=""),
        memory_kind=_parse_memory_kind(take_text(said, "memory_kind", default="")),
        mtime_ns=take_optional_number(said, "mtime_ns", least=-(2**63)),
        size=take_optional_number(said, "size"),
        digest=take_text(said, "digest", default=""),
        time=take_moment(said, "time", default=""),
    )
    finish(said)
    if not source.key or (source.key[0] in "/\\" and path_of(source.key) is None):
        raise MalformedError("a source has no proper key")
    return source, indexed_at, chunks


def render_chunk(chunk: Chunk) -> bytes:
    """Write the line of a chunk."""
    return render_object({name: value for name, value in attrs.asdict(chunk).items() if value not in (None, "")})


def parse_chunk(line: bytes) -> Chunk:
    """Read the line of a chunk.

    Raises:
        MalformedError: It is no such line.
    """
    fields = parse_object(line)
    chunk = Chunk(
        text=take_text(fields, "text", default=""),
        start_line=take_optional_number(fields, "start_line"),
        end_line=take_optional_number(fields, "end_line"),
        symbol=take_text(fields, "symbol", default=""),
        role=take_text(fields, "role", default=""),
        time=take_moment(fields, "time", default=""),
        context=take_text(fields, "context", default=""),
    )
    finish(fields)
    return chunk


def render_fact(version: FactVersion) -> bytes:
    """Write the line of a fact."""
    return render_object({**attrs.asdict(version.fact), "recorded_at": version.recorded_at})


def parse_fact(line: bytes) -> FactVersion:
    """Read the line of a fact.

    Raises:
        MalformedError: It is no such line, or the fact ends before it begins.
    """
    fields = parse_object(line)
    version = FactVersion(
        fact=NewFact(
            subject=take_text(fields, "subject"),
            predicate=take_text(fields, "predicate"),
            object=take_text(fields, "object"),
            valid_from=take_moment(fields, "valid_from"),
            valid_until=take_moment(fields, "valid_until", default=""),
            source=take_text(fields, "source"),
        ),
        recorded_at=take_moment(fields, "recorded_at"),
    )
    finish(fields)
    if version.fact.valid_until and version.fact.valid_until < version.fact.valid_from:
        raise MalformedError("a fact ends before it begins")
    return version


def vector_size(width: int) -> int:
    """Bytes of a vector's record."""
    return _NUMBER.size + 2 * width


def render_vector(number: int, row: bytes) -> bytes:
    """Write a vector: the number of its chunk, counted from 0 through the bundle, and its row of float16."""
    return _NUMBER.pack(number) + row


def parse_vector(record: bytes) -> tuple[int, bytes]:
    """Read a vector.

    Raises:
        MalformedError: Not every number is finite.
    """
    row = record[_NUMBER.size :]
    if row[1::2].translate(None, _FINITE):
        raise MalformedError("a vector is not finite")
    return _NUMBER.unpack_from(record)[0], row


def _plain(value: object) -> object:
    return str(value) if isinstance(value, PurePosixPath | PureWindowsPath | SourceKind | MemoryKind) else value


def _parse_kind(text: str) -> SourceKind:
    try:
        return SourceKind(text)
    except ValueError:
        raise MalformedError("a source is of no known kind") from None


def _parse_memory_kind(text: str) -> MemoryKind | None:
    try:
        return MemoryKind(text) if text else None
    except ValueError:
        raise MalformedError("a memory is of no known kind") from None


def _parse_path(text: str) -> CanonicalPath | None:
    """A path in the form that stores hold; the first character tells its system."""
    if not text:
        return None
    if path_of(text) is None:
        raise MalformedError("a source's path is not absolute")
    return PurePosixPath(text) if text.startswith("/") else PureWindowsPath(text)
