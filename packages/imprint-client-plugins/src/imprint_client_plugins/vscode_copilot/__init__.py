"""Copilot Chat in VS Code, in every build of it that is there; those of its sessions that VS Code runs itself."""

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

_NAME = "vscode-copilot"


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
def find_installation(home: "ClientHome", files: "ClientFiles") -> "Installation | None":
    from imprint_client_plugins.vscode_copilot.connecting import find_installation

    return find_installation(home, files)


@hookimpl
def detect_cwd(payload: Mapping[str, object]) -> str | None:
    """A server of the user's starts in the user's home, which says nothing of the window."""
    cwd = payload.get("cwd")
    return cwd if isinstance(cwd, str) and cwd else None


@hookimpl
def plan_connect(
    installation: "Installation", programs: "OurPrograms", files: "ClientFiles"
) -> "tuple[FileEdit | RunCommand, ...]":
    from imprint_client_plugins.vscode_copilot.connecting import plan_connect

    return plan_connect(installation, programs, files)


@hookimpl
def plan_disconnect(
    installation: "Installation", record: "ConnectionRecord", files: "ClientFiles"
) -> "tuple[FileEdit | RunCommand, ...]":
    from imprint_client_plugins.vscode_copilot.connecting import plan_disconnect

    return plan_disconnect(installation, record, files)


@hookimpl
def describe_duties() -> "tuple[ClientNote, ...]":
    from imprint_client_plugins.vscode_copilot.connecting import describe_duties

    return describe_duties()


@hookimpl
def find_transcripts(installation: "Installation", files: "ClientFiles") -> "Iterator[TranscriptReference]":
    from imprint_client_plugins.vscode_copilot.transcripts import find_transcripts

    return find_transcripts(installation, files)


@hookimpl
def find_documents(installation: "Installation", files: "ClientFiles") -> "Iterator[ClientDocument]":
    from imprint_client_plugins.vscode_copilot.documents import find_documents

    return find_documents(installation, files)


@hookimpl
def read_transcript(
    transcript: "TranscriptReference", reader: "TranscriptReader", since: str
) -> "Iterator[TranscriptItem]":
    from imprint_client_plugins.vscode_copilot.transcripts import read_transcript

    return read_transcript(transcript, reader, since)


@hookimpl
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> "HookEvent":
    from imprint_client_plugins.copilot_payloads import parse_vscode_event

    return parse_vscode_event(_NAME, event_name, payload)


@hookimpl
def render_hook_response(event_name: str, context: str) -> "HookOutput":
    from imprint_client_plugins.copilot_payloads import vscode_context

    return vscode_context(event_name, context)
