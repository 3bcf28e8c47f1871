"""Group ``imprint.exports``: conversations of an account, as a service gives them out in a file.

Imprint opens the file, holds it to its bounds and takes the entries out one by one; a plugin says what an entry means.
"""

from collections.abc import Iterator, Mapping

from imprint.domain.conversations import Turn
from imprint.plugins.exports import ExportedConversation, ExportInfo
from imprint.plugins.specs import hookspec

__all__ = ["describe_conversation", "describe_export", "read_conversation"]


@hookspec(firstresult=True)
def describe_export() -> ExportInfo:
    """Say whose exports these are. Pure, and without heavy imports: listing plugins calls it.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def describe_conversation(entry: Mapping[str, object]) -> ExportedConversation | None:
    """Say which conversation an entry is; `None` where it is none of this service. Pure; raises for no JSON.

    The first entry that one of the plugins knows tells whose export a file is.

    Args:
        entry: A JSON object of a file's outermost array, or of a line of its own.

    .. versionadded:: 0.1
    """


@hookspec(firstresult=True)
def read_conversation(entry: Mapping[str, object]) -> Iterator[Turn]:
    """Read what the user and the model said, in its order, on the branch that the user sees. Pure; raises for no JSON.

    What is hidden, thought, or printed by a tool is left out; the text of attachments is a turn of `Role.ATTACHMENT`.

    Args:
        entry: One that `describe_conversation` knows.

    .. versionadded:: 0.1
    """
