"""The commands by which clients call our hook: a shell's words, the same for every release."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from imprint.plugins.clients import OurPrograms
from imprint_client_plugins.json_entries import Hook, JsonEntry, Unwanted

__all__ = ["called_hook", "grouped_hook", "is_hook_command", "shell_command", "wanted_hooks"]

_PROMPTS = frozenset({"UserPromptSubmit", "BeforeAgent", "userPromptSubmitted"})
"""What clients call the event of a prompt."""
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


def grouped_hook(client: str, event: str, command: Sequence[str], *, system: str, timeout: int) -> Hook:
    """The hook that is called when something happens, in a group of its own.

    Args:
        command: Our hook's program.
        timeout: Seconds that the client gives it.
    """
    line = shell_command((*command, client, event), system)
    return called_hook(client, event, {"type": "command", "command": line, "timeout": timeout}, is_grouped=True)


def called_hook(client: str, event: str, hook: Mapping[str, object], *, is_grouped: bool) -> Hook:
    """A hook in the client's own form."""
    return Hook(("hooks", event), hook, partial(is_hook_command, client), is_grouped=is_grouped)


def wanted_hooks(hooks: Iterable[Hook], programs: OurPrograms) -> tuple[JsonEntry, ...]:
    """All of them, but for those of prompts where nothing is told then: they would start a program for nothing."""
    return tuple(Unwanted(hook) if hook.event in _PROMPTS and not programs.recalls else hook for hook in hooks)
