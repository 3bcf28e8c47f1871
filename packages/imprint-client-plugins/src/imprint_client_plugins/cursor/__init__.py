"""Cursor: its editor and its command line agent share one folder of configuration."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl
from imprint_client_plugins.deferred_hooks import connecting_hooks

if TYPE_CHECKING:
    from imprint.domain.conversations import TranscriptItem
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.plugins.clients import ClientDocument, ClientInfo, ClientNote, Installation, TranscriptReference
    from imprint.protocols.clients import ClientFiles, TranscriptReader

_NAME = "cursor"

find_installation, plan_connect, plan_disconnect = connecting_hooks(__name__)


@hookimpl
def describe_client() -> "ClientInfo":
    from imprint.plugins.clients import ClientInfo
    from imprint_client_plugins.cursor.hooks import EVENT_KINDS

    return ClientInfo(
        name=_NAME,
        title="Cursor",
        summary="MCP server, hooks, transcripts",
        hook_events=frozenset(EVENT_KINDS),
        proof="documented",
    )


@hookimpl
def detect_cwd() -> str | None:
    """Its hooks tell of no session's directory, and what directory its servers start in is not documented."""
    return None


@hookimpl
def describe_duties() -> "tuple[ClientNote, ...]":
    return ()


@hookimpl
def find_transcripts(installation: "Installation", files: "ClientFiles") -> "Iterator[TranscriptReference]":
    from imprint_client_plugins.cursor.chats import find_transcripts

    return find_transcripts(installation, files)


@hookimpl
def find_documents() -> "Iterator[ClientDocument]":
    """The user's rules are kept by the service; those in projects are the projects' own."""
    return iter(())


@hookimpl
def read_transcript(
    transcript: "TranscriptReference", reader: "TranscriptReader", since: str
) -> "Iterator[TranscriptItem]":
    from imprint_client_plugins.cursor.agent_transcripts import read_agent_transcript
    from imprint_client_plugins.cursor.composers import read_composer

    if transcript.conversation:
        return read_composer(transcript, reader)
    return read_agent_transcript(transcript, reader, since)


@hookimpl
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> "HookEvent":
    from imprint_client_plugins.cursor.hooks import parse_hook_payload

    return parse_hook_payload(event_name, payload)


@hookimpl
def render_hook_response(event_name: str, context: str) -> "HookOutput":
    from imprint_client_plugins.cursor.hooks import render_hook_response

    return render_hook_response(event_name, context)
