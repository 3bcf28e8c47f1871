"""Claude Code: its command line and its IDE extensions share one configuration."""

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

_NAME = "claude-code"
_PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"


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
def find_installation(home: "ClientHome", files: "ClientFiles") -> "Installation | None":
    from imprint_client_plugins.claude_code.connecting import find_installation

    return find_installation(home, files)


@hookimpl
def detect_cwd(payload: Mapping[str, object], environ: Mapping[str, str]) -> str | None:
    cwd = payload.get("cwd")
    if isinstance(cwd, str) and cwd:
        return cwd
    return environ.get(_PROJECT_VARIABLE) or None


@hookimpl
def plan_connect(
    installation: "Installation", programs: "OurPrograms", files: "ClientFiles"
) -> "tuple[FileEdit | RunCommand, ...]":
    from imprint_client_plugins.claude_code.connecting import plan_connect

    return plan_connect(installation, programs, files)


@hookimpl
def plan_disconnect(
    installation: "Installation", record: "ConnectionRecord", files: "ClientFiles"
) -> "tuple[FileEdit | RunCommand, ...]":
    from imprint_client_plugins.claude_code.connecting import plan_disconnect

    return plan_disconnect(installation, record, files)


@hookimpl
def describe_duties(installation: "Installation", files: "ClientFiles") -> "tuple[ClientNote, ...]":
    from imprint_client_plugins.claude_code.connecting import describe_duties

    return describe_duties(installation, files)


@hookimpl
def find_transcripts(installation: "Installation", files: "ClientFiles") -> "Iterator[TranscriptReference]":
    from imprint_client_plugins.claude_transcripts import find_transcripts

    return find_transcripts(installation.folder / "projects", files)


@hookimpl
def find_documents(installation: "Installation", files: "ClientFiles") -> "Iterator[ClientDocument]":
    from imprint_client_plugins.claude_code.documents import find_documents

    return find_documents(installation, files)


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
