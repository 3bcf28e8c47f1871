"""Cline: its command line, and its extension for editors."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl
from imprint_client_plugins.deferred_hooks import connecting_hooks, documents_hook, duties_hook, transcript_hooks

if TYPE_CHECKING:
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.plugins.clients import ClientInfo

find_installation, plan_connect, plan_disconnect = connecting_hooks(__name__)
describe_duties = duties_hook(__name__)
find_transcripts, read_transcript = transcript_hooks(__name__)
find_documents = documents_hook(__name__)


@hookimpl
def describe_client() -> "ClientInfo":
    from imprint.plugins.clients import ClientInfo
    from imprint_client_plugins.cline.hooks import EVENT_KINDS

    return ClientInfo(
        name="cline",
        title="Cline",
        summary="MCP server, hooks, instructions, transcripts",
        hook_events=frozenset(EVENT_KINDS),
        proof="driven",
    )


@hookimpl
def detect_cwd(payload: Mapping[str, object]) -> str | None:
    from imprint_client_plugins.cline.hooks import find_root

    return find_root(payload) or None


@hookimpl
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> "HookEvent":
    from imprint_client_plugins.cline.hooks import parse_event

    return parse_event(event_name, payload)


@hookimpl
def render_hook_response(event_name: str, context: str) -> "HookOutput":
    from imprint_client_plugins.cline.hooks import render_context

    del event_name  # the hook's program gives both
    return render_context(context)
