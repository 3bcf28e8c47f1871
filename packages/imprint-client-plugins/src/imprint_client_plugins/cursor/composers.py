"""Chats of Cursor's editor: rows of one database, asked for by ranges of keys, since it may have many gigabytes.

A subagent's is a chat as any other, which tells the one that it is a part of.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from imprint.domain.conversations import Checkpoint, ConversationFacts, Role, TranscriptItem, Turn
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError
from imprint.plugins.clients import TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.transcript_lines import spoken, utc, utc_of_epoch

__all__ = ["find_composers", "read_composer"]

_PREFIX = "composerData:"
_CHATS = """
SELECT key,
       CASE WHEN json_valid(text) THEN json_extract(text, '$.name') END,
       CASE WHEN json_valid(text) THEN json_extract(text, '$.lastUpdatedAt') END,
       CASE WHEN json_valid(text) THEN json_array_length(text, '$.fullConversationHeadersOnly') END,
       CASE WHEN json_valid(text) THEN json_array_length(text, '$.conversation') END,
       CASE WHEN json_valid(text) THEN json_extract(text, '$.subagentInfo.parentComposerId') END
FROM (SELECT key, CAST(value AS TEXT) AS text FROM cursorDiskKV WHERE key > 'composerData:' AND key < 'composerData;')
ORDER BY key
"""
_CHAT = "SELECT CAST(value AS TEXT) FROM cursorDiskKV WHERE key = ?"
_BUBBLES = "SELECT key, CAST(value AS TEXT) FROM cursorDiskKV WHERE key > ? AND key < ?"
_ROLES = {1: Role.USER, 2: Role.ASSISTANT}
_WHOLE = Checkpoint("whole")


def find_composers(
    path: CanonicalPath, find_folders: Callable[[Sequence[str]], tuple[str, ...] | None], files: ClientFiles
) -> Iterator[TranscriptReference]:
    """The chats in which something was said; none where the database cannot be read.

    Args:
        find_folders: Where a chat was held, by its id and those of the chats that it is a part of; `None`: it is to be
            left alone.
    """
    try:
        rows = list(files.rows(path, _CHATS))
    except ClientFileUnreadableError:
        return
    parents = {_id_of(key): _text(parent) for key, *_, parent in rows}
    for key, name, updated, headers, inline, _ in rows:
        id, count = _id_of(key), headers or inline
        folders = find_folders(_line_of(id, parents)) if id and count else None
        if folders is not None:
            yield TranscriptReference(
                path=path,
                conversation=id,
                fingerprint=f"{updated} {count}",
                directories=folders,
                title=_text(name),
                part_of=parents[id],
            )


def read_composer(transcript: TranscriptReference, reader: TranscriptReader) -> Iterator[TranscriptItem]:
    """What the user and the model said, in the order that the chat tells."""
    id, parent = transcript.conversation, transcript.part_of
    yield ConversationFacts(session_id=id, parent_id=parent, title=transcript.title, is_subagent=bool(parent))
    chat = _parse(next((value for (value,) in reader.rows(_CHAT, (f"{_PREFIX}{id}",))), None))
    inline = _objects(chat.get("conversation"))
    stored = {
        str(key).rpartition(":")[2]: value
        for key, value in reader.rows(_BUBBLES, (f"bubbleId:{id}:", f"bubbleId:{id};"))
    }
    for header in _objects(chat.get("fullConversationHeadersOnly")) or inline:
        bubble_id = header.get("bubbleId")
        if isinstance(bubble_id, str):
            turn = _turn(header if header in inline else _parse(stored.get(bubble_id)), id, bubble_id)
            if turn is not None:
                yield turn._replace(is_sidechain=bool(parent))
    yield _WHOLE


def _id_of(key: object) -> str:
    return spoken(str(key).removeprefix(_PREFIX))


def _line_of(id: str, parents: Mapping[str, str]) -> Sequence[str]:
    """A chat, the one that it is a part of, and so on; the rows are not ours, and may go round in a circle."""
    line = [id]
    while (parent := parents.get(line[-1], "")) and parent not in line:
        line.append(parent)
    return line


def _turn(bubble: Mapping[str, object], chat: str, id: str) -> Turn | None:
    kind, text, moment = bubble.get("type"), bubble.get("text"), bubble.get("createdAt")
    role = _ROLES.get(kind) if isinstance(kind, int) else None
    said = _text(text)
    if role is None or not said:
        return None
    return Turn(id=f"{chat} {spoken(id)}", role=role, text=said, time=utc(moment) or utc_of_epoch(moment, units=1000))


def _text(value: object) -> str:
    return spoken(value) if isinstance(value, str) else ""


def _objects(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _parse(text: object) -> Mapping[str, object]:
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
