"""A client's own file in ``~/.copilot/hooks``, where Copilot CLI and VS Code read every file, in Copilot CLI's form.

Each client has a file of its own, so that connecting or disconnecting one never touches the other's hooks.
"""

from collections.abc import Mapping, Sequence

import attrs

from imprint.domain.config_text.json_text import JsonText
from imprint.domain.sources import CanonicalPath
from imprint.errors import InvalidClientFileError
from imprint_client_plugins.hook_commands import is_hook_command, shell_command
from imprint_client_plugins.json_entries import JsonPart
from imprint_client_plugins.registrations import Registration

__all__ = ["register_hooks"]

_VERSION = ("version",)
_HOOKS = ("hooks",)
_SHELLS = ("bash", "powershell")
_TIMEOUT = 10


def register_hooks(
    folder: CanonicalPath, client: str, events: Sequence[str], command: Sequence[str], *, system: str
) -> Registration:
    """The file by which a client's hooks are called.

    Args:
        folder: ``hooks`` of Copilot's folder.
        events: In Copilot CLI's names.
        command: Our hook's program.
    """
    hooks = {event: _hook(client, event, command, system=system) for event in events}
    return Registration(
        path=folder / f"imprint-{client}.json",
        part=JsonPart((_Hooks(client, hooks),)),
        purpose="call the hooks",
        is_own=True,
    )


@attrs.frozen
class _Hooks:
    """Our hook of each event, and the version without which the file is not read; meets `JsonEntry`."""

    client: str
    hooks: Mapping[str, Mapping[str, object]]

    def put_in(self, document: JsonText) -> JsonText:
        if not document.has(_VERSION):
            document = document.set(_VERSION, 1)
        for event, hook in self.hooks.items():
            places = self._places(document, event)
            for extra in reversed(places[1:]):
                document = document.remove((*_HOOKS, event, extra))
            path = (*_HOOKS, event)
            document = document.set((*path, places[0]), hook) if places else document.append(path, hook)
        return document

    def take_out(self, document: JsonText, before: JsonText | None) -> JsonText:
        untouched = document
        for event in self.hooks:
            for place in reversed(self._places(document, event)):
                document = document.remove((*_HOOKS, event, place))
            document = _without_empty(document, (*_HOOKS, event), before)
        if document is untouched:
            return document
        document = _without_empty(document, _HOOKS, before)
        is_needed = document.has(_HOOKS) or (before is not None and before.has(_VERSION))
        return document if is_needed else document.remove(_VERSION)

    def _places(self, document: JsonText, event: str) -> list[int]:
        listed = document.get((*_HOOKS, event))
        if listed is None and not document.has((*_HOOKS, event)):
            return []
        if not isinstance(listed, list):
            raise InvalidClientFileError(document.place, f"hooks.{event} is not a list")
        return [place for place, hook in enumerate(listed) if self._is_ours(hook)]

    def _is_ours(self, hook: object) -> bool:
        lines = [hook.get(shell) for shell in _SHELLS] if isinstance(hook, dict) else []
        return any(isinstance(line, str) and is_hook_command(self.client, line) for line in lines)


def _hook(client: str, event: str, command: Sequence[str], *, system: str) -> Mapping[str, object]:
    line = shell_command((*command, client, event), system)
    # Without the ampersand PowerShell takes a path in quotes for text.
    called = {"powershell": f"& {line}"} if system == "windows" else {"bash": line}
    return {"type": "command", **called, "timeoutSec": _TIMEOUT}


def _without_empty(document: JsonText, path: tuple[str, ...], before: JsonText | None) -> JsonText:
    is_ours = document.has(path) and not document.count(path) and (before is None or not before.has(path))
    return document.remove(path) if is_ours else document
