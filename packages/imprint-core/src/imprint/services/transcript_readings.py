"""What a transcript tells of its conversation as a whole: read before anything of it is stored.

A conversation belongs to a workspace only when all its directories do, and the last line may name another. So a
transcript is read to its end first; what was said is kept meanwhile, unless there is too much of it.
"""

from collections.abc import Iterable

import attrs

from imprint.domain.conversations import Checkpoint, ConversationFacts, TranscriptItem, Turn

__all__ = ["ReadTranscript", "read_ahead"]

_KEPT_CHARACTERS = 2 << 20


@attrs.define
class ReadTranscript:
    """What was read.

    Attributes:
        is_part: All of it is a subagent's part of its parent.
        directories: In the order of their first mention.
        items: What was read, in order; `None` where it was too much to keep and is to be read again.
    """

    session: str = ""
    parent: str = ""
    is_part: bool = False
    title: str = ""
    directories: dict[str, None] = attrs.field(factory=dict)
    items: list[TranscriptItem] | None = attrs.field(factory=list)
    turns: int = 0

    def note(self, item: TranscriptItem) -> None:
        if isinstance(item, Turn):
            self.turns += 1
            if item.cwd:
                self.directories[item.cwd] = None
        elif isinstance(item, ConversationFacts):
            if item.session_id and not self.session:
                self.session, self.is_part = item.session_id, item.is_subagent
                self.parent = item.parent_id
            elif not self.is_part:
                self.parent = item.parent_id or self.parent
            self.title = item.title or self.title
            if item.cwd:
                self.directories[item.cwd] = None


def read_ahead(items: Iterable[TranscriptItem], *, kept_characters: int = _KEPT_CHARACTERS) -> ReadTranscript:
    """Read to the end. The first session id counts: copies of other sessions may follow."""
    read = ReadTranscript()
    characters = 0
    for item in items:
        read.note(item)
        if read.items is None:
            continue
        if isinstance(item, Turn | Checkpoint):
            read.items.append(item)
        characters += len(item.text) if isinstance(item, Turn) else 0
        if characters > kept_characters:
            read.items = None
    return read
