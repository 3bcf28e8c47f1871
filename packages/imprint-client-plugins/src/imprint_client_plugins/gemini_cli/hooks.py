"""What Gemini CLI calls the events of a session, and what it makes of the context that hooks give it."""

import re
from collections.abc import Mapping

from imprint.domain.hook_events import HookEvent, HookEventKind
from imprint_client_plugins.hook_payloads import parse_event

__all__ = ["EVENT_KINDS", "parse_payload", "strip_hook_context"]

# Without PreCompress: it comes before every call of the model, whether anything is compressed or not.
EVENT_KINDS: Mapping[str, HookEventKind] = {
    "SessionStart": HookEventKind.SESSION_START,
    "BeforeAgent": HookEventKind.PROMPT,
    "AfterAgent": HookEventKind.STOP,
    "SessionEnd": HookEventKind.SESSION_END,
}
# Angle brackets within are escaped, so the first end is the end.
_CONTEXT = re.compile(r"\s*<hook_context>.*?(?:</hook_context>|\Z)", re.DOTALL)


def parse_payload(event_name: str, payload: Mapping[str, object]) -> HookEvent:
    """Read a payload. One session may end two or three times: only these calls are the same for having the same words.

    Raises:
        InvalidHookPayloadError: As `parse_event` does.
    """
    event = parse_event(
        "gemini-cli",
        event_name,
        payload,
        kinds=EVENT_KINDS,
        call_key="" if event_name == "SessionEnd" else "timestamp",
        answer_key="prompt_response",
    )
    return event._replace(prompt=strip_hook_context(event.prompt))


def strip_hook_context(text: str) -> str:
    """A user's text without what hooks put before it; whoever speaks of the mark writes it inside a sentence."""
    while found := _CONTEXT.match(text):
        text = text[found.end() :]
    return text.strip()
