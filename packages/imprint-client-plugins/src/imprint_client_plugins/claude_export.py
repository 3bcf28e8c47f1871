"""Exports of Claude accounts: ``conversations.json``, an array of conversations or one a line.

Documented, not recorded: the field names are those of published exports.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from imprint.plugins.markers import hookimpl

if TYPE_CHECKING:
    from imprint.domain.conversations import Role, Turn
    from imprint.plugins.exports import ExportedConversation, ExportInfo

_MEMBERS = ("conversations.json", "conversations.jsonl", "conversations-*.json")


@hookimpl
def describe_export() -> "ExportInfo":
    from imprint.plugins.exports import ExportInfo

    return ExportInfo(
        name="claude", title="Claude", summary="conversations of an account at claude.ai", members=_MEMBERS
    )


@hookimpl
def describe_conversation(entry: Mapping[str, object]) -> "ExportedConversation | None":
    from imprint.plugins.exports import ExportedConversation
    from imprint_client_plugins.transcript_lines import utc

    id = _text(entry.get("uuid"))
    if not id or not isinstance(entry.get("chat_messages"), list):
        return None
    moments = [utc(entry.get("updated_at")), *(utc(message.get("created_at")) for message in _messages(entry))]
    return ExportedConversation(conversation=id, updated=moments[0] or max(moments), title=_text(entry.get("name")))


@hookimpl
def read_conversation(entry: Mapping[str, object]) -> "Iterator[Turn]":
    from imprint.domain.conversations import Role

    for number, message in enumerate(_current_branch(entry), start=1):
        sender = message.get("sender")
        id = _text(message.get("uuid")) or f"{_text(entry.get('uuid'))} message {number}"
        if sender == "human":
            yield from _attachments(message, id)
            yield from _turn(message, id, Role.USER)
        elif sender == "assistant":
            yield from _turn(message, id, Role.ASSISTANT)


def _turn(message: Mapping[str, object], id: str, role: "Role") -> "Iterator[Turn]":
    from imprint.domain.conversations import Turn
    from imprint_client_plugins.transcript_lines import utc

    if text := _said(message):
        yield Turn(id=id, role=role, text=text, time=utc(message.get("created_at")))


def _attachments(message: Mapping[str, object], id: str) -> "Iterator[Turn]":
    from imprint.domain.conversations import Role, Turn
    from imprint_client_plugins.transcript_lines import utc

    attachments = message.get("attachments")
    for number, attachment in enumerate(attachments if isinstance(attachments, list) else (), start=1):
        text = _text(attachment.get("extracted_content")) if isinstance(attachment, dict) else ""
        if text:
            named = "\n\n".join(filter(None, (_text(attachment.get("file_name")), text)))
            time = utc(message.get("created_at"))
            yield Turn(id=f"{id} attachment {number}", role=Role.ATTACHMENT, text=named, time=time)


def _said(message: Mapping[str, object]) -> str:
    """The text blocks: the message's own ``text`` has places for thoughts and tools as well, and counts without any."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    texts = [_text(block.get("text")) for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "\n\n".join(filter(None, texts)) if blocks else _text(message.get("text"))


def _current_branch(entry: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Up from the newest message, where messages name their parents; else all."""
    from imprint_client_plugins.message_trees import branch_to

    messages = _messages(entry)
    by_id = {id: message for message in messages if (id := _text(message.get("uuid")))}
    parents = {id: message.get("parent_message_uuid") for id, message in by_id.items()}
    if not any(parents.values()):
        return messages
    named = _text(entry.get("current_leaf_message_uuid"))
    leaf = named if named in by_id else max(by_id, key=lambda id: _text(by_id[id].get("created_at")))
    return [by_id[id] for id in branch_to(leaf, parents)]


def _messages(entry: Mapping[str, object]) -> list[Mapping[str, object]]:
    messages = entry.get("chat_messages")
    return [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []


def _text(value: object) -> str:
    from imprint_client_plugins.transcript_lines import spoken

    return spoken(value) if isinstance(value, str) else ""
