"""Cursor's hooks. No payload tells the directory of a session, so nothing is said of workspaces.

``workspace_roots`` is left alone: a window's folders are not the session's directory. ``user_email`` is not read.
"""

import json
from collections.abc import Mapping

from imprint.domain.hook_events import HookEvent, HookEventKind, HookOutput
from imprint_client_plugins.hook_payloads import parse_event

__all__ = ["EVENT_KINDS", "parse_hook_payload", "render_hook_response"]

EVENT_KINDS: Mapping[str, HookEventKind] = {
    "sessionStart": HookEventKind.SESSION_START,
    "stop": HookEventKind.STOP,
    "preCompact": HookEventKind.COMPACTION,
    "sessionEnd": HookEventKind.SESSION_END,
}


def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> HookEvent:
    """What happened, to which conversation; never where."""
    event = parse_event(
        "cursor",
        event_name,
        payload,
        kinds=EVENT_KINDS,
        session_keys=("conversation_id", "session_id"),
        call_key="generation_id",
    )
    return event._replace(cwd="")


def render_hook_response(event_name: str, context: str) -> HookOutput:
    """Only a session that starts takes context."""
    if not context or event_name != "sessionStart":
        return HookOutput()
    return HookOutput(json.dumps({"additional_context": context}))
