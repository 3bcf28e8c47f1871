"""Transcripts in Claude Code's format: ``projects/SLUG/SESSION.jsonl``, and its subagents' beside it.

The folder's name is the project's path with every other character lost, so the directory is taken from the lines.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from imprint.domain.conversations import ConversationFacts, Role, TranscriptItem, Turn
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.transcript_lines import Position, identify, read_objects, spoken, utc

__all__ = ["find_transcripts", "read_transcript"]

_SUBAGENTS = "subagents"
_SUFFIX = ".jsonl"
_WANTED = re.compile(rb'"type"\s*:\s*"(?:user|assistant|summary)"')
# What the client itself writes into the user's place: commands and their output, reminders, a hook's objection.
_OF_THE_CLIENT = (
    "<bash-",
    "<command-",
    "<local-command-",
    "<task-notification",
    "<user-memory-input",
    "Caveat: The messages below",
    "Stop hook feedback:",
    "This session is being continued from a previous conversation",
    "[Request interrupted",
)
# Answers that the client makes up itself (interrupted, over the limit) have this in the model's place.
_NO_MODEL = "<synthetic>"
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)


def find_transcripts(projects: CanonicalPath, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Every session's file, and then those of its subagents, which are held where their session is."""
    for slug in files.names(projects):
        names = files.names(projects / slug)
        yield from _transcripts_in(projects / slug, names)
        for name in names:
            if not name.endswith(_SUFFIX):
                agents = projects / slug / name / _SUBAGENTS
                yield from _transcripts_in(agents, files.names(agents), part_of=name)


def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """What the user and the model said; tool output, commands, reminders and summaries are left out."""
    position = start = Position.parse(since)
    known: ConversationFacts | None = None
    for position, line, is_checkpoint in read_objects(reader, start, _WANTED):
        if line is not None:
            facts = _facts(line, transcript.path)
            if facts is not None and facts != known:
                known = facts
                yield facts
            turn = _turn(line, position.number, transcript.path)
            if turn is not None:
                yield turn
        if is_checkpoint:
            yield position.checkpoint()
    yield position.checkpoint()


def _transcripts_in(folder: CanonicalPath, names: Sequence[str], *, part_of: str = "") -> Iterator[TranscriptReference]:
    for name in names:
        if name.endswith(_SUFFIX):
            yield TranscriptReference(path=folder / name, part_of=part_of)


def _facts(line: Mapping[str, object], path: PurePath) -> ConversationFacts | None:
    """A session goes by its file's name, since its lines may be copies of another's."""
    if line.get("type") == "summary":
        title = line.get("summary")
        return ConversationFacts(title=spoken(title)) if isinstance(title, str) else None
    named, cwd = line.get("sessionId"), line.get("cwd")
    named = spoken(named) if isinstance(named, str) else ""
    session = spoken(path.name.removesuffix(_SUFFIX))
    is_subagent = path.parent.name == _SUBAGENTS
    if is_subagent:
        parent = spoken(path.parent.parent.name)
        session = f"{parent}/{session}"
    else:
        parent = named if named != session else ""
    return ConversationFacts(
        session_id=session, parent_id=parent, cwd=spoken(cwd) if isinstance(cwd, str) else "", is_subagent=is_subagent
    )


def _turn(line: Mapping[str, object], number: int, path: PurePath) -> Turn | None:
    message = line.get("message")
    if not isinstance(message, dict) or line.get("isMeta") or line.get("isCompactSummary"):
        return None
    if line.get("type") == "user" and not line.get("toolUseResult"):
        role, text = Role.USER, _said_by_user(message.get("content"))
    elif line.get("type") == "assistant" and not line.get("isApiErrorMessage") and message.get("model") != _NO_MODEL:
        role, text = Role.ASSISTANT, _joined(message.get("content"))
    else:
        return None
    if not text:
        return None
    cwd = line.get("cwd")
    turn = Turn(
        id="",
        role=role,
        text=text,
        time=utc(line.get("timestamp")),
        cwd=spoken(cwd) if isinstance(cwd, str) else "",
        line=number,
        is_sidechain=bool(line.get("isSidechain")) or path.parent.name == _SUBAGENTS,
    )
    return identify(line.get("uuid"), path.stem, turn)


def _said_by_user(content: object) -> str:
    if isinstance(content, list) and any(_kind(block) == "tool_result" for block in content):
        return ""
    text = _REMINDER.sub("", _joined(content)).strip()
    return "" if text.startswith(_OF_THE_CLIENT) else text


def _joined(content: object) -> str:
    """The text of a message: a string, or its blocks of text."""
    if isinstance(content, str):
        return spoken(content)
    if not isinstance(content, list):
        return ""
    texts = [block.get("text") for block in content if isinstance(block, dict) and _kind(block) == "text"]
    return "\n\n".join(filter(None, (spoken(text) for text in texts if isinstance(text, str))))


def _kind(block: object) -> object:
    return block.get("type") if isinstance(block, dict) else None
