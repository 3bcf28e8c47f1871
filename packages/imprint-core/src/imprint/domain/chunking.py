"""Chunking: an outline becomes the passages that are searched, embedded and shown.

A passage is a run of whole lines. Sections decide first: what fits stays whole, what does not becomes its header, its
parts and what lies between them. Size decides second: too large is split where a reader would pause, too small joins a
neighbour. Whatever the outline says, each line that is not blank lands in exactly one passage, in order.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import accumulate
from typing import NamedTuple

import attrs

from imprint.domain.outlines import Outline, Section
from imprint.domain.sources import Chunk

__all__ = ["ChunkLimits", "chunk_outline"]


@attrs.frozen(kw_only=True)
class ChunkLimits:
    """Sizes of passages in characters.

    Models cut at about 512 tokens, which is some 1,300 characters of code and 1,500 of prose.

    Attributes:
        minimum: Smaller passages join a neighbour.
        target: What joining and splitting aim at; a section with parts stays whole up to here.
        maximum: No passage is larger; a section without parts stays whole up to here.
    """

    minimum: int = 200
    target: int = 1_000
    maximum: int = 1_500

    def __attrs_post_init__(self) -> None:
        if not 0 <= self.minimum <= self.target <= self.maximum or self.maximum < 1:
            raise ValueError(f"limits must grow: {self}")


def chunk_outline(outline: Outline, limits: ChunkLimits = ChunkLimits()) -> list[Chunk]:
    """Cut an outline into chunks with exact line ranges and symbols.

    A chunk's text is its lines, joined by line ends; it neither begins nor ends with a blank line. Only a line longer
    than the maximum is cut inside: its chunks share the line number and together hold the line. A chunk of several
    small sections names them all (``open, close``). Sections that contradict each other are clipped to make sense.
    ``context`` stays empty: what a function is called with its holders is its symbol already.
    """
    text = _Lines(outline.text)
    spans = _span_sections(text, outline.sections, limits)
    pieces = (piece for span in spans for piece in _split(text, span, limits))
    return [chunk for span in _join(text, pieces, limits) for chunk in _make_chunks(text, span, limits)]


class _Kind(Enum):
    WHOLE = auto()  # a section, or a part of one that had to be split
    HEADER = auto()  # the beginning of a section whose parts are spans of their own
    GAP = auto()  # what lies between sections


class _Span(NamedTuple):
    """Lines ``first`` to ``last``, 1-based and inclusive, that become one chunk."""

    first: int
    last: int
    symbols: tuple[str, ...]
    kind: _Kind


class _Lines:
    """A text by lines; sizes in constant time."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._ends = [0, *accumulate(len(line) + 1 for line in self.lines)]

    def __len__(self) -> int:
        return len(self.lines)

    def size(self, first: int, last: int) -> int:
        return self._ends[last] - self._ends[first - 1] - 1

    def last_within(self, first: int, size: int) -> int:
        """The last line that fits when a passage of this size begins with ``first``; below ``first`` if none does."""
        return bisect_right(self._ends, self._ends[first - 1] + size + 1) - 1

    def is_blank(self, number: int) -> bool:
        line = self.lines[number - 1]
        return not line or line.isspace()

    def text(self, first: int, last: int) -> str:
        return "\n".join(self.lines[first - 1 : last])

    def trim(self, span: _Span) -> _Span | None:
        """The span without blank lines around it; `None` if nothing is left."""
        first, last = span.first, span.last
        while first <= last and self.is_blank(first):
            first += 1
        while first <= last and self.is_blank(last):
            last -= 1
        return _Span(first, last, span.symbols, span.kind) if first <= last else None


def _span_sections(text: _Lines, sections: Sequence[Section], limits: ChunkLimits) -> Iterator[_Span]:
    """Whole sections where they fit, otherwise their header, their parts and the gaps, in line order."""
    nested = _nest(sections, len(text))
    next_line = 1
    around = [_OpenSection(start=1, end=len(text), symbol="", kind=_Kind.GAP)]

    def gap_until(last: int) -> Iterator[_Span]:
        holder = around[-1]
        if next_line <= last and (
            span := text.trim(
                _Span(next_line, last, (holder.symbol,), holder.kind if next_line == holder.start else _Kind.GAP)
            )
        ):
            yield span

    for index, section in enumerate(nested):
        if section.end_line < next_line:
            continue
        while around[-1].end < section.start_line:
            yield from gap_until(around[-1].end)
            next_line = max(next_line, around.pop().end + 1)
        yield from gap_until(section.start_line - 1)
        next_line = section.start_line
        has_parts = index + 1 < len(nested) and nested[index + 1].start_line <= section.end_line
        if has_parts and text.size(section.start_line, section.end_line) > limits.target:
            around.append(_OpenSection(section.start_line, section.end_line, section.symbol, _Kind.HEADER))
        else:
            span = text.trim(_Span(section.start_line, section.end_line, (section.symbol,), _Kind.WHOLE))
            if span:
                yield span
            next_line = section.end_line + 1
    while around:
        yield from gap_until(around[-1].end)
        next_line = max(next_line, around.pop().end + 1)


