"""Transcripts of Gemini CLI: ``~/.gemini/tmp/PROJECT/chats/session-*.jsonl``, and subagents' in a folder beside them.

A line is a message, the session's head, or a patch of it (``$set``). A message that comes again under its id takes the
place of the first. A patch of the messages rewrites what the model is shown, when a session is resumed, compressed or
taken back: it holds summaries in the user's place and copies under new ids, and whatever was said has a line of its
own. Older versions wrote one JSON object, ``session-*.json``.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from imprint.domain.conversations import ConversationFacts, Role, TranscriptItem, Turn
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.gemini_cli.hooks import strip_hook_context
from imprint_client_plugins.gemini_cli.projects import ProjectFolders
from imprint_client_plugins.message_parts import join_texts, texts_of
from imprint_client_plugins.transcript_lines import Position, identify, read_objects, spoken, utc

__all__ = ["find_transcripts", "read_transcript"]

_SUFFIX, _OLD_SUFFIX = ".jsonl", ".json"
_CHATS = "chats"
_LENGTH_OF_ID = 8
_ANSWERING = "complete_task"
_WANTED = re.compile(rb'"type"\s*:\s*"(?:user|gemini)"|"\$set"|"projectHash"')
# What the client itself writes into the user's place: the surroundings of a session, and what makes the model go on.
_OF_THE_CLIENT = re.compile(r"<session_context>|/[A-Za-z][\w:.-]*(?:\s|\Z)|(?:System: )?Please continue\.\Z")

# What a subagent is given of instruction files and of servers, before its task.
_LOADED = "<loaded_context>"


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Every session's file and those of its subagents, with the folder that their project lies in."""
    projects = installation.folder / "tmp"
    folders = ProjectFolders(installation.folder, files)
    for slug in files.names(projects):
        chats = projects / slug / _CHATS
        names = files.names(chats)
        cwd = folders.find(projects / slug) if names else ""
        for name in names:
            if name.endswith(_SUFFIX) or (name.endswith(_OLD_SUFFIX) and f"{name}l" not in names):
                yield TranscriptReference(path=chats / name, cwd=cwd)
            elif not PurePath(name).suffix:
                session = next((PurePath(other).stem for other in names if other.endswith(_ending(name))), "")
                for inner in files.names(chats / name):
                    if inner.endswith(_SUFFIX):
                        yield TranscriptReference(path=chats / name / inner, cwd=cwd, part_of=session)


def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """What the user and the model said; thoughts, tools and what hooks and the client added are left out."""
    path = transcript.path
    if path.suffix == _OLD_SUFFIX:
        yield from _read_record(_parse(reader.document()), path, 0)
        yield Position().checkpoint()
        return
    position = start = Position.parse(since)
    known: set[ConversationFacts] = set()
    for position, line, is_checkpoint in read_objects(reader, start, _WANTED):
        for item in _read_record(line, path, position.number) if line is not None else ():
            if isinstance(item, Turn) or item not in known:
                yield item
            if isinstance(item, ConversationFacts):
                known.add(item)
        if is_checkpoint:
            yield position.checkpoint()
    yield position.checkpoint()


def _read_record(record: Mapping[str, object], path: CanonicalPath, line: int) -> Iterator[Turn | ConversationFacts]:
    """A message, the head of a session, which in an old one holds the messages, or a patch of the head."""
    patch = record.get("$set")
    if isinstance(patch, dict):
        yield from _facts(patch, path)
        return
    yield from _facts(record, path)
    messages = record.get("messages")
    for message in messages if isinstance(messages, list) else [record]:
        turn = _turn(message, line, path) if isinstance(message, dict) else None
        if turn is not None:
            yield turn


def _facts(record: Mapping[str, object], path: PurePath) -> Iterator[ConversationFacts]:
    session, title, directories = (record.get(key) for key in ("sessionId", "summary", "directories"))
    if isinstance(session, str) or isinstance(title, str):
        is_subagent = _is_subagent(path)
        yield ConversationFacts(
            session_id=spoken(session) if isinstance(session, str) else "",
            parent_id=spoken(path.parent.name) if is_subagent else "",
            title=spoken(title) if isinstance(title, str) else "",
            is_subagent=is_subagent,
        )
    for directory in directories if isinstance(directories, list) else ():
        if isinstance(directory, str):
            yield ConversationFacts(cwd=spoken(directory))


def _turn(message: Mapping[str, object], line: int, path: PurePath) -> Turn | None:
    if message.get("type") == "user":
        role, text = Role.USER, _said_by_user(message)
    elif message.get("type") == "gemini":
        reported = _reported(message) if _is_subagent(path) else ()
        role, text = Role.ASSISTANT, join_texts([*texts_of(message.get("content")), *reported])
    else:
        return None
    if not text:
        return None
    turn = Turn(
        id="",
        role=role,
        text=text,
        time=utc(message.get("timestamp")),
        line=line,
        is_sidechain=_is_subagent(path),
    )
    return identify(message.get("id"), path.stem, turn)


def _reported(message: Mapping[str, object]) -> Iterator[str]:
    """A subagent's answer, which it can give by a tool alone: a text, or texts under the names that its agent has."""
    calls = message.get("toolCalls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict) and (call.get("name"), call.get("status")) == (_ANSWERING, "success"):
            for given in _values(call.get("args")):
                for text in (given, *_values(given)):
                    if isinstance(text, str):
                        yield spoken(text)


def _values(record: object) -> Iterable[object]:
    return record.values() if isinstance(record, dict) else ()


def _said_by_user(message: Mapping[str, object]) -> str:
    """What was typed, where that is kept apart from what the model was given."""
    typed = texts_of(message.get("displayContent")) or texts_of(message.get("content"))
    text = join_texts([strip_hook_context(text) for text in typed if not text.lstrip().startswith(_LOADED)])
    return "" if _OF_THE_CLIENT.match(text) else text


def _ending(session: str) -> str:
    """How the name of a session's file ends: with the beginning of its id."""
    return f"-{session[:_LENGTH_OF_ID]}{_SUFFIX}"


def _is_subagent(path: PurePath) -> bool:
    return path.parent.parent.name == _CHATS


def _parse(data: bytes) -> Mapping[str, object]:
    try:
        value = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
