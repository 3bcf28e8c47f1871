"""A client's plugin that is not ours, as a hook needs it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from imprint.bootstrap import open_application
from imprint.plugins.handles import PluginHandle

if TYPE_CHECKING:
    from imprint.domain.hook_events import HookEvent, HookOutput

__all__ = ["StrangersClient", "load_stranger"]


@attrs.frozen
class StrangersClient:
    """The plugin's hooks, called with the care that a stranger's code takes."""

    handle: PluginHandle

    def parse_hook_payload(self, event_name: str, payload: Mapping[str, object]) -> "HookEvent":
        event: HookEvent = self.handle.call("parse_hook_payload", event_name=event_name, payload=payload)
        return event

    def render_hook_response(self, event_name: str, context: str) -> "HookOutput":
        output: HookOutput = self.handle.call("render_hook_response", event_name=event_name, context=context)
        return output


def load_stranger(client: str, environ: Mapping[str, str]) -> StrangersClient:
    """Find a client's plugin among all that are installed.

    Raises:
        UnknownPluginError: There is none of this name.
        PluginError: It is blocked, or cannot be loaded.
    """
    with open_application(environ=environ) as application:
        return StrangersClient(application.plugins.load("clients", client))
