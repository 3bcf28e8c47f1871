"""What is remembered: sources, the chunks they are cut into, and where both came from."""

from enum import StrEnum
from pathlib import PurePosixPath, PureWindowsPath
from typing import NewType, TypeAlias

import attrs

__all__ = [
    "KINDS",
    "CanonicalPath",
    "Chunk",
    "ChunkId",
    "MemoryKind",
    "Source",
    "SourceId",
    "SourceKey",
    "SourceKind",
    "StoredChunk",
    "StoredSource",
    "WorkspaceName",
]

WorkspaceName = NewType("WorkspaceName", str)
SourceKey = NewType("SourceKey", str)
SourceId = NewType("SourceId", int)
ChunkId = NewType("ChunkId", int)

CanonicalPath: TypeAlias = PurePosixPath | PureWindowsPath


class SourceKind(StrEnum):
    """What a source is; the word users filter by."""

    CODE = "code"
    DOCUMENT = "document"
    CONVERSATION = "conversation"
    WEB = "web"
    MEMORY = "memory"


class MemoryKind(StrEnum):
    """What an authored memory says; users filter by this word too."""

    DECISION = "decision"
    PREFERENCE = "preference"
    PATTERN = "pattern"
    BUG = "bug"
    MILESTONE = "milestone"
    ARCHITECTURE = "architecture"
    FINDING = "finding"
    NOTE = "note"
    SUMMARY = "summary"


KINDS: tuple[str, ...] = (*SourceKind, *MemoryKind)
"""Every word that users filter by."""


@attrs.frozen(kw_only=True)
class Source:
    """One thing that was indexed, replaced and purged as a whole.

    Attributes:
        key: Unique in its workspace. A file's key is its canonical path as text; an inline document's ``text:NAME``; a
            memory's ``memory:ID``; others begin with their scheme.
        path: Physical provenance: the canonical path of the file it was read from.
        origin: The logical key this source was derived from (``remember --source``); purging that key takes this too.
        project: The project's name, empty where none is known.
        language: A lower-case language name for code (``python``), empty otherwise.
        memory_kind: For memories only.
        mtime_ns: Modification time of the file in nanoseconds since the epoch.
        digest: Hex digest of the content's bytes.
        time: When it was said or written, UTC ISO 8601 with ``Z``.
    """

    key: SourceKey
    kind: SourceKind
    path: CanonicalPath | None = None
    origin: str = ""
    project: str = ""
    language: str = ""
    url: str = ""
    title: str = ""
    memory_kind: MemoryKind | None = None
    mtime_ns: int | None = None
    size: int | None = None
    digest: str = ""
    time: str = ""


@attrs.frozen(kw_only=True)
class StoredSource:
    """A source as the store holds it."""

    id: SourceId
    source: Source
    chunks: int
    indexed_at: str


@attrs.frozen(kw_only=True)
class Chunk:
    """A passage to be stored: what is searched, embedded and shown.

    Attributes:
        text: The passage exactly as in its source.
        start_line: First line, 1-based; `None` where lines mean nothing.
        end_line: Last line, inclusive.
        symbol: Qualified name (``Store.open``) of code, heading path (``Guide > Install``) of prose.
        role: Who speaks, in a conversation.
        time: UTC ISO 8601 with ``Z``; empty: the source's.
        context: Text of the neighbours that helps to find this passage; searched with a small weight, never shown.
    """

    text: str
    start_line: int | None = None
    end_line: int | None = None
    symbol: str = ""
    role: str = ""
    time: str = ""
    context: str = ""


@attrs.frozen(kw_only=True)
class StoredChunk:
    """A chunk as the store holds it, with the source it belongs to."""

    id: ChunkId
    ordinal: int
    chunk: Chunk
    source: Source
