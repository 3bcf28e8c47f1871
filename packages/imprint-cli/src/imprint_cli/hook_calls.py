"""One call of a client's hook: what it says becomes an event, the event a deed, and the deed the client's answer."""

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol
from zlib import crc32

from imprint.bootstrap.hooks import HookWork
from imprint.bootstrap.shipped_clients import import_shipped_client
from imprint.domain.hook_events import HookEvent, HookEventKind
from imprint_cli import __version__

if TYPE_CHECKING:
    from imprint.domain.hook_events import HookOutput

__all__ = ["answer"]

_MOST_BYTES = 16_000_000
_LONGEST_ID = 200
_BRIDGE_VARIABLE = "IMPRINT_WSL_HOME"  # set by the command with which a client of another system starts us


class _Client(Protocol):
    """The two hooks that a call needs."""

    def parse_hook_payload(self, event_name: str, payload: Mapping[str, object]) -> HookEvent: ...

    def render_hook_response(self, event_name: str, context: str) -> "HookOutput": ...


def answer(client: str, event_name: str, environ: Mapping[str, str]) -> "HookOutput":
    """Do what an event asks for; the payload is read from stdin."""
    plugin = _load(client, environ)
    event = plugin.parse_hook_payload(event_name, _read_payload())
    if environ.get(_BRIDGE_VARIABLE):
        from imprint.bootstrap.homes import localize_event

        event = localize_event(event, environ)
    if "\0" in event.cwd or "\0" in event.transcript:
        raise ValueError  # no path: whoever worked on it later would stumble
    context = ""
    # To a subagent nothing is told; its words are part of the session's, or have a transcript of their own.
    if not event.agent_id or event.kind is HookEventKind.STOP:
        context = _act(client, event_name, event, HookWork(environ, version=__version__))
    return plugin.render_hook_response(event_name, context)


def _act(client: str, event_name: str, event: HookEvent, work: HookWork) -> str:
    key = _key(event_name, event)
    match event.kind:
        case HookEventKind.SESSION_START:
            return work.begin_session(key, event.cwd, is_server_elsewhere=bool(event.server_cwd))
        case HookEventKind.ACTIVITY:
            return work.begin_session(key, event.cwd, session_id=event.session_id[:_LONGEST_ID])
        case HookEventKind.PROMPT:
            return work.recall(key, event.cwd, event.prompt)
        case HookEventKind.STOP | HookEventKind.SESSION_END | HookEventKind.COMPACTION:
            work.queue_learning(key, client, event)
    return ""


def _key(event_name: str, event: HookEvent) -> str:
    """Equal for double calls; an answer that went on has another last message under its prompt's id."""
    mark = crc32(f"{event.last_message}\0{event.prompt}".encode("utf-8", "replace"))
    ids = (event.session_id, event_name, event.call_id, event.reason)
    return " ".join([*(id[:_LONGEST_ID] for id in ids), f"{mark:08x}"])


def _read_payload() -> Mapping[str, object]:
    """What the client sent.

    Raises:
        ValueError: It is no JSON object, or larger than any event.
    """
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError
    payload: object = json.loads(data)
    if not isinstance(payload, dict):
        raise ValueError
    return payload


def _load(client: str, environ: Mapping[str, str]) -> _Client:
    """The client's plugin: ours as its module; a stranger's, and one that may be blocked, through the registry."""
    module: Any = import_shipped_client(client, environ)
    if module is not None:
        plugin: _Client = module
        return plugin
    from imprint_cli.hook_strangers import load_stranger

    return load_stranger(client, environ)
