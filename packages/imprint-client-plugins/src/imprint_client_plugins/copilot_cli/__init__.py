"""Copilot CLI, and the sessions that VS Code has it run (its harness `Copilot`)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl
from imprint_client_plugins.deferred_hooks import (
    connecting_hooks,
    documents_hook,
    duties_hook,
    told_directory,
    transcript_hooks,
)

if TYPE_CHECKING:
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.plugins.clients import ClientInfo
    from imprint.protocols.clients import ClientFiles

_NAME = "copilot-cli"
_PROJECT_VARIABLE = "COPILOT_PROJECT_DIR"

find_installation, plan_connect, plan_disconnect = connecting_hooks(__name__)
describe_duties = duties_hook(__name__)
find_transcripts, read_transcript = transcript_hooks(__name__)
find_documents = documents_hook(__name__)


@hookimpl
def describe_client() -> "ClientInfo":
    from imprint.plugins.clients import ClientInfo
    from imprint_client_plugins.copilot_payloads import HOOK_EVENTS

    return ClientInfo(
        name=_NAME,
        title="Copilot CLI",
        summary="MCP server, hooks, instructions, transcripts",
        hook_events=frozenset(HOOK_EVENTS),
        proof="driven",
    )


@hookimpl
def detect_cwd(payload: Mapping[str, object], environ: Mapping[str, str], files: "ClientFiles") -> str | None:
    from imprint_client_plugins.copilot_cli.sessions import find_directory

    # A hook starts in the repository's folder, which its variable names as well; the session may be further down.
    return told_directory(payload) or find_directory(environ, files) or environ.get(_PROJECT_VARIABLE) or None


@hookimpl
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> "HookEvent":
    from imprint_client_plugins.copilot_payloads import parse_copilot_event

    return parse_copilot_event(_NAME, event_name, payload)


@hookimpl
def render_hook_response(event_name: str, context: str) -> "HookOutput":
    from imprint_client_plugins.copilot_payloads import plain_context

    return plain_context(event_name, context)