@attrs.frozen
class _OpenSection:
    start: int
    end: int
    symbol: str
    kind: _Kind


def _nest(sections: Sequence[Section], last_line: int) -> list[Section]:
    """The sections in document order, clipped so that each lies wholly inside or wholly outside any other."""
    nested: list[Section] = []
    around: list[int] = []
    for section in sorted(sections, key=lambda section: (section.start_line, -section.end_line)):
        start = max(section.start_line, 1)
        while around and around[-1] < start:
            around.pop()
        end = min(section.end_line, around[-1] if around else last_line)
        if start <= end:
            around.append(end)
            nested.append(Section(symbol=section.symbol, start_line=start, end_line=end))
    return nested


def _split(text: _Lines, span: _Span, limits: ChunkLimits) -> Iterator[_Span]:
    """The span itself if it fits, else parts of it; only a part of a single line may still be too large."""
    rest: _Span | None = span
    while rest and rest.first < rest.last and text.size(rest.first, rest.last) > limits.maximum:
        last = _pause(text, rest, limits)
        if part := text.trim(rest._replace(last=last)):
            yield part
        rest = text.trim(rest._replace(first=last + 1))
    if rest:
        yield rest


def _pause(text: _Lines, span: _Span, limits: ChunkLimits) -> int:
    """The line after which to split: before a blank line, else before the least indented line, near the target."""
    furthest = max(text.last_within(span.first, limits.maximum), span.first)
    nearest = max(text.last_within(span.first, limits.target // 2), span.first)

    lasts = range(nearest, furthest + 1)

    def cost(last: int) -> tuple[int, int]:
        following = text.lines[last]
        return len(following) - len(following.lstrip()), abs(text.size(span.first, last) - limits.target)

    return min([last for last in lasts if text.is_blank(last + 1)] or lasts, key=cost)


def _join(text: _Lines, spans: Iterator[_Span], limits: ChunkLimits) -> Iterator[_Span]:
    """Neighbours put together where one of them is too small to stand alone."""
    current = next(spans, None)
    for span in spans:
        assert current is not None
        if text.size(current.first, span.last) <= _joint_limit(text, current, span, limits):
            new = () if span.kind is _Kind.GAP else span.symbols
            symbols = current.symbols + tuple(symbol for symbol in new if symbol not in current.symbols)
            current = _Span(current.first, span.last, symbols, span.kind)
        else:
            yield current
            current = span
    if current:
        yield current


def _joint_limit(text: _Lines, before: _Span, after: _Span, limits: ChunkLimits) -> int:
    """How large two neighbours may be together; a header belongs to what follows, a gap to what precedes it."""
    is_small_before = text.size(before.first, before.last) < limits.minimum
    is_small_after = text.size(after.first, after.last) < limits.minimum
    if (is_small_before and before.kind is _Kind.HEADER) or (is_small_after and after.kind is _Kind.GAP):
        return limits.maximum
    if is_small_before or (is_small_after and after.kind is not _Kind.HEADER):
        return limits.target
    return 0


def _make_chunks(text: _Lines, span: _Span, limits: ChunkLimits) -> Iterator[Chunk]:
    symbol = ", ".join(symbol for symbol in span.symbols if symbol)
    for part in _cut_line(text.text(span.first, span.last), limits.maximum):
        yield Chunk(text=part, start_line=span.first, end_line=span.last, symbol=symbol)


def _cut_line(line: str, size: int) -> Iterator[str]:
    """The text itself if it fits, else parts of it, cut after a sentence, else a word, else anywhere."""
    start = 0
    while len(line) - start > size:
        middle = start + size // 2
        found = (line.rfind(mark, middle, start + size) + len(mark) for mark in (". ", "。", " ", "\t", ",", ";"))
        end = next((end for end in found if end > middle), start + size)
        if line[start:end].strip():
            yield line[start:end]
        start = end
    if line[start:].strip():
        yield line[start:]
