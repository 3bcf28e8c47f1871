"""Reading what is stored: a passage in its place, a source in full or some lines of it, and what there is.

A text is put together again from its passages: only blank lines are missing between them. A conversation is told turn
by turn, each under its speaker: a turn of many lines lies on one line of its transcript.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import attrs

from imprint.domain.sources import Source, SourceKey, SourceKind, StoredChunk, StoredSource, WorkspaceName
from imprint.errors import InvalidLinesError, NothingStoredError
from imprint.protocols.stores import StoreOpener, WorkspaceStore
from imprint.services.references import parse_chunk_id

__all__ = ["Excerpt", "LineRange", "Reading", "parse_lines"]

_RANGE = re.compile(r"\s*(\d{1,9})?\s*(:|-)?\s*(\d{1,9})?\s*")


@attrs.frozen
class LineRange:
    """Lines from the first to the last, both 1-based and inclusive; 0 as last: to the end."""

    first: int = 1
    last: int = 0

    def __str__(self) -> str:
        return f"{self.first}:{self.last or ''}"


def parse_lines(text: str) -> LineRange:
    """Read ``A:B``, ``A:``, ``:B`` or ``A``.

    Raises:
        InvalidLinesError: It is none of these, or ends before it begins.
    """
    match = _RANGE.fullmatch(text)
    if match is None or not (match[1] or match[3]):
        raise InvalidLinesError(text)
    first = int(match[1] or 1)
    last = int(match[3] or 0) if match[2] else first
    if first < 1 or (match[3] and last < first):
        raise InvalidLinesError(text)
    return LineRange(first, last)


@attrs.frozen(kw_only=True)
class Excerpt:
    """Text of one source, as it is stored.

    Attributes:
        passages: Those it is made of, in order.
        lines: `None` where lines mean nothing.
        last_line: The source's last line that is stored; 0 where lines mean nothing.
        is_numbered: Whether each line of the text is one of the source's.
    """

    workspace: WorkspaceName
    source: Source
    text: str
    passages: tuple[StoredChunk, ...]
    lines: LineRange | None
    last_line: int
    is_numbered: bool = True

    def told_within(self, room: int) -> tuple[str, int]:
        """As many whole turns as there is room for, the first in any case; and the line of the last."""
        turns = _turns(self.passages)
        told, last = "", 0
        for turn in turns:
            longer = f"{told}\n\n{turn.text}" if told else turn.text
            if told and len(longer) > room:
                break
            told, last = longer, turn.line
        return told, last


@attrs.frozen
class Reading:
    """The use cases."""

    stores: StoreOpener

    def show(self, workspace: WorkspaceName, reference: str, *, lines: LineRange | None = None) -> Excerpt:
        """Read a passage by its id, or a source by its key; with lines: those of the source.

        Raises:
            NothingStoredError: Neither a passage nor a source goes by this reference.
            InvalidLinesError: The source has no such lines.
        """
        if not self.stores.exists(workspace):
            raise NothingStoredError(reference, workspace)
        with self.stores.open(workspace) as store:
            passage = _find_passage(store, reference)
            passages = [passage] if passage and not lines else _passages_of(store, passage, reference)
        if not passages:
            raise NothingStoredError(reference, workspace)
        return _excerpt(workspace, passages, lines)

    def sources(
        self, workspace: WorkspaceName, *, kinds: Sequence[str] = (), glob: str = "", project: str = ""
    ) -> Iterator[StoredSource]:
        """What is indexed, in key order."""
        if self.stores.exists(workspace):
            with self.stores.open(workspace) as store:
                yield from store.sources(kinds=kinds, glob=glob, project=project)


def _find_passage(store: WorkspaceStore, reference: str) -> StoredChunk | None:
    id = parse_chunk_id(reference)
    return next(iter(store.chunks([id])), None) if id is not None else None


def _passages_of(store: WorkspaceStore, passage: StoredChunk | None, reference: str) -> list[StoredChunk]:
    return store.source_chunks(passage.source.key if passage else SourceKey(reference))


def _excerpt(workspace: WorkspaceName, passages: Sequence[StoredChunk], lines: LineRange | None) -> Excerpt:
    source = passages[0].source
    turns = _turns(passages) if source.kind is SourceKind.CONVERSATION else []
    if any(turn.line for turn in turns):
        return _told(workspace, turns, lines)
    numbered = _numbered_lines(passages)
    if not numbered:
        if lines:
            raise InvalidLinesError(str(lines), source.key, 0)
        text = "\n\n".join(turn.text for turn in turns) or "\n\n".join(one.chunk.text for one in passages)
        return Excerpt(workspace=workspace, source=source, text=text, passages=tuple(passages), lines=None, last_line=0)
    last = max(numbered)
    wanted = LineRange(lines.first, min(lines.last or last, last)) if lines else LineRange(min(numbered), last)
    if wanted.first > wanted.last:
        raise InvalidLinesError(str(lines), source.key, last)
    return Excerpt(
        workspace=workspace,
        source=source,
        text="\n".join(numbered.get(number, "") for number in range(wanted.first, wanted.last + 1)),
        passages=tuple(passage for passage in passages if _touches(passage, wanted)),
        lines=wanted,
        last_line=last,
    )


@attrs.frozen
class _Turn:
    """What one speaker said at once, in the passages that it was cut into.

    Attributes:
        line: The transcript's, which may hold one or more of them; of one without, that of the one before; else 0.
    """

    line: int
    passages: tuple[StoredChunk, ...]

    @property
    def text(self) -> str:
        said = self.passages[0].chunk
        speaker = ", ".join(filter(None, (said.role, said.time)))
        text = "\n\n".join(passage.chunk.text for passage in self.passages)
        return f"{speaker}:\n{text}" if speaker else text


def _turns(passages: Sequence[StoredChunk]) -> list[_Turn]:
    turns: list[_Turn] = []
    for (line, _, _), group in groupby(
        passages, key=lambda one: (one.chunk.start_line, one.chunk.role, one.chunk.time)
    ):
        turns.append(_Turn(line or (turns[-1].line if turns else 0), tuple(group)))
    return turns


def _told(workspace: WorkspaceName, turns: Sequence[_Turn], lines: LineRange | None) -> Excerpt:
    source = turns[0].passages[0].source
    last = max(turn.line for turn in turns)
    first = min(turn.line for turn in turns if turn.line)
    wanted = LineRange(lines.first, min(lines.last or last, last)) if lines else LineRange(first, last)
    kept = [turn for turn in turns if wanted.first <= turn.line <= wanted.last or not lines]
    if not kept:
        raise InvalidLinesError(str(lines), source.key, last)
    return Excerpt(
        workspace=workspace,
        source=source,
        text="\n\n".join(turn.text for turn in kept),
        passages=tuple(passage for turn in kept for passage in turn.passages),
        lines=wanted,
        last_line=last,
        is_numbered=False,
    )


def _numbered_lines(passages: Sequence[StoredChunk]) -> dict[int, str]:
    """The lines of passages by their number; passages that share a line each hold a stretch of it."""
    numbered: dict[int, str] = {}
    for passage in passages:
        if passage.chunk.start_line is not None:
            for number, line in enumerate(passage.chunk.text.split("\n"), start=passage.chunk.start_line):
                numbered[number] = numbered.get(number, "") + line
    return numbered


def _touches(passage: StoredChunk, wanted: LineRange) -> bool:
    start, end = passage.chunk.start_line, passage.chunk.end_line
    return start is not None and end is not None and start <= wanted.last and end >= wanted.first
