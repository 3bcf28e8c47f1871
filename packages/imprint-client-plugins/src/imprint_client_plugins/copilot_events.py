"""The lines that Copilot's agent writes, in Copilot CLI and in VS Code: an event each, a ``type`` with its ``data``."""

import re
from collections.abc import Iterator, Mapping

from imprint.domain.conversations import ConversationFacts, Role, TranscriptItem, Turn
from imprint.protocols.clients import TranscriptReader
from imprint_client_plugins.copilot_subagents import RunningSubagents
from imprint_client_plugins.transcript_lines import Position, identify, read_objects, spoken, utc

__all__ = ["WORDS", "WORDS_AND_TOOLS", "read_events"]

_TOLD = rb"session\.(?:start|resume|context_changed|title_changed)|user\.message|assistant\.message"
WORDS = re.compile(rb'"type"\s*:\s*"(?:%b)"' % _TOLD)
"""Lines that words, and what concerns the whole, stand on."""

WORDS_AND_TOOLS = re.compile(rb'"type"\s*:\s*"(?:%b|tool\.execution_(?:start|complete))"' % _TOLD)
"""Those too that tell when a subagent runs, for a client that does not mark what one says."""

_SPEAKERS = {"user.message": Role.USER, "assistant.message": Role.ASSISTANT}
# Where a message names its source, it is the user's only if that is this: others are skills, schedules, and the agent
# that gives a subagent its task.
_OF_THE_USER = ("", "user")
_OF_AN_AGENT = "agent-"


def read_events(
    reader: TranscriptReader, since: str, *, session: str, wanted: re.Pattern[bytes]
) -> Iterator[TranscriptItem]:
    """What the user and the model said; hooks, tools and their output, and compactions are left out.

    Of a message that was sent in another form than it was typed (``transformedContent``: the time, a hook's context),
    what was typed counts.

    Args:
        session: The client's id of it, by the place of the transcript: a copy of another session begins with its lines.
        wanted: The lines that tell what the client does not say otherwise.
    """
    position = start = Position.parse(since)
    subagents, cwd = _read_state(start.state)
    for position, line, is_checkpoint in read_objects(reader, start, wanted):
        data = line.get("data") if line is not None else None
        if line is not None and isinstance(data, dict):
            facts = _facts(line, data, session)
            if facts is not None:
                cwd = facts.cwd or cwd
                yield facts
            subagents.note(line.get("type"), data)
            turn = _turn(line, data, position.number)
            if turn is not None:
                is_sidechain = turn.is_sidechain or subagents.speak(turn.role, turn.text)
                yield identify(line.get("id"), session, turn._replace(cwd=cwd, is_sidechain=is_sidechain))
        position = position._replace(state=_write_state(subagents, cwd))
        if is_checkpoint:
            yield position.checkpoint()
    yield position.checkpoint()


def _read_state(state: str) -> tuple[RunningSubagents, str]:
    running, _, cwd = state.partition("\n") if state.startswith("{") else ("", "", state)
    return RunningSubagents(running), cwd


def _write_state(subagents: RunningSubagents, cwd: str) -> str:
    return f"{subagents.state}\n{cwd}" if subagents.state else cwd


def _facts(line: Mapping[str, object], data: Mapping[str, object], session: str) -> ConversationFacts | None:
    match line.get("type"):
        case "session.start":
            named = _text(data, "sessionId")
            parent = named if named != session else ""
            return ConversationFacts(session_id=session, parent_id=parent, cwd=_cwd(data.get("context")))
        case "session.resume":
            return ConversationFacts(cwd=_cwd(data.get("context")))
        case "session.context_changed":
            return ConversationFacts(cwd=_cwd(data))
        case "session.title_changed":
            return ConversationFacts(title=_text(data, "title"))
    return None


def _turn(line: Mapping[str, object], data: Mapping[str, object], number: int) -> Turn | None:
    kind, text = line.get("type"), _text(data, "content")
    role = _SPEAKERS.get(kind) if isinstance(kind, str) else None
    is_subagent = bool(line.get("agentId") or data.get("parentToolCallId"))
    if role is None or not text or (role is Role.USER and not _is_said(data, is_subagent=is_subagent)):
        return None
    return Turn(id="", role=role, text=text, time=utc(line.get("timestamp")), line=number, is_sidechain=is_subagent)


def _is_said(data: Mapping[str, object], *, is_subagent: bool) -> bool:
    source = data.get("source", "")
    is_task = is_subagent and isinstance(source, str) and source.startswith(_OF_AN_AGENT)
    return (source in _OF_THE_USER or is_task) and not data.get("isAutopilotContinuation")


def _cwd(context: object) -> str:
    return _text(context, "cwd") if isinstance(context, dict) else ""


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    return spoken(value) if isinstance(value, str) else ""
