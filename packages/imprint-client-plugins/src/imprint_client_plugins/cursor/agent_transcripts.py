"""Transcripts of Cursor's agents: ``~/.cursor/projects/PROJECT/agent-transcripts/ID/ID.jsonl``.

Those of its subagents lie in ``subagents`` beside it. A line holds a message and nothing else: no id, no time, no
directory.
"""

import re
from collections.abc import Iterator, Mapping

from imprint.domain.conversations import ConversationFacts, Role, TranscriptItem, Turn
from imprint.plugins.clients import TranscriptReference
from imprint.protocols.clients import TranscriptReader
from imprint_client_plugins.transcript_lines import Position, identify, read_objects, spoken, utc

__all__ = ["read_agent_transcript"]

_WANTED = re.compile(rb'"role"\s*:\s*"(?:user|assistant)"')
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_MOMENT = re.compile(r"\A\s*<timestamp>.*?</timestamp>\s*", re.DOTALL)
_QUERY = re.compile(r"<user_query>(.*?)</user_query>", re.DOTALL)


def read_agent_transcript(
    transcript: TranscriptReference, reader: TranscriptReader, since: str
) -> Iterator[TranscriptItem]:
    """What the user and the model said; calls of tools and what the editor wrote around a question are left out."""
    position = start = Position.parse(since)
    session, parent = spoken(transcript.path.stem), spoken(transcript.part_of)
    if not start.end:
        yield ConversationFacts(session_id=session, parent_id=parent, is_subagent=bool(parent))
    for position, line, is_checkpoint in read_objects(reader, start, _WANTED):
        turn = _turn(line, position.number) if line is not None else None
        if line is not None and turn is not None:
            yield identify(line.get("id"), transcript.path.stem, turn._replace(is_sidechain=bool(parent)))
        if is_checkpoint:
            yield position.checkpoint()
    yield position.checkpoint()


def _turn(line: Mapping[str, object], number: int) -> Turn | None:
    said, message = line.get("role"), line.get("message")
    role = _ROLES.get(said) if isinstance(said, str) else None
    content = message.get("content") if isinstance(message, dict) else None
    if role is None:
        return None
    text = _joined(content)
    if role is Role.USER:
        queries = _QUERY.findall(text) or [_MOMENT.sub("", text)]
        text = "\n\n".join(filter(None, map(str.strip, queries)))
    return Turn(id="", role=role, text=text, time=utc(line.get("timestamp")), line=number) if text else None


def _joined(content: object) -> str:
    if isinstance(content, str):
        return spoken(content)
    blocks = content if isinstance(content, list) else []
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "\n\n".join(filter(None, (spoken(text) for text in texts if isinstance(text, str))))
