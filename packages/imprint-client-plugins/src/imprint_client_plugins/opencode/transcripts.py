"""Conversations of opencode: rows of the tables ``session``, ``message`` and ``part`` of one SQLite file.

A row's ``data`` is a JSON object. An answer that is still being given, and what the user has said meanwhile, are left
for a later reading; one that was never finished counts as it is once another has been.
"""

import json
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from imprint.domain.conversations import Checkpoint, ConversationFacts, Role, TranscriptItem, Turn
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles, TranscriptReader
from imprint_client_plugins.opencode.connecting import data_folder
from imprint_client_plugins.transcript_lines import identify, spoken, utc_of_epoch

__all__ = ["find_transcripts", "read_transcript"]

_USUAL = "opencode.db"
# Releases of other channels than the usual have a file of their own each.
_DATABASES = "opencode*.db"
_SESSIONS = """
SELECT id, parent_id, directory, title, time_updated,
    (SELECT max(time_updated) FROM message WHERE session_id = session.id),
    (SELECT count(*) FROM message WHERE session_id = session.id)
FROM session ORDER BY time_created, id
"""
_SESSION = "SELECT parent_id, directory, title FROM session WHERE id = ?"
_MESSAGES = """
SELECT message.time_created, message.id, message.data, part.data
FROM message LEFT JOIN part ON part.message_id = message.id
WHERE message.session_id = ? AND (message.time_created > ? OR (message.time_created = ? AND message.id > ?))
ORDER BY message.time_created, message.id, part.id
"""
# `opencode run` keeps an argument with blanks in it as a shell would have to be given it.
_QUOTED = re.compile(r'"((?:[^"]|(?<=\\)")*)"')
_POSITION = re.compile(r"([0-9]{1,18}):(.*)", re.DOTALL)


class _Message(NamedTuple):
    """A message, and what it has of text."""

    created: int
    id: str
    data: Mapping[str, object]
    text: str

    @property
    def is_prompt(self) -> bool:
        return self.data.get("role") == "user"

    @property
    def is_answered(self) -> bool:
        """Whether it is all that the model had to say, or will ever say."""
        time = self.data.get("time")
        return not self.is_prompt and isinstance(time, dict) and time.get("completed") is not None


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Every session, subagents' and archived ones too, of every channel's database.

    What only has the name of a channel's, such as a copy that somebody laid aside, hides nothing of the others: it is
    given whole, and who reads it is told what is wrong.

    Raises:
        ClientFileUnreadableError: The usual database, or the one that a variable names, cannot be read.
    """
    folder = data_folder(installation.home)
    moved = installation.home.environ.get("OPENCODE_DB", "")
    names = [name for name in files.names(folder) if fnmatchcase(name, _DATABASES)]
    for path in dict.fromkeys([*(folder / name for name in names), *([folder / moved] if moved else [])]):
        try:
            yield from _sessions(path, files)
        except ClientFileUnreadableError:
            if path in (folder / _USUAL, folder / moved):
                raise
            yield TranscriptReference(path=path)


def _sessions(path: CanonicalPath, files: ClientFiles) -> Iterator[TranscriptReference]:
    for id, parent, directory, title, *changed in files.rows(path, _SESSIONS):
        yield TranscriptReference(
            path=path,
            conversation=_text(id),
            fingerprint=":".join(map(str, changed)),
            cwd=_text(directory),
            title=_text(title),
            part_of=_text(parent),
        )


def read_transcript(transcript: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
    """What the user and the model said; reasoning, tools, reminders and summaries are left out."""
    session = transcript.conversation
    is_subagent = False
    for parent, directory, title in reader.rows(_SESSION, (session,)):
        is_subagent = bool(parent)
        yield ConversationFacts(
            session_id=session,
            parent_id=_text(parent),
            cwd=_text(directory),
            title=_text(title),
            is_subagent=is_subagent,
        )
    found = _POSITION.fullmatch(since)
    created, last = (int(found[1]), found[2]) if found else (0, "")
    waiting: list[_Message] = []
    for message in _messages(reader, session, created, last):
        waiting.append(message)
        if message.is_answered or (message.is_prompt and len(waiting) == 1):
            for one in waiting:
                created, last = one.created, one.id
                yield from _turns(one, is_subagent=is_subagent)
            waiting.clear()
    yield Checkpoint(f"{created}:{last}")


def _messages(reader: TranscriptReader, session: str, created: int, last: str) -> Iterator[_Message]:
    rows = reader.rows(_MESSAGES, (session, created, created, last))
    for (moment, id, data), parts in groupby(rows, itemgetter(0, 1, 2)):
        texts = [_said(_parse(part)) for *_, part in parts]
        yield _Message(
            moment if isinstance(moment, int) else 0, _text(id), _parse(data), "\n\n".join(filter(None, texts))
        )


def _turns(message: _Message, *, is_subagent: bool) -> Iterator[Turn]:
    roles = {"user": Role.USER, "assistant": Role.ASSISTANT}
    role = roles.get(_text(message.data.get("role")))
    # The message with which a compaction answers is marked as a summary; a user's has what changed there.
    if role is None or not message.text or message.data.get("summary") is True:
        return
    quoted = _QUOTED.fullmatch(message.text) if role is Role.USER else None
    text = quoted[1].replace('\\"', '"').strip() if quoted else message.text
    if not text:
        return
    place, time = message.data.get("path"), message.data.get("time")
    moment = utc_of_epoch(time.get("created"), units=1000) if isinstance(time, dict) else ""
    turn = Turn(
        id="",
        role=role,
        text=text,
        time=moment or utc_of_epoch(message.created, units=1000),
        cwd=_text(place.get("cwd")) if isinstance(place, dict) else "",
        is_sidechain=is_subagent,
    )
    # A fork copies messages under new ids; what was said, and when, stays.
    yield identify("" if moment else message.id, message.id, turn)


def _said(part: Mapping[str, object]) -> str:
    """The text of a part; what the client wrote itself (files that were named, reminders) is marked as synthetic."""
    if part.get("type") != "text" or part.get("synthetic") or part.get("ignored"):
        return ""
    return _text(part.get("text"))


def _parse(data: object) -> Mapping[str, object]:
    try:
        value = json.loads(data) if isinstance(data, str) else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return spoken(value) if isinstance(value, str) else ""
