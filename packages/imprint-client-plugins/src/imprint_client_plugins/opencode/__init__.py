"""opencode: its terminal interface, its server and the apps before it share one configuration and one database."""

from collections.abc import Iterator, Mapping
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
    from imprint_client_plugins.opencode.hooks import EVENT_KINDS

    return ClientInfo(
        name="opencode",
        title="opencode",
        summary="MCP server, a plugin for hooks, instructions, transcripts",
        hook_events=frozenset(EVENT_KINDS),
        proof="driven",
    )


@hookimpl
def find_installation(home: "ClientHome", files: "ClientFiles") -> "Installation | None":
    from imprint_client_plugins.opencode.connecting import find_installation

    return find_installation(home, files)


@hookimpl
def detect_cwd(payload: Mapping[str, object]) -> str | None:
    cwd = payload.get("cwd")
    return cwd if isinstance(cwd, str) and cwd else None


@hookimpl
def plan_connect(
    installation: "Installation", programs: "OurPrograms", files: "ClientFiles"
) -> "tuple[FileEdit | RunCommand, ...]":
    from imprint_client_plugins.opencode.connecting import plan_connect

    return plan_connect(installation, programs, files)


@hookimpl
def plan_disconnect(
    installation: "Installation", record: "ConnectionRecord", files: "ClientFiles"
) -> "tuple[FileEdit | RunCommand, ...]":
    from imprint_client_plugins.opencode.connecting import plan_disconnect

    return plan_disconnect(installation, record, files)


@hookimpl
def describe_duties() -> "tuple[ClientNote, ...]":
    return ()


@hookimpl
def find_transcripts(installation: "Installation", files: "ClientFiles") -> "Iterator[TranscriptReference]":
    from imprint_client_plugins.opencode.transcripts import find_transcripts

    return find_transcripts(installation, files)


@hookimpl
def find_documents(installation: "Installation") -> "Iterator[ClientDocument]":
    from imprint.plugins.clients import ClientDocument

    return iter([ClientDocument(path=installation.folder / "AGENTS.md")])


@hookimpl
def read_transcript(
    transcript: "TranscriptReference", reader: "TranscriptReader", since: str
) -> "Iterator[TranscriptItem]":
    from imprint_client_plugins.opencode.transcripts import read_transcript

    return read_transcript(transcript, reader, since)


@hookimpl
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> "HookEvent":
    from imprint_client_plugins.opencode.hooks import parse_event

    return parse_event(event_name, payload)


@hookimpl
def render_hook_response(event_name: str, context: str) -> "HookOutput":
    from imprint_client_plugins.opencode.hooks import render_context

    del event_name  # the hook's program gives both
    return render_context(context)
