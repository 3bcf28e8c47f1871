"""A client's own file in ``~/.copilot/hooks``, where Copilot CLI and VS Code read every file, in Copilot CLI's form.

Each client has a file of its own, so that connecting or disconnecting one never touches the other's hooks.
"""

from collections.abc import Sequence

from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import OurPrograms
from imprint_client_plugins.hook_commands import called_hook, shell_command, wanted_hooks
from imprint_client_plugins.json_entries import FormatVersion, Hook, JsonPart
from imprint_client_plugins.registrations import Registration

__all__ = ["register_hooks"]

_VERSION = 1
_TIMEOUT = 10


def register_hooks(
    folder: CanonicalPath, client: str, events: Sequence[str], programs: OurPrograms, *, system: str
) -> Registration:
    """The file by which a client's hooks are called.

    Args:
        folder: ``hooks`` of Copilot's folder.
        events: In Copilot CLI's names.
    """
    hooks = (_hook(client, event, programs.hook, system=system) for event in events)
    return Registration(
        path=folder / f"imprint-{client}.json",
        part=JsonPart((FormatVersion(("version",), _VERSION), *wanted_hooks(hooks, programs))),
        purpose="call the hooks",
        is_own=True,
    )


def _hook(client: str, event: str, command: Sequence[str], *, system: str) -> Hook:
    line = shell_command((*command, client, event), system)
    # Without the ampersand PowerShell takes a path in quotes for text.
    called = {"powershell": f"& {line}"} if system == "windows" else {"bash": line}
    return called_hook(client, event, {"type": "command", **called, "timeoutSec": _TIMEOUT}, is_grouped=False)
