"""Whose words stand in a message of Cline: what it writes in the user's place is taken out."""

import json
import re
from collections.abc import Mapping

from imprint.domain.conversations import Role, Turn
from imprint_client_plugins.transcript_documents import Message, json_object
from imprint_client_plugins.transcript_lines import identify, spoken, utc_of_epoch

__all__ = ["turn_of_message", "turn_of_notice"]

# What a hook said and what the client tells of its mode, of files and of the editor stands in these.
_OF_THE_CLIENT = re.compile(
    r"<(hook_context|mode_notice|file_content|folder_content|environment_details|user_command)\b[^>]*>.*?</\1>",
    re.DOTALL,
)
_TYPED = re.compile(r"\A<(user_input|task|feedback|answer|user_message)\b[^>]*>(.*)</\1>\Z", re.DOTALL)
_MADE_UP = ("[TASK RESUMPTION]", "The user approved switching to act mode.")
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
# What the extension shows: whose words they are, by what it says it is. The first text of old tasks was the user's.
_SAID = {
    "task": Role.USER,
    "user_feedback": Role.USER,
    "text": Role.ASSISTANT,
    "completion_result": Role.ASSISTANT,
}
_ASKED = {"followup": "question", "plan_mode_respond": "response"}


def turn_of_message(message: Message, session: str) -> Turn | None:
    """What was said in a message of the command line's."""
    value = message.value
    role = _ROLES.get(str(value.get("role")))
    metadata = json_object(value.get("metadata"))
    if role is None or metadata.get("displayRole") or metadata.get("kind"):
        return None
    content = value.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts = [block.get("text") for block in map(json_object, blocks) if block.get("type") == "text"]
    said = [spoken(text) for text in texts if isinstance(text, str)]
    if role is Role.USER:
        said = [_typed(text) for text in said]
    return _turn(message, session, role, "\n\n".join(filter(None, said)))


def turn_of_notice(message: Message, session: str) -> Turn | None:
    """What was said in an entry of what the extension shows."""
    value = message.value
    text = value.get("text")
    if value.get("partial") or not isinstance(text, str):
        return None
    if value.get("type") == "ask":
        key = _ASKED.get(str(value.get("ask")), "")
        return _turn(message, session, Role.ASSISTANT, _asked(text, key)) if key else None
    role = _SAID.get(str(value.get("say")))
    if role is None or value.get("type") != "say":
        return None
    if message.number == 1:
        role = Role.USER
    return _turn(message, session, role, _typed(spoken(text)) if role is Role.USER else spoken(text))


def _turn(message: Message, session: str, role: Role, text: str) -> Turn | None:
    if not text:
        return None
    turn = Turn(
        id="", role=role, text=text, time=utc_of_epoch(message.value.get("ts"), units=1000), line=message.number
    )
    return identify(message.value.get("id"), session, turn)._replace(line=0)


def _typed(text: str) -> str:
    """What a person typed."""
    text = _OF_THE_CLIENT.sub("", text).strip()
    found = _TYPED.match(text)
    text = found[2].strip() if found else text
    return "" if text.startswith(_MADE_UP) else text


def _asked(text: str, key: str) -> str:
    """The question in what the extension shows for the user to answer: JSON today, plain text in old tasks."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return spoken(text)
    asked: Mapping[str, object] = json_object(value)
    question = asked.get(key)
    return spoken(question) if isinstance(question, str) else ""
