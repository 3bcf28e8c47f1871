"""Transcripts of conversations: which one is which, how far it was learned, what became of it since."""

from hashlib import blake2b
from typing import NamedTuple

import attrs

from imprint.domain.conversations import Turn
from imprint.domain.sources import SourceKey

__all__ = [
    "KnownTurn",
    "TranscriptId",
    "TranscriptRecord",
    "TranscriptState",
    "is_unchanged",
    "number_turn",
    "turn_digest",
]

_MOST_FORMER = 20


class TranscriptId(NamedTuple):
    """Names a conversation's transcript on this device.

    Attributes:
        path: Of the file, as text.
        conversation: Which of several in one file; empty: the file is one.
    """

    client: str
    path: str
    conversation: str = ""


class TranscriptState(NamedTuple):
    """What the file system says of a transcript."""

    size: int
    mtime_ns: int


@attrs.frozen(kw_only=True)
class TranscriptRecord:
    """What a workspace remembers of a transcript: whose it is, where it was held, how far it was learned.

    Attributes:
        state: When it was last learned to its end; `None` while that is not done.
        fingerprint: The client's own, where it gives one.
        mark: Tells the file, as far as it was read, from another one in its place.
        source: The conversation's key.
        session: The client's id of the session; ``parent`` that of the one it belongs to.
        directories: Every working directory it recorded, as the client spells them.
        position: The checkpoint up to which turns are stored; empty: none are.
        former: Paths that it had before, oldest first: what was purged there has to be found by them.
        is_part: A subagent's part of its parent, and forgotten with it; else the two share a beginning at most.
    """

    id: TranscriptId
    state: TranscriptState | None
    fingerprint: str
    mark: str
    source: SourceKey
    session: str
    parent: str
    directories: tuple[str, ...]
    position: str
    former: tuple[str, ...] = ()
    is_part: bool = False

    def moved_to(self, id: TranscriptId) -> "TranscriptRecord":
        """The same transcript in another place."""
        before = dict.fromkeys((*self.former, self.id.path))
        before.pop(id.path, None)
        return attrs.evolve(self, id=id, former=tuple(before)[-_MOST_FORMER:])


class KnownTurn(NamedTuple):
    """A turn that is stored already.

    Attributes:
        digest: Of its text.
        is_own: In the conversation that asks; else in another, of which this one repeats the beginning.
    """

    digest: int
    is_own: bool


def is_unchanged(record: TranscriptRecord, state: TranscriptState, fingerprint: str) -> bool:
    """Whether a transcript is, by all that can be told without reading it, what it was."""
    return record.fingerprint == fingerprint and (bool(fingerprint) or record.state == state)


def number_turn(client: str, session: str, turn: Turn) -> int:
    """What a turn is known by, wherever a copy of it turns up; one without an id is known by what was said when."""
    identity = turn.id or f"{session}\0{turn.role}\0{turn.time or turn.line}\0{turn.text}"
    return _hash(f"{client}\0{identity}")


def turn_digest(turn: Turn) -> int:
    """Tells one text of a turn from the next."""
    return _hash(turn.text)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)
