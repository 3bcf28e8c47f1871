"""Conversations as every client's transcript tells them: turns, what else a line says about the whole, their keys."""

from enum import StrEnum
from typing import NamedTuple, TypeAlias

__all__ = ["Checkpoint", "ConversationFacts", "Role", "TranscriptItem", "Turn", "conversation_key"]

_LONGEST_SESSION = 200


class Role(StrEnum):
    """Who said something: a person, or the model that answers. The text of a file that was handed in nobody said."""

    USER = "user"
    ASSISTANT = "assistant"
    ATTACHMENT = "attachment"


class Turn(NamedTuple):
    """One thing that was said, in the speaker's own words.

    Neither what a tool printed nor what a client or a hook wrote into the conversation is anybody's words: a parser
    leaves both out. Thousands at once: hence a tuple.

    Attributes:
        id: The client's own id. A turn that comes again under its id (a copy made by compaction, a resumed session) is
            the same turn, and its later text replaces the earlier.
        text: What was said; never empty.
        time: UTC ISO 8601 with ``Z``; empty where the client records none.
        cwd: The working directory then, as the client spells it; empty where the line has none.
        line: The line of the transcript, 1-based; 0 where lines mean nothing.
        is_sidechain: A subagent's part of the conversation: its user is the model.
    """

    id: str
    role: Role
    text: str
    time: str = ""
    cwd: str = ""
    line: int = 0
    is_sidechain: bool = False


class ConversationFacts(NamedTuple):
    """What a line says about the conversation as a whole. Later values replace earlier ones; directories add up.

    Attributes:
        session_id: The client's id of the session; a resumed session keeps it or names it as ``parent_id``.
        parent_id: The conversation this one was forked, resumed or spawned from.
        cwd: A working directory it was held in.
        title: What the client calls it.
        is_subagent: The whole transcript is a subagent's.
    """

    session_id: str = ""
    parent_id: str = ""
    cwd: str = ""
    title: str = ""
    is_subagent: bool = False


class Checkpoint(NamedTuple):
    """How far a parser came: handed back as ``since`` when the transcript has grown. Opaque to everybody else."""

    position: str


TranscriptItem: TypeAlias = Turn | ConversationFacts | Checkpoint


def conversation_key(client: str, session: str) -> str:
    """The source key of a conversation: ``conversation:CLIENT/SESSION``."""
    printable = "".join(letter if letter.isprintable() else "_" for letter in session)
    return f"conversation:{client}/{printable[:_LONGEST_SESSION]}"
