"""Transcripts of Continue: ``sessions/ID.json``, one document a session, without ids or times of its messages."""

from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from imprint.domain.conversations import ConversationFacts, Role, TranscriptItem, Turn
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.transcript_documents import Message, json_object, json_value, read_messages
from imprint_client_plugins.transcript_lines import identify, spoken

__all__ = ["find_transcripts", "read_transcript"]

_INDEX = "sessions.json"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Every session."""
    folder = installation.folder / "sessions"
    for name in files.names(folder):
        if name.endswith(".json") and name != _INDEX:
            yield TranscriptReference(path=folder / name)


def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """What the user and the model said; tools, and what was attached to a prompt, are left out."""
    document = json_object(json_value(reader.document()))
    session = spoken(transcript.path.stem)
    yield ConversationFacts(
        session_id=session,
        cwd=_folder(_text(document.get("workspaceDirectory"))),
        title=_text(document.get("title")),
    )
    yield from read_messages(document.get("history"), since, partial(_turn, session=session))


def _turn(message: Message, session: str) -> Turn | None:
    said = json_object(message.value.get("message"))
    role = _ROLES.get(str(said.get("role")))
    content = said.get("content")
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts = [_text(part.get("text")) for part in map(json_object, parts) if part.get("type") == "text"]
    text = "\n\n".join(filter(None, texts))
    if role is None or not text:
        return None
    return identify(None, session, Turn(id="", role=role, text=text, line=message.number))._replace(line=0)


def _folder(place: str) -> str:
    """A folder, which the extension names by a URI."""
    if not place.startswith("file:"):
        return place
    path = unquote(urlsplit(place).path)
    has_drive = len(path) > 2 and path[2] == ":"
    return str(PurePosixPath(path[1:] if has_drive else path)) if path else ""


def _text(value: object) -> str:
    return spoken(value) if isinstance(value, str) else ""
