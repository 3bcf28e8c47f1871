"""Transcripts of Codex, whichever face of it wrote them: ``sessions/YYYY/MM/DD/rollout-*.jsonl``, and archived ones."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from imprint.domain.conversations import ConversationFacts, Role, TranscriptItem, Turn
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.transcript_lines import Position, identify, read_objects, spoken, utc

__all__ = ["find_transcripts", "read_transcript"]

_WANTED = re.compile(rb'"type"\s*:\s*"(?:session_meta|turn_context|message)"')
_USER_KIND = "user.text"
_DEPTH = 3
# Before parts of a message said what they are, these were told by how they begin.
_OF_THE_CLIENT = (
    "# AGENTS.md instructions",
    "<environment_context>",
    "<permissions instructions>",
    "<skill",
    "<subagent_notification>",
    "<turn_aborted>",
    "<user_instructions>",
    "<user_shell_command>",
)


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Every thread's file, subagents' and archived ones too."""
    for folder in ("sessions", "archived_sessions"):
        yield from _find(installation.folder / folder, files, _DEPTH)


def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """What the user and the model said; instructions, hooks' context, tool output and compactions are left out."""
    position = start = Position.parse(since)
    cwd, subagent = _read_state(start.state)
    for position, line, is_checkpoint in read_objects(reader, start, _WANTED):
        payload = line.get("payload") if line is not None else None
        if line is not None and isinstance(payload, dict):
            facts = _facts(line, payload)
            if facts is not None:
                cwd, subagent = facts.cwd or cwd, subagent or facts.is_subagent
                yield facts
            turn = _turn(line, payload, position.number)
            if turn is not None:
                turn = turn._replace(cwd=cwd, is_sidechain=subagent)
                yield identify(payload.get("id"), transcript.path.stem, turn)
        position = position._replace(state=_write_state(cwd, subagent=subagent))
        if is_checkpoint:
            yield position.checkpoint()
    yield position.checkpoint()


def _read_state(state: str) -> tuple[str, bool]:
    subagent, _, cwd = state.partition(":")
    return cwd, subagent == "1"


def _write_state(cwd: str, *, subagent: bool) -> str:
    return f"{int(subagent)}:{cwd}"


def _find(folder: CanonicalPath, files: ClientFiles, depth: int) -> Iterator[TranscriptReference]:
    for name in files.names(folder):
        path = folder / name
        if PurePath(name).suffix == ".jsonl":
            yield TranscriptReference(path=path)
        elif depth:
            yield from _find(path, files, depth - 1)


def _facts(line: Mapping[str, object], payload: Mapping[str, object]) -> ConversationFacts | None:
    cwd = _spoken(payload.get("cwd"))
    if line.get("type") == "turn_context":
        return ConversationFacts(cwd=cwd) if cwd else None
    if line.get("type") != "session_meta":
        return None
    source = payload.get("source")
    return ConversationFacts(
        session_id=_spoken(payload.get("id")),
        parent_id=_spoken(payload.get("parent_thread_id") or payload.get("forked_from_id")),
        cwd=cwd,
        is_subagent=isinstance(source, dict) and "subagent" in source,
    )


def _turn(line: Mapping[str, object], payload: Mapping[str, object], number: int) -> Turn | None:
    if line.get("type") != "response_item" or payload.get("type") != "message":
        return None
    metadata = line.get("metadata")
    if isinstance(metadata, dict) and metadata.get("compaction_output"):
        return None
    content = payload.get("content")
    parts = content if isinstance(content, list) else []
    if payload.get("role") == "user":
        role, text = Role.USER, _joined(_parts_of_user(parts, payload))
    elif payload.get("role") == "assistant":
        role, text = Role.ASSISTANT, _joined(parts)
    else:
        return None
    if not text:
        return None
    return Turn(id="", role=role, text=text, time=utc(line.get("timestamp")), line=number)


def _parts_of_user(parts: Sequence[object], payload: Mapping[str, object]) -> list[object]:
    described = payload.get("internal_chat_message_metadata_passthrough")
    kinds = described.get("content_item_kinds") if isinstance(described, dict) else None
    if isinstance(kinds, list) and len(kinds) == len(parts):
        return [part for part, kind in zip(parts, kinds, strict=True) if kind == _USER_KIND]
    return [part for part in parts if not _text(part).lstrip().startswith(_OF_THE_CLIENT)]


def _joined(parts: Sequence[object]) -> str:
    return "\n\n".join(filter(None, (spoken(_text(part)) for part in parts)))


def _text(part: object) -> str:
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def _spoken(value: object) -> str:
    return spoken(value) if isinstance(value, str) else ""
