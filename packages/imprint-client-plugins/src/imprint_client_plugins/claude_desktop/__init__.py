"""Claude Desktop: its chats stay with the service; its local agent writes transcripts as Claude Code does."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl

if TYPE_CHECKING:
    from imprint.domain.conversations import TranscriptItem
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.domain.plans import ConnectionRecord, FileEdit, RunCommand
    from imprint.plugins.clients import (
        ClientDocument,
        ClientHome,
        ClientInfo,
        ClientNote,
        Installation,
        OurPrograms,
        TranscriptReference,
    )
    from imprint.protocols.clients import ClientFiles, TranscriptReader


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
def find_installation(home: "ClientHome", files: "ClientFiles") -> "Installation | None":
    from imprint_client_plugins.claude_desktop.connecting import find_installation

    return find_installation(home, files)


@hookimpl
def detect_cwd() -> str | None:
    """One server serves every chat of the app, and none of them has a folder."""
    return None


@hookimpl
def plan_connect(
    installation: "Installation", programs: "OurPrograms", files: "ClientFiles"
) -> "tuple[FileEdit | RunCommand, ...]":
    from imprint_client_plugins.claude_desktop.connecting import plan_connect

    return plan_connect(installation, programs, files)


@hookimpl
def plan_disconnect(
    installation: "Installation", record: "ConnectionRecord", files: "ClientFiles"
) -> "tuple[FileEdit | RunCommand, ...]":
    from imprint_client_plugins.claude_desktop.connecting import plan_disconnect

    return plan_disconnect(installation, record, files)


@hookimpl
def describe_duties(installation: "Installation", files: "ClientFiles") -> "tuple[ClientNote, ...]":
    from imprint_client_plugins.claude_desktop.connecting import describe_duties

    return describe_duties(installation, files)


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
