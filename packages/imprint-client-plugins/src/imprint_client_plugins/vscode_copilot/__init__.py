"""Copilot Chat in VS Code, in every build of it that is there; those of its sessions that VS Code runs itself."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl
from imprint_client_plugins.deferred_hooks import (
    connecting_hooks,
    documents_hook,
    payload_directory_hook,
    transcript_hooks,
)

if TYPE_CHECKING:
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.plugins.clients import ClientInfo, ClientNote

_NAME = "vscode-copilot"

find_installation, plan_connect, plan_disconnect = connecting_hooks(__name__)
# A server of the user's starts in the user's home, which says nothing of the window.
detect_cwd = payload_directory_hook()
find_transcripts, read_transcript = transcript_hooks(__name__)
find_documents = documents_hook(__name__)


@hookimpl
def describe_client() -> "ClientInfo":
    from imprint.plugins.clients import ClientInfo
    from imprint_client_plugins.copilot_payloads import HOOK_EVENTS

    return ClientInfo(
        name=_NAME,
        title="VS Code (Copilot Chat)",
        summary="MCP server, hooks, instructions, chats of the harness Local",
        hook_events=frozenset(HOOK_EVENTS.keys() - {"sessionEnd"}),
        proof="driven",
    )


@hookimpl
def describe_duties() -> "tuple[ClientNote, ...]":
    from imprint_client_plugins.vscode_copilot.connecting import describe_duties

    return describe_duties()


@hookimpl
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> "HookEvent":
    from imprint_client_plugins.copilot_payloads import parse_vscode_event

    return parse_vscode_event(_NAME, event_name, payload)


@hookimpl
def render_hook_response(event_name: str, context: str) -> "HookOutput":
    from imprint_client_plugins.copilot_payloads import vscode_context

    return vscode_context(event_name, context)
