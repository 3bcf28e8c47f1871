"""Payloads of Cline's hooks, and the answer that it takes from them.

Nothing that a hook says at a task's start reaches the model, so the first use of a tool is where it is told.
"""

import json
from collections.abc import Mapping

from imprint.domain.hook_events import HookEvent, HookEventKind, HookOutput
from imprint_client_plugins.hook_payloads import PayloadReader

__all__ = ["EVENT_KINDS", "find_root", "parse_event", "render_context"]

EVENT_KINDS: Mapping[str, HookEventKind] = {
    "PreToolUse": HookEventKind.ACTIVITY,
    "TaskComplete": HookEventKind.STOP,
}


def parse_event(event_name: str, payload: Mapping[str, object]) -> HookEvent:
    """Read what Cline sends. A task's id changes from prompt to prompt of one session, where there are sessions.

    Raises:
        InvalidHookPayloadError: It tells neither session nor task, or a value that is read is no text.
    """
    kind = EVENT_KINDS.get(event_name, HookEventKind.OTHER)
    if kind is HookEventKind.OTHER:
        return HookEvent(kind)
    read = PayloadReader("cline", event_name, payload)
    session = _inner(payload, "sessionContext").get("rootSessionId")
    is_subagent = bool(read.text("parent_agent_id"))
    return HookEvent(
        kind=kind,
        session_id=read.checked("rootSessionId", session) or read.required("taskId"),
        cwd=find_root(payload),
        call_id=read.checked("tool_call", _inner(payload, "tool_call").get("id")) or read.text("taskId"),
        agent_id=read.text("agent_id") if is_subagent else "",
        last_message=read.checked("turn", _inner(payload, "turn").get("outputText")),
    )


def find_root(payload: Mapping[str, object]) -> str:
    """The folder that is open; empty where none is told."""
    roots = payload.get("workspaceRoots")
    first = roots[0] if isinstance(roots, list) and roots else ""
    return first if isinstance(first, str) else ""


def render_context(context: str) -> HookOutput:
    """The form that Cline takes: one without it is an error to some of its versions."""
    answer = {"cancel": False, **({"contextModification": context} if context else {})}
    return HookOutput(json.dumps(answer))


def _inner(payload: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = payload.get(key)
    return value if isinstance(value, dict) else {}
