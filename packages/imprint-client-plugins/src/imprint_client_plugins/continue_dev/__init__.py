"""Continue: its extension for editors and its command line share one configuration. Its name is a word of Python's."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl
from imprint_client_plugins.deferred_hooks import connecting_hooks, duties_hook, transcript_hooks

if TYPE_CHECKING:
    from imprint.domain.hook_events import HookEvent, HookOutput
    from imprint.plugins.clients import ClientDocument, ClientInfo, Installation
    from imprint.protocols.clients import ClientFiles

find_installation, plan_connect, plan_disconnect = connecting_hooks(__name__)
describe_duties = duties_hook(__name__)
find_transcripts, read_transcript = transcript_hooks(__name__)


@hookimpl
def describe_client() -> "ClientInfo":
    from imprint.plugins.clients import ClientInfo

    return ClientInfo(
        name="continue",
        title="Continue",
        summary="MCP server, instructions, transcripts; it has no hooks",
        proof="driven",
    )


@hookimpl
def detect_cwd() -> str | None:
    return None


@hookimpl
def find_documents(installation: "Installation", files: "ClientFiles") -> "Iterator[ClientDocument]":
    from imprint_client_plugins.continue_dev.connecting import find_rules

    return find_rules(installation, files)


@hookimpl
def parse_hook_payload() -> "HookEvent":
    from imprint.domain.hook_events import HookEvent, HookEventKind

    return HookEvent(HookEventKind.OTHER)


@hookimpl
def render_hook_response() -> "HookOutput":
    from imprint.domain.hook_events import HookOutput

    return HookOutput()
