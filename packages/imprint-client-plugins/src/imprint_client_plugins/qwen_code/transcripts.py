"""Transcripts of qwen-code: ``~/.qwen/projects/SLUG/chats/SESSION.jsonl``, archived ones below, subagents' beside it.

The folder's name is the project's path with every other character lost, so the directory is taken from the lines.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from imprint.domain.conversations import ConversationFacts, Role, TranscriptItem, Turn
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.message_parts import join_texts, texts_of
from imprint_client_plugins.qwen_code.folders import runtime_folder
from imprint_client_plugins.transcript_lines import Position, identify, read_objects, spoken, utc

__all__ = ["find_transcripts", "read_transcript"]

_SUFFIX = ".jsonl"
_SUBAGENTS = "subagents"
_WANTED = re.compile(rb'"type"\s*:\s*"(?:user|assistant)"|"subtype"\s*:\s*"(?:custom_title|parent_session)"')
# A user's line is a person's words only under these: others hold what a timer, a task or a goal said.
_SUBTYPES = {"user": (None, "mid_turn_user_message"), "assistant": (None,)}
_PROVENANCES = {"user": (None, "real_user"), "assistant": (None, "assistant_output")}
_HOOK_CONTEXT = "<qwen:user-prompt-submit-context>"


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Every session's file, archived ones, and then those of subagents, which are held where their session is."""
    projects = runtime_folder(installation) / "projects"
    for slug in files.names(projects):
        chats, agents = projects / slug / "chats", projects / slug / _SUBAGENTS
        for folder in (chats, chats / "archive"):
            yield from _transcripts_in(folder, files)
        for session in files.names(agents):
            yield from _transcripts_in(agents / session, files, part_of=session)


def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """What the user and the model said; thoughts, tools, timers, compression and what hooks added are left out."""
    position = start = Position.parse(since)
    known: set[ConversationFacts] = set()
    for position, line, is_checkpoint in read_objects(reader, start, _WANTED):
        if line is not None:
            facts = _facts(line, transcript.path)
            if facts not in known:
                known.add(facts)
                yield facts
            turn = _turn(line, position.number, transcript.path)
            if turn is not None:
                yield turn
        if is_checkpoint:
            yield position.checkpoint()
    yield position.checkpoint()


def _transcripts_in(folder: CanonicalPath, files: ClientFiles, *, part_of: str = "") -> Iterator[TranscriptReference]:
    for name in files.names(folder):
        if name.endswith(_SUFFIX):
            yield TranscriptReference(path=folder / name, part_of=part_of)


def _facts(line: Mapping[str, object], path: PurePath) -> ConversationFacts:
    """A session goes by its file's name, since its lines may be copies of another's."""
    payload = line.get("systemPayload")
    told = payload if isinstance(payload, dict) and line.get("type") == "system" else {}
    session, named = spoken(path.name.removesuffix(_SUFFIX)), _spoken(line.get("sessionId"))
    parent = _spoken(told.get("parentSessionId")) or (named if named != session else "")
    if is_subagent := _is_subagent(path):
        parent = spoken(path.parent.name)
        session = f"{parent}/{session}"
    return ConversationFacts(
        session_id=session,
        parent_id=parent,
        cwd=_spoken(line.get("cwd")),
        title=_spoken(told.get("customTitle")),
        is_subagent=is_subagent,
    )


def _turn(line: Mapping[str, object], number: int, path: PurePath) -> Turn | None:
    kind = line.get("type")
    if kind not in ("user", "assistant"):
        return None
    if line.get("subtype") not in _SUBTYPES[kind] or line.get("provenance") not in _PROVENANCES[kind]:
        return None
    message = line.get("message")
    texts = texts_of(message.get("parts")) if isinstance(message, dict) else []
    text = _typed(line, texts) if kind == "user" else join_texts(texts)
    if not text:
        return None
    turn = Turn(
        id="",
        role=Role.USER if kind == "user" else Role.ASSISTANT,
        text=text,
        time=utc(line.get("timestamp")),
        cwd=_spoken(line.get("cwd")),
        line=number,
        is_sidechain=bool(line.get("isSidechain")) or _is_subagent(path),
    )
    return identify(line.get("uuid"), path.stem, turn)


def _typed(line: Mapping[str, object], texts: list[str]) -> str:
    """What was typed, where that is kept apart from what the model was given."""
    payload = line.get("systemPayload")
    typed = payload.get("displayText") if isinstance(payload, dict) else None
    if isinstance(typed, str) and typed.strip():
        return spoken(typed)
    return join_texts([text for text in texts if not text.lstrip().startswith(_HOOK_CONTEXT)])


def _is_subagent(path: PurePath) -> bool:
    return path.parent.parent.name == _SUBAGENTS


def _spoken(value: object) -> str:
    return spoken(value) if isinstance(value, str) else ""
