"""Turns of a conversation become passages: what was said once is found once, with what was said around it."""

from collections.abc import Callable

import attrs

from imprint.domain.chunking import ChunkLimits, chunk_outline
from imprint.domain.conversations import Role, Turn
from imprint.domain.outlines import Outline
from imprint.domain.sources import Chunk

__all__ = ["LONGEST_TURN", "chunk_turn", "speaker_of", "title_of"]

LONGEST_TURN = 150_000
"""What is longer was pasted, not said; its beginning and its end are kept."""

_LIMITS = ChunkLimits()
_NEIGHBOUR = 240
_TITLE = 80


def chunk_turn(
    turn: Turn, *, before: str = "", after: str = "", outline: Callable[[str], Outline] | None = None
) -> list[Chunk]:
    """Cut a turn by its own structure; a short one stays whole.

    Args:
        before: What was said before it; its end is the first passage's context.
        after: What was said next; its beginning is the last passage's context.
        outline: Finds the structure of a long text.
    """
    text = _shorten(turn.text)
    if len(text) <= _LIMITS.maximum:
        cut = [Chunk(text=text)]
    else:
        cut = chunk_outline(outline(text) if outline else Outline(text=text, is_prose=True), _LIMITS)
    line = turn.line or None
    chunks = [
        attrs.evolve(chunk, start_line=line, end_line=line, role=speaker_of(turn), time=turn.time) for chunk in cut
    ]
    for place, near in ((0, before[-_NEIGHBOUR:]), (-1, after[:_NEIGHBOUR])):
        if chunks and near:
            context = f"{chunks[place].context}\n{near}".strip()
            chunks[place] = attrs.evolve(chunks[place], context=context)
    return chunks


def speaker_of(turn: Turn) -> str:
    """Who speaks. In a subagent's part the model asks and the subagent answers: none of it is the user's word."""
    if not turn.is_sidechain:
        return turn.role.value
    return Role.ASSISTANT.value if turn.role is Role.USER else "subagent"


def title_of(turn: Turn) -> str:
    """What a conversation is called that has no title: its first words."""
    line = turn.text.strip().partition("\n")[0]
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1].rstrip()}…"


def _shorten(text: str) -> str:
    if len(text) <= LONGEST_TURN:
        return text
    half = LONGEST_TURN // 2
    return f"{text[:half]}\n\n[{len(text) - 2 * half:,} characters left out]\n\n{text[-half:]}"
