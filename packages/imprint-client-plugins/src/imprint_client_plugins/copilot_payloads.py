"""Payloads of the hooks in ``~/.copilot/hooks``, which Copilot CLI and VS Code both call.

Each of the two runs every file in that folder, so a client's hook is called by the other as well. Where an event has
Copilot CLI's own name for it (``agentStop``), Copilot CLI sends ``sessionId``, and VS Code ``session_id``. By that each
plugin knows the calls of its own client, and takes those of the other for nothing.
"""

import json
from collections.abc import Mapping

from imprint.domain.hook_events import HookEvent, HookEventKind, HookOutput
from imprint_client_plugins.hook_payloads import nested_context, parse_event

__all__ = ["HOOK_EVENTS", "parse_copilot_event", "parse_vscode_event", "plain_context", "vscode_context"]

HOOK_EVENTS: Mapping[str, str] = {
    "sessionStart": "SessionStart",
    "userPromptSubmitted": "UserPromptSubmit",
    "agentStop": "Stop",
    "preCompact": "PreCompact",
    "sessionEnd": "SessionEnd",
}
"""Copilot CLI's names of events, and those of Claude Code, which VS Code says in its payloads."""

_COPILOT_SESSION = "sessionId"
_VSCODE_SESSION = "session_id"
_SERVER_OF_VSCODE = "~"


def parse_copilot_event(client: str, event_name: str, payload: Mapping[str, object]) -> HookEvent:
    """Read a call that may be one of Copilot CLI.

    Raises:
        InvalidHookPayloadError: There is no session id of either client, or a value that is read is no text.
    """
    if _COPILOT_SESSION not in payload and _VSCODE_SESSION in payload:
        return HookEvent(HookEventKind.OTHER)
    named = {_VSCODE_SESSION: payload.get(_COPILOT_SESSION), "transcript_path": payload.get("transcriptPath")}
    return _parse(client, event_name, {**payload, **named})


def parse_vscode_event(client: str, event_name: str, payload: Mapping[str, object]) -> HookEvent:
    """Read a call that may be one of VS Code.

    Raises:
        InvalidHookPayloadError: There is no session id of either client, or a value that is read is no text.
    """
    if _VSCODE_SESSION not in payload and _COPILOT_SESSION in payload:
        return HookEvent(HookEventKind.OTHER)
    return _parse(client, event_name, payload)._replace(server_cwd=_SERVER_OF_VSCODE)


def plain_context(event_name: str, context: str) -> HookOutput:
    """The form that Copilot CLI takes from every event; the nested one it passes over."""
    del event_name
    return HookOutput(json.dumps({"additionalContext": context}) if context else "")


def vscode_context(event_name: str, context: str) -> HookOutput:
    """The form that VS Code takes from every event, named as its payloads name it."""
    return nested_context(HOOK_EVENTS.get(event_name, event_name), context)


def _parse(client: str, event_name: str, payload: Mapping[str, object]) -> HookEvent:
    """Neither client gives a prompt an id; all calls for one event have its time, in milliseconds or as text."""
    time = payload.get("timestamp")
    calls = {**payload, "timestamp": str(time) if isinstance(time, int | str) else None}
    return parse_event(client, HOOK_EVENTS.get(event_name, event_name), calls, call_key="timestamp")
