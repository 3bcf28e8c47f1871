"""Payloads of lifecycle hooks in the shape that Claude Code gave them and others took over."""

import json
from collections.abc import Mapping, Sequence

from imprint.domain.hook_events import HookEvent, HookEventKind, HookOutput

__all__ = ["EVENT_KINDS", "nested_context", "parse_event"]

EVENT_KINDS: Mapping[str, HookEventKind] = {
    "SessionStart": HookEventKind.SESSION_START,
    "UserPromptSubmit": HookEventKind.PROMPT,
    "Stop": HookEventKind.STOP,
    "SessionEnd": HookEventKind.SESSION_END,
    "PreCompact": HookEventKind.COMPACTION,
}


_BORROWERS = {"cursor_version": "cursor"}
"""Clients that run others' hooks besides their own, by the key that tells: whoever has a hook of its own hears once."""


def parse_event(
    client: str,
    event_name: str,
    payload: Mapping[str, object],
    *,
    call_key: str,
    kinds: Mapping[str, HookEventKind] = EVENT_KINDS,
    session_keys: Sequence[str] = ("session_id",),
) -> HookEvent:
    """Read the keys that these clients share.

    Args:
        call_key: The key of what tells one call from the next.
        kinds: The events that the client has, by its own names.
        session_keys: The keys of the session's id; the first that is there counts.

    Raises:
        InvalidHookPayloadError: There is no session id, or a value that is read is no text.
    """
    kind = kinds.get(event_name, HookEventKind.OTHER)
    if kind is HookEventKind.OTHER or any(key in payload and _BORROWERS[key] != client for key in _BORROWERS):
        return HookEvent(HookEventKind.OTHER)

    def read(key: str) -> str:
        value = payload.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise _refused(client, event_name, key)
        return value

    session_id = next(filter(None, map(read, session_keys)), "")
    if not session_id:
        raise _refused(client, event_name, session_keys[0])
    return HookEvent(
        kind=kind,
        session_id=session_id,
        cwd=read("cwd"),
        transcript=read("transcript_path"),
        call_id=read(call_key),
        agent_id=read("agent_id"),
        reason=read("source") or read("reason") or read("trigger"),
        prompt=read("prompt"),
        last_message=read("last_assistant_message"),
    )


def nested_context(event_name: str, context: str) -> HookOutput:
    """The form that all of these take, and that a strict one takes alone."""
    if not context:
        return HookOutput()
    answer = {"hookSpecificOutput": {"hookEventName": event_name, "additionalContext": context}}
    return HookOutput(json.dumps(answer))


def _refused(client: str, event: str, key: str) -> Exception:
    from imprint.errors import InvalidHookPayloadError  # loads attrs, which a call that goes well can do without

    return InvalidHookPayloadError(client=client, event=event, key=key)
