"""Passages and sources, as people and programs are shown them."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imprint_cli.rendering import label, moment

if TYPE_CHECKING:
    from imprint.domain.sources import Source, StoredChunk

__all__ = ["is_conversation", "is_memory", "kind_word", "passage_as_json", "passage_label", "source_label"]


def source_label(source: "Source", cwd: Path | None) -> str:
    """What to call a source: a file below this directory by its relative path, anything else by its key."""
    if source.path is None or cwd is None or is_conversation(source):
        return label(source.key)
    try:
        return label(os.fspath(Path(source.path).relative_to(cwd)))
    except ValueError:
        return label(source.key)


def is_memory(source: "Source") -> bool:
    """Whether it was written down here, so that a place in a file means nothing."""
    return source.memory_kind is not None


def passage_label(passage: "StoredChunk", cwd: Path | None) -> str:
    """Where a passage is from: `src/app.py:12-30`, or `decision of 2026-01-31` for a memory."""
    source = passage.source
    if is_memory(source):
        return f"{kind_word(source)} of {moment(source.time)}"
    if is_conversation(source) and passage.chunk.role:
        said = " ".join(filter(None, (passage.chunk.role, moment(passage.chunk.time))))
        return f"{source_label(source, cwd)}{_line_span(passage)} ({said})"
    return source_label(source, cwd) + _line_span(passage)


def is_conversation(source: "Source") -> bool:
    """Whether it was said: its lines are its transcript's, and its file belongs to a client."""
    return source.kind.value == "conversation"


def kind_word(source: "Source") -> str:
    """The most exact word that `--kind` takes for a source."""
    return (source.memory_kind or source.kind).value


def passage_as_json(passage: "StoredChunk", workspace: str) -> dict[str, Any]:
    """A passage with the keys that every surface uses."""
    chunk, source = passage.chunk, passage.source
    return {
        "id": str(passage.id),
        "workspace": workspace,
        "source": source.key,
        "kind": kind_word(source),
        "project": source.project,
        "lines": None if chunk.start_line is None else [chunk.start_line, chunk.end_line or chunk.start_line],
        "text": chunk.text,
        "timestamp": chunk.time or source.time or None,
    }


def _line_span(passage: "StoredChunk") -> str:
    """`:12-30`, `:7`, or nothing where lines mean nothing."""
    first, last = passage.chunk.start_line, passage.chunk.end_line
    if first is None:
        return ""
    return f":{first}" if last is None or last == first else f":{first}-{last}"
