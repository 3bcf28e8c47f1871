"""Transcripts of Claude Code: ``~/.claude/projects/SLUG/SESSION.jsonl``, and its subagents' beside it.

The folder's name is the project's path with every other character lost, so the directory is taken from the lines.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from imprint.domain.conversations import ConversationFacts, Role, TranscriptItem, Turn
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.transcript_lines import Position, read_objects, spoken, utc

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
    "[Request interrupted",
)
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Every session's file, and then those of its subagents, which are held where their session is."""
    projects = installation.folder / "projects"
    for slug in files.names(projects):
        names = files.names(projects / slug)
        yield from _transcripts_in(projects / slug, names)
        for name in names:
            if not name.endswith(_SUFFIX):
                agents = projects / slug / name / _SUBAGENTS
                yield from _transcripts_in(agents, files.names(agents))


def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """What the user and the model said; tool output, commands, reminders and summaries are left out."""
    position = Position.parse(since)
    subagent = _subagent(transcript.path)
    known: ConversationFacts | None = None
    for position, line, is_checkpoint in read_objects(reader, position, _WANTED):
        if line is not None:
            facts = _facts(line, subagent)
            if facts is not None and facts != known:
                known = facts
                yield facts
            turn = _turn(line, position.number)
            if turn is not None:
                yield turn
        if is_checkpoint:
            yield position.checkpoint()
    yield position.checkpoint()


def _transcripts_in(folder: CanonicalPath, names: Sequence[str]) -> Iterator[TranscriptReference]:
    for name in names:
        if name.endswith(_SUFFIX):
            yield TranscriptReference(path=folder / name)


def _subagent(path: PurePath) -> str:
    """A subagent's name when the transcript is one's; else empty."""
    return path.name.removesuffix(_SUFFIX) if path.parent.name == _SUBAGENTS else ""


def _facts(line: Mapping[str, object], subagent: str) -> ConversationFacts | None:
    if line.get("type") == "summary":
        title = line.get("summary")
        return ConversationFacts(title=spoken(title)) if isinstance(title, str) else None
    session, cwd = line.get("sessionId"), line.get("cwd")
    session = session if isinstance(session, str) else ""
    return ConversationFacts(
        session_id=f"{session}/{subagent}" if subagent else session,
        parent_id=session if subagent else "",
        cwd=cwd if isinstance(cwd, str) else "",
        is_subagent=bool(subagent),
    )


def _turn(line: Mapping[str, object], number: int) -> Turn | None:
    message = line.get("message")
    if not isinstance(message, dict) or line.get("isMeta") or line.get("isCompactSummary"):
        return None
    if line.get("type") == "user" and not line.get("toolUseResult"):
        role, text = Role.USER, _said_by_user(message.get("content"))
    elif line.get("type") == "assistant" and not line.get("isApiErrorMessage"):
        role, text = Role.ASSISTANT, _joined(message.get("content"))
    else:
        return None
    id, cwd = line.get("uuid"), line.get("cwd")
    if not text:
        return None
    return Turn(
        id=id if isinstance(id, str) and id else f"line {number}",
        role=role,
        text=text,
        time=utc(line.get("timestamp")),
        cwd=cwd if isinstance(cwd, str) else "",
        line=number,
        is_sidechain=bool(line.get("isSidechain")),
    )


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
