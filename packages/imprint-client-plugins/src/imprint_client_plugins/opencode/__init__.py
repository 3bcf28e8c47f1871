"""opencode: its terminal interface, its server and the apps before it share one configuration and one database."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl
from imprint_client_plugins.deferred_hooks import connecting_hooks, payload_directory_hook, transcript_hooks

if TYPE_CHECKING:
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.plugins.clients import ClientDocument, ClientInfo, ClientNote, Installation

find_installation, plan_connect, plan_disconnect = connecting_hooks(__name__)
detect_cwd = payload_directory_hook()
find_transcripts, read_transcript = transcript_hooks(__name__)


@hookimpl
def describe_client() -> "ClientInfo":
    from imprint.plugins.clients import ClientInfo
    from imprint_client_plugins.opencode.hooks import EVENT_KINDS

    return ClientInfo(
        name="opencode",
        title="opencode",
        summary="MCP server, a plugin for hooks, instructions, transcripts",
        hook_events=frozenset(EVENT_KINDS),
        proof="driven",
    )


@hookimpl
def describe_duties() -> "tuple[ClientNote, ...]":
    return ()


@hookimpl
def find_documents(installation: "Installation") -> "Iterator[ClientDocument]":
    from imprint.plugins.clients import ClientDocument

    return iter([ClientDocument(path=installation.folder / "AGENTS.md")])


@hookimpl
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> "HookEvent":
    from imprint_client_plugins.opencode.hooks import parse_event

    return parse_event(event_name, payload)


@hookimpl
def render_hook_response(event_name: str, context: str) -> "HookOutput":
    from imprint_client_plugins.opencode.hooks import render_context

    del event_name  # the hook's program gives both
    return render_context(context)
