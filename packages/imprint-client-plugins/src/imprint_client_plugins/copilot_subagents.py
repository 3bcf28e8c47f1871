"""Whose words they are while a subagent runs, where the lines do not tell: VS Code's agent marks none of them.

A subagent's lines stand between the start and the end of the tool that runs it, and begin with its task, as a message
of the user's.
"""

import json
from collections.abc import Mapping
from hashlib import blake2b

from imprint.domain.conversations import Role
from imprint_client_plugins.transcript_lines import spoken

__all__ = ["RunningSubagents"]

_NAMED = "subagent"


class RunningSubagents:
    """The subagents that run, by the calls of tools that they run for, each with marks of what the tool was given."""

    def __init__(self, state: str = "") -> None:
        """Go on from what `state` was; from anything else none runs."""
        try:
            told = json.loads(state) if state else {}
        except (ValueError, RecursionError):
            told = {}
        self._running: dict[str, list[str]] = told if isinstance(told, dict) else {}

    @property
    def state(self) -> str:
        """Marks, never words; empty while none runs."""
        return json.dumps(self._running) if self._running else ""

    def note(self, kind: object, data: Mapping[str, object]) -> None:
        """Take over what a line says of a tool."""
        call, tool, given = (data.get(key) for key in ("toolCallId", "toolName", "arguments"))
        if not isinstance(call, str):
            return
        if kind == "tool.execution_complete":
            self._running.pop(call, None)
        elif kind == "tool.execution_start" and isinstance(tool, str) and _NAMED in tool.lower():
            texts = given.values() if isinstance(given, dict) else ()
            self._running[call] = [_mark(text) for text in texts if isinstance(text, str)]

    def speak(self, role: Role, text: str) -> bool:
        """Whether a subagent speaks, or is spoken to. When the user is heard again, none runs any more."""
        if role is Role.USER and not any(_mark(text) in marks for marks in self._running.values()):
            self._running.clear()
        return bool(self._running)


def _mark(text: str) -> str:
    return blake2b(spoken(text).encode(), digest_size=8).hexdigest()
