"""Payloads of lifecycle hooks: their keys, and the shape that Claude Code gave them and others took over."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from imprint.domain.hook_events import HookEvent, HookEventKind, HookOutput

__all__ = ["EVENT_KINDS", "PayloadReader", "nested_context", "parse_event"]

EVENT_KINDS: Mapping[str, HookEventKind] = {
    "SessionStart": HookEventKind.SESSION_START,
    "UserPromptSubmit": HookEventKind.PROMPT,
    "Stop": HookEventKind.STOP,
    "SubagentStop": HookEventKind.STOP,
    "SessionEnd": HookEventKind.SESSION_END,
    "PreCompact": HookEventKind.COMPACTION,
}


_BORROWERS = {"cursor_version": "cursor"}
"""Clients that run others' hooks besides their own, by the key that tells: whoever has a hook of its own hears once."""


class PayloadReader(NamedTuple):
    """Reads a payload's keys as text. A tuple: attrs would be half of what a hook may cost."""

    client: str
    event: str
    payload: Mapping[str, object]

    def text(self, key: str) -> str:
        """The value of a key; empty where there is none.

        Raises:
            InvalidHookPayloadError: It is no text.
        """
        return self.checked(key, self.payload.get(key))

    def required(self, key: str) -> str:
        """The value of a key that the event cannot do without.

        Raises:
            InvalidHookPayloadError: It is missing, empty or no text.
        """
        value = self.text(key)
        if not value:
            raise self.refused(key)
        return value

    def checked(self, key: str, value: object) -> str:
        """A value that was found elsewhere in the payload, likewise."""
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.refused(key)
        return value

    def refused(self, key: str) -> Exception:
        """The error that names a key."""
        from imprint.errors import InvalidHookPayloadError  # loads attrs, which a call that goes well can do without

        return InvalidHookPayloadError(client=self.client, event=self.event, key=key)


def parse_event(
    client: str,
    event_name: str,
    payload: Mapping[str, object],
    *,
    call_key: str,
    kinds: Mapping[str, HookEventKind] = EVENT_KINDS,
    answer_key: str = "last_assistant_message",
    session_keys: Sequence[str] = ("session_id",),
) -> HookEvent:
    """Read the keys that these clients share.

    Args:
        call_key: The key of what tells one call from the next; empty: calls with the same words are the same.
        kinds: The events that the client has, by its own names.
        answer_key: The key of the model's last answer.
        session_keys: The keys of the session's id; the first that is there counts.

    Raises:
        InvalidHookPayloadError: There is no session id, or a value that is read is no text.
    """
    kind = kinds.get(event_name, HookEventKind.OTHER)
    if kind is HookEventKind.OTHER or any(key in payload and _BORROWERS[key] != client for key in _BORROWERS):
        return HookEvent(HookEventKind.OTHER)

    read = PayloadReader(client, event_name, payload)
    session_id = next(filter(None, map(read.text, session_keys)), "")
    if not session_id:
        raise read.refused(session_keys[0])
    return HookEvent(
        kind=kind,
        session_id=session_id,
        cwd=read.text("cwd"),
        transcript=read.text("agent_transcript_path") or read.text("transcript_path"),
        call_id=read.text(call_key) if call_key else "",
        agent_id=read.text("agent_id"),
        reason=read.text("source") or read.text("reason") or read.text("trigger"),
        prompt=read.text("prompt"),
        last_message=read.text(answer_key),
    )


def nested_context(event_name: str, context: str) -> HookOutput:
    """The form that all of these take, and that a strict one takes alone."""
    if not context:
        return HookOutput()
    answer = {"hookSpecificOutput": {"hookEventName": event_name, "additionalContext": context}}
    return HookOutput(json.dumps(answer))
