"""Exports of ChatGPT accounts: ``conversations.json``, or several of them, each an array of trees of messages.

Documented, not recorded: the field names are those of published exports.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl

if TYPE_CHECKING:
    from imprint.domain.conversations import Turn
    from imprint.plugins.exports import ExportedConversation, ExportInfo

_MEMBERS = ("conversations.json", "conversations-*.json")
_SAID = ("text", "multimodal_text")
# Marks of sources and widgets between characters of the private use area, which stand for nothing outside the service.
_MARK = re.compile("\ue200[^\ue201]{0,2000}\ue201")


@hookimpl
def describe_export() -> "ExportInfo":
    from imprint.plugins.exports import ExportInfo

    return ExportInfo(
        name="chatgpt", title="ChatGPT", summary="conversations of an account at chatgpt.com", members=_MEMBERS
    )


@hookimpl
def describe_conversation(entry: Mapping[str, object]) -> "ExportedConversation | None":
    from imprint.plugins.exports import ExportedConversation

    id = _text(entry.get("conversation_id")) or _text(entry.get("id"))
    if not id or not isinstance(entry.get("mapping"), dict):
        return None
    updated = _moment(entry.get("update_time")) or max(map(_moment_of, _messages(entry).values()), default="")
    return ExportedConversation(conversation=id, updated=updated, title=_text(entry.get("title")))


@hookimpl
def read_conversation(entry: Mapping[str, object]) -> "Iterator[Turn]":
    from imprint.domain.conversations import Role, Turn

    messages = _messages(entry)
    for node in _current_branch(entry, messages):
        message = messages.get(node)
        if message is None or not _is_shown(message):
            continue
        text = _said(message)
        if text:
            role = Role.USER if _author(message) == "user" else Role.ASSISTANT
            yield Turn(id=_text(message.get("id")) or _text(node), role=role, text=text, time=_moment_of(message))


def _is_shown(message: Mapping[str, object]) -> bool:
    """Whether it is something that the user or the model said: no tool's output, call of one, thought or setting."""
    content, metadata = message.get("content"), message.get("metadata")
    hidden = isinstance(metadata, dict) and (
        metadata.get("is_visually_hidden_from_conversation") or metadata.get("is_user_system_message")
    )
    return (
        not hidden
        and _author(message) in ("user", "assistant")
        and message.get("recipient") in (None, "all")
        and message.get("channel") in (None, "final")
        and isinstance(content, dict)
        and content.get("content_type") in _SAID
    )


def _said(message: Mapping[str, object]) -> str:
    """Words, typed or spoken; an image has none."""
    content = message.get("content")
    parts = content.get("parts") if isinstance(content, dict) else None
    texts = [
        _text(part.get("text") if isinstance(part, dict) else part)
        for part in (parts if isinstance(parts, list) else ())
    ]
    return _MARK.sub("", "\n\n".join(filter(None, texts))).strip()


def _current_branch(entry: Mapping[str, object], messages: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Up from the current node; where none is named, from the newest message."""
    from imprint_client_plugins.message_trees import branch_to

    mapping = entry.get("mapping")
    nodes = mapping if isinstance(mapping, dict) else {}
    parents = {id: node.get("parent") if isinstance(node, dict) else None for id, node in nodes.items()}
    named = entry.get("current_node")
    leaf = named if isinstance(named, str) and named in nodes else None
    if leaf is None:
        leaf = max(messages, key=lambda id: _moment_of(messages[id]), default=None)
    return branch_to(leaf, parents) if leaf is not None else []


def _messages(entry: Mapping[str, object]) -> dict[str, Mapping[str, object]]:
    """The messages by their nodes; some nodes have none."""
    mapping = entry.get("mapping")
    nodes = mapping.items() if isinstance(mapping, dict) else ()
    return {
        id: message for id, node in nodes if isinstance(node, dict) and isinstance(message := node.get("message"), dict)
    }


def _author(message: Mapping[str, object]) -> object:
    author = message.get("author")
    return author.get("role") if isinstance(author, dict) else None


def _moment_of(message: Mapping[str, object]) -> str:
    return _moment(message.get("create_time"))


def _moment(value: object) -> str:
    from imprint_client_plugins.transcript_lines import utc, utc_of_epoch

    return utc(value) or utc_of_epoch(value)


def _text(value: object) -> str:
    from imprint_client_plugins.transcript_lines import spoken

    return spoken(value) if isinstance(value, str) else ""
