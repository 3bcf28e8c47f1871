"""qwen-code, which was made of Gemini CLI and took over the hooks of Claude Code."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl
from imprint_client_plugins.deferred_hooks import (
    connecting_hooks,
    directory_hook,
    documents_hook,
    duties_hook,
    transcript_hooks,
)

if TYPE_CHECKING:
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.plugins.clients import ClientInfo

_NAME = "qwen-code"
_PROJECT_VARIABLE = "QWEN_PROJECT_DIR"

find_installation, plan_connect, plan_disconnect = connecting_hooks(__name__)
detect_cwd = directory_hook(_PROJECT_VARIABLE)
describe_duties = duties_hook(__name__)
find_transcripts, read_transcript = transcript_hooks(__name__)
find_documents = documents_hook(__name__)


@hookimpl
def describe_client() -> "ClientInfo":
    from imprint.plugins.clients import ClientInfo
    from imprint_client_plugins.hook_payloads import EVENT_KINDS

    return ClientInfo(
        name=_NAME,
        title="qwen-code",
        summary="MCP server, hooks, instructions, transcripts",
        hook_events=frozenset(EVENT_KINDS),
        proof="driven",
    )


@hookimpl
def parse_hook_payload(event_name: str, payload: Mapping[str, object]) -> "HookEvent":
    from imprint.domain.hook_events import HookEvent, HookEventKind
    from imprint_client_plugins.hook_payloads import parse_event

    event = parse_event(_NAME, event_name, payload, call_key="prompt_id")
    # It says so again, with no prompt, after each result of a tool.
    is_repeated = event.kind is HookEventKind.PROMPT and not event.prompt
    return HookEvent(HookEventKind.OTHER) if is_repeated else event


@hookimpl
def render_hook_response(event_name: str, context: str) -> "HookOutput":
    from imprint_client_plugins.hook_payloads import nested_context

    return nested_context(event_name, context)
