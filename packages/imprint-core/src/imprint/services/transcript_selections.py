"""Which of a client's transcripts a run learns from: those that were named, with the parts of their sessions."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import attrs

from imprint.domain.conversations import conversation_key
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import TranscriptReference

__all__ = ["place_transcripts", "select_transcripts"]


def select_transcripts(
    client: str,
    references: Sequence[TranscriptReference],
    *,
    paths: Collection[CanonicalPath],
    conversations: Collection[str],
) -> Callable[[TranscriptReference], bool]:
    """Whether a transcript is wanted; every one, where none is named.

    Args:
        references: All that the client has.
        paths: Transcripts; a conversation of a database is named by a path that ends like it.
        conversations: Keys of conversations.
    """
    if not paths and not conversations:
        return lambda _: True
    wanted, endings = set(paths), {conversation_key(client, path.stem) for path in paths}

    def key(session: str) -> str:
        return conversation_key(client, session)

    def is_named(reference: TranscriptReference) -> bool:
        session = key(reference.session)
        # What goes by its file's name is named by its path alone: another folder may have a file of that name.
        has_ending = bool(reference.conversation) and session in endings
        return reference.path in wanted or session in conversations or has_ending

    sessions = {*conversations, *endings, *(key(one.session) for one in references if is_named(one))}
    # A subagent has subagents of its own.
    while more := {key(one.session) for one in references if one.part_of and key(one.part_of) in sessions} - sessions:
        sessions |= more
    return lambda reference: is_named(reference) or bool(reference.part_of and key(reference.part_of) in sessions)


def place_transcripts(
    references: Sequence[TranscriptReference], is_wanted: Callable[[TranscriptReference], bool], cwd: str
) -> Sequence[TranscriptReference]:
    """The same, where those that are wanted and tell no directory were held in this one.

    Args:
        cwd: As this process reaches it. Empty, or no place on this device: nobody told it; such a conversation would
            belong to every workspace.
    """
    is_told = Path(cwd).is_absolute()
    return [
        attrs.evolve(one, cwd=cwd, needs_cwd=False) if is_told and one.needs_cwd and is_wanted(one) else one
        for one in references
    ]
