"""The values that a plugin for account exports and Imprint exchange."""

import attrs

__all__ = ["ExportInfo", "ExportedConversation"]


@attrs.frozen(kw_only=True)
class ExportInfo:
    """What a plugin says about the exports that it reads.

    Attributes:
        name: What its entry point is named; conversations go by it (``conversation:claude/…``).
        title: What people call the service (``Claude``).
        summary: One line for lists.
        members: Names of the files in an export that hold conversations, with ``*`` and ``?``. No other file of an
            export is ever opened: some tell who the user is.

    .. versionadded:: 0.1
    """

    name: str
    title: str
    summary: str
    members: tuple[str, ...]


@attrs.frozen(kw_only=True)
class ExportedConversation:
    """What an entry of an export says of its conversation as a whole.

    Attributes:
        conversation: The service's id; the same in every later export.
        updated: When it last changed, UTC ISO 8601 with milliseconds and ``Z``; empty where the entry tells nothing. Of
            two copies of a conversation the later one counts.
        title: What the service calls it.

    .. versionadded:: 0.1
    """

    conversation: str
    updated: str = ""
    title: str = ""
