"""Payloads of lifecycle hooks in the shape that Claude Code gave them and others took over."""

import json
from collections.abc import Mapping

from imprint.domain.hook_events import HookEvent, HookEventKind, HookOutput

__all__ = ["EVENT_KINDS", "nested_context", "parse_event"]

EVENT_KINDS: Mapping[str, HookEventKind] = {
    "SessionStart": HookEventKind.SESSION_START,
    "UserPromptSubmit": HookEventKind.PROMPT,
    "Stop": HookEventKind.STOP,
    "SubagentStop": HookEventKind.STOP,
    "SessionEnd": HookEventKind.SESSION_END,
    "PreCompact": HookEventKind.COMPACTION,
}


def parse_event(client: str, event_name: str, payload: Mapping[str, object], *, call_key: str) -> HookEvent:
    """Read the keys that these clients share.

    Args:
        call_key: The key of what tells one call from the next.

    Raises:
        InvalidHookPayloadError: There is no session id, or a value that is read is no text.
    """
    kind = EVENT_KINDS.get(event_name, HookEventKind.OTHER)
    if kind is HookEventKind.OTHER:
        return HookEvent(kind)

    def read(key: str) -> str:
        value = payload.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise _refused(client, event_name, key)
        return value

    session_id = read("session_id")
    if not session_id:
        raise _refused(client, event_name, "session_id")
    return HookEvent(
        kind=kind,
        session_id=session_id,
        cwd=read("cwd"),
        transcript=read("agent_transcript_path") or read("transcript_path"),
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
