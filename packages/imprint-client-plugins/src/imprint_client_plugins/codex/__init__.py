"""Codex: its command line, its IDE extension and the ChatGPT desktop app share one configuration."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl
from imprint_client_plugins.deferred_hooks import (
    connecting_hooks,
    documents_hook,
    duties_hook,
    payload_directory_hook,
    transcript_hooks,
)

if TYPE_CHECKING:
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.plugins.clients import ClientInfo

_NAME = "codex"

find_installation, plan_connect, plan_disconnect = connecting_hooks(__name__)
detect_cwd = payload_directory_hook()
describe_duties = duties_hook(__name__)
find_transcripts, read_transcript = transcript_hooks(__name__)
find_documents = documents_hook(__name__)


@hookimpl
def describe_client() -> "ClientInfo":
    from imprint.plugins.clients import ClientInfo
    from imprint_client_plugins.hook_payloads import EVENT_KINDS

    return ClientInfo(
        name=_NAME,
        title="Codex",
        summary="MCP server, hooks, instructions, transcripts",
        hook_events=frozenset(EVENT_KINDS),
        proof="driven",
    )


@hookimpl
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> "HookEvent":
    from imprint_client_plugins.hook_payloads import parse_event

    return parse_event(_NAME, event_name, payload, call_key="turn_id")


@hookimpl
def render_hook_response(event_name: str, context: str) -> "HookOutput":
    from imprint_client_plugins.hook_payloads import nested_context

    return nested_context(event_name, context)
