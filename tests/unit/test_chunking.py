"""Chunking: the laws that hold for any outline, and what readers of code and prose expect."""

from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprint.domain.chunking import ChunkLimits, chunk_outline
from imprint.domain.outlines import Outline, Section

SMALL = ChunkLimits(minimum=10, target=40, maximum=60)

sections = st.builds(
    Section,
    symbol=st.sampled_from(["", "a", "A.b", "c"]),
    start_line=st.integers(-2, 40),
    end_line=st.integers(-2, 40),
)
lines = st.one_of(
    st.sampled_from(["", "", "  ", "def f():", "    return 1", "}", "word " * 5, "x" * 70, " " * 70, "one. two " * 12]),
    st.text(alphabet=st.characters(exclude_characters="\n"), max_size=30),
)
outlines = st.builds(
    Outline,
    text=st.lists(lines, max_size=40).map("\n".join),
    sections=st.lists(sections, max_size=12).map(tuple),
    is_prose=st.booleans(),
)


@given(outline=outlines)
def test_every_line_that_is_not_blank_lands_in_exactly_one_chunk(outline: Outline) -> None:
    lines = outline.text.split("\n")

    covered = [
        number
        for (first, last), _ in groupby(chunk_outline(outline, SMALL), key=lambda c: (c.start_line, c.end_line))
        for number in range(first, last + 1)
    ]

    assert covered == sorted(set(covered))
    assert [n for n in covered if lines[n - 1].strip()] == [n for n, line in enumerate(lines, 1) if line.strip()]


@given(outline=outlines)
def test_the_text_of_a_chunk_is_its_lines(outline: Outline) -> None:
    lines = outline.text.split("\n")

    for (first, last), parts in groupby(chunk_outline(outline, SMALL), key=lambda c: (c.start_line, c.end_line)):
        texts = [part.text for part in parts]
        expected = "\n".join(lines[first - 1 : last])
        if len(texts) == 1 and len(expected) <= SMALL.maximum:
            assert texts == [expected]
        else:
            assert first == last
            assert "".join("".join(texts).split()) == "".join(expected.split())


@given(outline=outlines)
def test_no_chunk_is_larger_than_the_maximum_or_blank(outline: Outline) -> None:
    assert all(0 < len(c.text.strip()) <= len(c.text) <= SMALL.maximum for c in chunk_outline(outline, SMALL))


@given(outline=outlines)
def test_a_part_of_a_cut_line_is_a_stretch_of_it(outline: Outline) -> None:
    lines = outline.text.split("\n")

    assert all(c.text in lines[c.start_line - 1] for c in chunk_outline(outline, SMALL) if c.start_line == c.end_line)


@given(outline=outlines)
def test_the_order_of_sections_does_not_change_the_chunks(outline: Outline) -> None:
    distinct = {(s.start_line, s.end_line): s for s in outline.sections}.values()
    forwards = Outline(text=outline.text, sections=tuple(distinct))
    backwards = Outline(text=outline.text, sections=tuple(reversed(forwards.sections)))

    assert chunk_outline(forwards, SMALL) == chunk_outline(backwards, SMALL)


@given(text=st.text(max_size=200), size=st.integers(1, 20))
def test_any_limits_can_be_kept(text: str, size: int) -> None:
    limits = ChunkLimits(minimum=0, target=size // 2, maximum=size)

    assert all(len(chunk.text) <= size for chunk in chunk_outline(Outline(text=text), limits))


@settings(max_examples=1)
@given(depth=st.just(20_000))
def test_sections_nest_to_any_depth(depth: int) -> None:
    outline = Outline(
        text="\n".join(["line"] * depth),
        sections=tuple(Section(symbol=str(n), start_line=n, end_line=depth) for n in range(1, depth + 1)),
    )

    assert chunk_outline(outline)[-1].end_line == depth


def test_limits_that_do_not_grow_are_refused() -> None:
    with pytest.raises(ValueError):
        ChunkLimits(minimum=10, target=5, maximum=20)
