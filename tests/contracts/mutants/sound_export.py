"""A plugin for exports that keeps every promise; mutants change one thing in it."""

from imprint.plugins import Role, Turn, hookimpl


@hookimpl
def describe_export():
    from imprint.plugins import ExportInfo

    return ExportInfo(name="sound", title="Sound", summary="Keeps every promise", members=("conversations.json",))


@hookimpl
def describe_conversation(entry):
    from imprint.plugins import ExportedConversation

    id = clean(entry.get("uuid"))
    if not id or not isinstance(entry.get("chat_messages"), list):
        return None
    return ExportedConversation(conversation=id, title=clean(entry.get("name")))


@hookimpl
def read_conversation(entry):
    return read_messages(entry)


def read_messages(entry, clean=lambda value: clean(value)):
    messages = entry.get("chat_messages")
    for number, message in enumerate(messages if isinstance(messages, list) else ()):
        text = clean(message.get("text")) if isinstance(message, dict) else ""
        if text:
            yield Turn(id=str(number), role=Role.USER, text=text)


def clean(value):
    text = value if isinstance(value, str) else ""
    return text.encode("utf-8", "replace").decode().replace("\0", "").strip()
