"""Hooks of Copilot CLI and VS Code: both call every file in one folder, and each plugin answers its own client."""

import json

import pytest

from imprint.domain.hook_events import HookEvent, HookEventKind, HookOutput
from imprint.errors import InvalidHookPayloadError
from imprint.testing.client_files import MemoryClientFiles
from imprint_client_plugins import copilot_cli, vscode_copilot

OTHER = HookEvent(HookEventKind.OTHER)
SESSION = "9f90b8c8-47ec-4cd1-9a37-f70ec1401826"
EVENTS = f"/home/dev/.copilot/session-state/{SESSION}/events.jsonl"
CHAT = f"/home/dev/.config/Code/User/workspaceStorage/49aa0f21/GitHub.copilot-chat/transcripts/{SESSION}.jsonl"
# As they were recorded of Copilot CLI 1.0.102 and VS Code 1.139.1, from hooks of the same names.
OF_COPILOT = {
    "sessionStart": {
        "sessionId": SESSION,
        "timestamp": 1796075563941,
        "cwd": "/home/dev/proj/sub",
        "source": "new",
        "initialPrompt": "first prompt",
    },
    "agentStop": {
        "sessionId": SESSION,
        "timestamp": 1796075564697,
        "cwd": "/home/dev/proj/sub",
        "transcriptPath": EVENTS,
        "stopReason": "end_turn",
        "stop_hook_active": False,
    },
    "sessionEnd": {
        "sessionId": SESSION,
        "timestamp": 1796075564759,
        "cwd": "/home/dev/proj/sub",
        "reason": "complete",
    },
}
OF_VSCODE = {
    "sessionStart": {
        "timestamp": "2026-11-30T22:31:41.077Z",
        "hook_event_name": "SessionStart",
        "session_id": SESSION,
        "transcript_path": CHAT,
        "source": "new",
        "model": "fake-model",
        "cwd": "/home/dev/proj",
    },
    "agentStop": {
        "timestamp": "2026-11-30T22:32:28.906Z",
        "hook_event_name": "Stop",
        "session_id": SESSION,
        "transcript_path": CHAT,
        "stop_hook_active": False,
        "cwd": "/home/dev/proj",
    },
}


def test_copilot_cli_is_understood():
    read = {event: copilot_cli.parse_hook_payload(event, payload) for event, payload in OF_COPILOT.items()}

    common = {"session_id": SESSION, "cwd": "/home/dev/proj/sub"}
    assert read == {
        "sessionStart": HookEvent(HookEventKind.SESSION_START, call_id="1796075563941", reason="new", **common),
        "agentStop": HookEvent(HookEventKind.STOP, transcript=EVENTS, call_id="1796075564697", **common),
        "sessionEnd": HookEvent(HookEventKind.SESSION_END, call_id="1796075564759", reason="complete", **common),
    }


def test_vscode_is_understood():
    read = {event: vscode_copilot.parse_hook_payload(event, payload) for event, payload in OF_VSCODE.items()}

    common = {"session_id": SESSION, "cwd": "/home/dev/proj", "transcript": CHAT, "server_cwd": "~"}
    started, stopped = (payload["timestamp"] for payload in OF_VSCODE.values())
    assert read == {
        "sessionStart": HookEvent(HookEventKind.SESSION_START, call_id=started, reason="new", **common),
        "agentStop": HookEvent(HookEventKind.STOP, call_id=stopped, **common),
    }


@pytest.mark.parametrize("event", OF_VSCODE)
def test_a_call_of_the_other_client_is_nothing(event):
    assert copilot_cli.parse_hook_payload(event, OF_VSCODE[event]) == OTHER
    assert vscode_copilot.parse_hook_payload(event, OF_COPILOT[event]) == OTHER


@pytest.mark.parametrize("plugin", [copilot_cli, vscode_copilot])
def test_a_call_of_neither_is_refused(plugin):
    with pytest.raises(InvalidHookPayloadError):
        plugin.parse_hook_payload("agentStop", {"cwd": "/home/dev/proj"})


@pytest.mark.parametrize(
    ("plugin", "payload"), [(copilot_cli, OF_COPILOT["agentStop"]), (vscode_copilot, OF_VSCODE["agentStop"])]
)
def test_two_calls_for_one_answer_are_the_same_and_those_for_two_are_not(plugin, payload):
    """Neither client gives a prompt an id; a session that goes on within moments is learned all the same."""
    one, double, later = (
        plugin.parse_hook_payload("agentStop", sent)
        for sent in (payload, dict(payload), {**payload, "timestamp": "later"})
    )

    assert one == double
    assert one.call_id != later.call_id


def test_context_is_written_in_the_form_that_reaches_the_model_of_each():
    copilot = copilot_cli.render_hook_response("sessionStart", "Search first.")
    vscode = vscode_copilot.render_hook_response("sessionStart", "Search first.")

    assert json.loads(copilot.stdout) == {"additionalContext": "Search first."}
    assert json.loads(vscode.stdout) == {
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "Search first."}
    }


@pytest.mark.parametrize("plugin", [copilot_cli, vscode_copilot])
def test_nothing_to_say_is_nothing(plugin):
    assert plugin.render_hook_response("agentStop", "") == HookOutput()


def test_a_session_in_a_subfolder_is_told_by_the_payload_and_not_by_the_folder_of_the_hook():
    """Copilot CLI starts hooks in the repository's folder, and names that one in its variables."""
    environ = {"COPILOT_PROJECT_DIR": "/home/dev/proj", "CLAUDE_PROJECT_DIR": "/home/dev/proj"}

    assert copilot_cli.detect_cwd(OF_COPILOT["agentStop"], environ, MemoryClientFiles()) == "/home/dev/proj/sub"


def test_a_server_in_the_users_home_tells_no_directory():
    assert vscode_copilot.detect_cwd(OF_VSCODE["agentStop"]) == "/home/dev/proj"
    assert vscode_copilot.detect_cwd({}) is None
