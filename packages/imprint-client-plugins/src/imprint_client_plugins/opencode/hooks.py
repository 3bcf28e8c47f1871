"""What our plugin in opencode sends to our hook, and takes from it: both sides of this are ours."""

import json
from collections.abc import Mapping

from imprint.domain.hook_events import HookEvent, HookEventKind, HookOutput
from imprint_client_plugins.hook_payloads import PayloadReader

__all__ = ["EVENT_KINDS", "parse_event", "render_context"]

EVENT_KINDS: Mapping[str, HookEventKind] = {
    "experimental.chat.system.transform": HookEventKind.SESSION_START,
    "chat.message": HookEventKind.PROMPT,
    "session.idle": HookEventKind.STOP,
}


def parse_event(event_name: str, payload: Mapping[str, object]) -> HookEvent:
    """Read what our plugin sends.

    Raises:
        InvalidHookPayloadError: There is no session id, or a value that is read is no text.
    """
    kind = EVENT_KINDS.get(event_name, HookEventKind.OTHER)
    if kind is HookEventKind.OTHER:
        return HookEvent(kind)
    read = PayloadReader("opencode", event_name, payload)
    return HookEvent(
        kind=kind,
        session_id=read.required("session_id"),
        cwd=read.text("cwd"),
        call_id=read.text("call_id"),
        prompt=read.text("prompt"),
    )


def render_context(context: str) -> HookOutput:
    """The form that our plugin takes."""
    return HookOutput(json.dumps({"context": context}) if context else "")
