"""Claude Code: its command line and its IDE extensions share one configuration."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl
from imprint_client_plugins.deferred_hooks import connecting_hooks, directory_hook, documents_hook, duties_hook

if TYPE_CHECKING:
    from imprint.domain.conversations import TranscriptItem
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.plugins.clients import ClientInfo, Installation, TranscriptReference
    from imprint.protocols.clients import ClientFiles, TranscriptReader

_NAME = "claude-code"
_PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"

find_installation, plan_connect, plan_disconnect = connecting_hooks(__name__)
detect_cwd = directory_hook(_PROJECT_VARIABLE)
describe_duties = duties_hook(__name__)
find_documents = documents_hook(__name__)


@hookimpl
def describe_client() -> "ClientInfo":
    from imprint.plugins.clients import ClientInfo
    from imprint_client_plugins.hook_payloads import EVENT_KINDS

    return ClientInfo(
        name=_NAME,
        title="Claude Code",
        summary="MCP server, hooks, instructions, transcripts",
        hook_events=frozenset(EVENT_KINDS),
        proof="driven",
    )


@hookimpl
def find_transcripts(installation: "Installation", files: "ClientFiles") -> "Iterator[TranscriptReference]":
    from imprint_client_plugins.claude_transcripts import find_transcripts

    return find_transcripts(installation.folder / "projects", files)


@hookimpl
def read_transcript(
    transcript: "TranscriptReference", reader: "TranscriptReader", since: str
) -> "Iterator[TranscriptItem]":
    from imprint_client_plugins.claude_transcripts import read_transcript

    return read_transcript(transcript, reader, since)


@hookimpl
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> "HookEvent":
    from imprint_client_plugins.hook_payloads import parse_event

    return parse_event(_NAME, event_name, payload, call_key="prompt_id")


@hookimpl
def render_hook_response(event_name: str, context: str) -> "HookOutput":
    from imprint_client_plugins.hook_payloads import nested_context

    return nested_context(event_name, context)
