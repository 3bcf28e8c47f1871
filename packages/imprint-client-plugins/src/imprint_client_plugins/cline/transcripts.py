"""Transcripts of Cline: its command line's ``ID.messages.json``, its extension's ``tasks/ID/ui_messages.json``.

Where a conversation was held is kept apart: in ``ID.json`` beside it, and in ``state/taskHistory.json``.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from imprint.domain.conversations import ConversationFacts, TranscriptItem, Turn
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.cline.places import find_places
from imprint_client_plugins.cline.words import turn_of_message, turn_of_notice
from imprint_client_plugins.transcript_documents import json_object, json_value, read_messages
from imprint_client_plugins.transcript_lines import spoken

__all__ = ["find_transcripts", "read_transcript"]

_SUFFIX = ".messages.json"
_NOTICES = "ui_messages.json"


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Every session of the command line with its subagents', then every task of the extension."""
    places = find_places(installation.home, files)
    for session in files.names(places.sessions):
        yield from _of_session(places.sessions / session, session, files)
    for extension in places.extensions:
        history = json_value(files.read(extension / "state" / "taskHistory.json") or b"")
        known = {str(task.get("id")): task for task in map(json_object, history if isinstance(history, list) else ())}
        for id in files.names(extension / "tasks"):
            if _NOTICES in files.names(extension / "tasks" / id):
                task = known.get(id, {})
                yield TranscriptReference(
                    path=extension / "tasks" / id / _NOTICES,
                    conversation=id,
                    cwd=_text(task, "cwdOnTaskInitialization"),
                    title=_text(task, "task"),
                )


def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """What the user and the model said; tools, notices and what hooks told are left out."""
    name, session = transcript.path.name, spoken(transcript.conversation)
    document = json_value(reader.document())
    if name == _NOTICES:
        yield ConversationFacts(session_id=session)
        yield from read_messages(document, since, partial(turn_of_notice, session=session))
        return
    messages = json_object(document).get("messages")
    root = spoken(transcript.path.parent.name)
    is_subagent = name.endswith(_SUFFIX) and session != root
    yield ConversationFacts(session_id=session, parent_id=root if is_subagent else "", is_subagent=is_subagent)
    for item in read_messages(messages, since, partial(turn_of_message, session=session)):
        yield item._replace(is_sidechain=is_subagent) if isinstance(item, Turn) else item


def _of_session(folder: CanonicalPath, session: str, files: ClientFiles) -> Iterator[TranscriptReference]:
    names = files.names(folder)
    transcripts = [name for name in names if name.endswith(_SUFFIX)]
    if not transcripts:
        return
    about = json_object(json_value(files.read(folder / f"{session}.json") or b""))
    for name in transcripts:
        id = name.removesuffix(_SUFFIX)
        title = _text(json_object(about.get("metadata")), "title") if id == session else ""
        yield TranscriptReference(
            path=folder / name,
            conversation=id,
            cwd=_text(about, "cwd"),
            title=title,
            part_of=session if id != session else "",
        )


def _text(value: Mapping[str, object], key: str) -> str:
    found = value.get(key)
    return spoken(found) if isinstance(found, str) else ""
