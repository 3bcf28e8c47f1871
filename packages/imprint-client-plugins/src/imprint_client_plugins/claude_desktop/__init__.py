"""Claude Desktop: its chats stay with the service; its local agent writes transcripts as Claude Code does."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl
from imprint_client_plugins.deferred_hooks import connecting_hooks, duties_hook

if TYPE_CHECKING:
    from imprint.domain.conversations import TranscriptItem
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.plugins.clients import ClientDocument, ClientInfo, Installation, TranscriptReference
    from imprint.protocols.clients import ClientFiles, TranscriptReader

find_installation, plan_connect, plan_disconnect = connecting_hooks(__name__)
describe_duties = duties_hook(__name__)


@hookimpl
def describe_client() -> "ClientInfo":
    from imprint.plugins.clients import ClientInfo

    return ClientInfo(
        name="claude-desktop",
        title="Claude Desktop",
        summary="MCP server, transcripts of local agent sessions; chats by 'imprint learn --export'",
        proof="documented",
    )


@hookimpl
def detect_cwd() -> str | None:
    """One server serves every chat of the app, and none of them has a folder."""
    return None


@hookimpl
def find_transcripts(installation: "Installation", files: "ClientFiles") -> "Iterator[TranscriptReference]":
    from imprint_client_plugins.claude_desktop.sessions import find_transcripts

    return find_transcripts(installation, files)


@hookimpl
def find_documents() -> "Iterator[ClientDocument]":
    return iter(())


@hookimpl
def read_transcript(
    transcript: "TranscriptReference", reader: "TranscriptReader", since: str
) -> "Iterator[TranscriptItem]":
    from imprint_client_plugins.claude_transcripts import read_transcript

    return read_transcript(transcript, reader, since)


@hookimpl
def parse_hook_payload() -> "HookEvent":
    from imprint.domain.hook_events import HookEvent, HookEventKind

    return HookEvent(HookEventKind.OTHER)


@hookimpl
def render_hook_response() -> "HookOutput":
    from imprint.domain.hook_events import HookOutput

    return HookOutput()
