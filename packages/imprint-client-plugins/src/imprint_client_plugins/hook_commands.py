"""The commands by which clients call our hook: a shell's words, the same for every release."""

import re
import shlex
from collections.abc import Sequence
from functools import partial

from imprint_client_plugins.json_entries import HookGroup

__all__ = ["hook_group", "is_hook_command", "shell_command"]

_OUR_HOOK = r"imprint-hook(?:\.exe)?[\"']?\s+{client}\s"


def shell_command(words: Sequence[str], system: str) -> str:
    """Words as one command line.

    On Windows clients give it to Git Bash, PowerShell or ``cmd``: slashes and double quotes mean the same in all three.
    """
    if system != "windows":
        return shlex.join(words)
    return " ".join(f'"{word}"' if " " in word else word for word in (word.replace("\\", "/") for word in words))


def is_hook_command(client: str, command: str) -> bool:
    """Whether a command line calls our hook for a client, wherever it is installed."""
    return re.search(_OUR_HOOK.format(client=re.escape(client)), command) is not None


def hook_group(client: str, event: str, command: Sequence[str], *, system: str, timeout: int) -> HookGroup:
    """The group that calls our hook when something happens.

    Args:
        command: Our hook's program.
        timeout: Seconds that the client gives it.
    """
    line = shell_command((*command, client, event), system)
    hook = {"type": "command", "command": line, "timeout": timeout}
    return HookGroup(("hooks", event), {"hooks": [hook]}, partial(is_hook_command, client))
