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


def cut(text: str, *sections: tuple[str, int, int], limits: ChunkLimits = SMALL) -> list[tuple[int, int, str]]:
    outline = Outline(text=text, sections=tuple(Section(symbol=s, start_line=a, end_line=b) for s, a, b in sections))
    return [(chunk.start_line or 0, chunk.end_line or 0, chunk.symbol) for chunk in chunk_outline(outline, limits)]


def test_a_small_class_stays_whole() -> None:
    assert cut("class A:\n  def b():\n    1\n", ("A", 1, 3), ("A.b", 2, 3)) == [(1, 3, "A")]


def test_a_large_class_is_its_header_and_its_methods() -> None:
    methods = "  def b():\n    return 'long enough to stand'\n\n  def c():\n    return 'as is this one'"
    text = f"class A:\n  x = 'a header'\n\n{methods}"

    assert cut(text, ("A", 1, 8), ("A.b", 4, 5), ("A.c", 7, 8)) == [(1, 2, "A"), (4, 5, "A.b"), (7, 8, "A.c")]


def test_a_large_function_is_split_at_its_blank_lines_and_keeps_its_symbol() -> None:
    text = "def a():\n    one = 'some words'\n\n    two = 'some words'\n    three = 'more words'\n    four = 4"

    assert cut(text, ("a", 1, 6)) == [(1, 2, "a"), (4, 6, "a")]


def test_without_blank_lines_the_least_indented_line_is_where_to_split() -> None:
    text = "def a():\n  if x:\n      return 'something'\n  return 'something else'\n  z\n  # the end of it"

    assert cut(text, ("a", 1, 6)) == [(1, 3, "a"), (4, 6, "a")]


def test_imports_are_a_chunk_without_a_symbol() -> None:
    text = "import something\nimport another\n\n\ndef a():\n    return 'long enough'"

    assert cut(text, ("a", 5, 6)) == [(1, 2, ""), (5, 6, "a")]


def test_tiny_functions_join_and_all_are_named() -> None:
    limits = ChunkLimits(minimum=15, target=40, maximum=60)

    assert cut("def a(): 1\n\ndef b(): 2\n\ndef c(): 3", ("a", 1, 1), ("b", 3, 3), ("c", 5, 5), limits=limits) == [
        (1, 5, "a, b, c")
    ]


def test_what_is_left_of_a_class_joins_what_is_before_it_and_adds_no_name() -> None:
    text = "class A {\n  one() {\n    return 'long enough to stand'\n  }\n}\n\nfunction next() { return 'alone' }"

    assert cut(text, ("A", 1, 5), ("A.one", 2, 4), ("next", 7, 7)) == [(1, 5, "A, A.one"), (7, 7, "next")]


def test_a_lone_heading_goes_with_what_follows_it() -> None:
    text = "# Guide\n\n## Install\n\npip install it, then run it once"

    assert cut(text, ("Guide", 1, 5), ("Guide > Install", 3, 5)) == [(1, 5, "Guide, Guide > Install")]


def test_a_long_line_is_cut_behind_sentences_and_words() -> None:
    text = "The first sentence of this line ends right here. The second goes on for longer than the rest"

    assert [chunk.text for chunk in chunk_outline(Outline(text=text), SMALL)] == [
        "The first sentence of this line ends right here. ",
        "The second goes on for longer than the rest",
    ]


def test_limits_that_do_not_grow_are_refused() -> None:
    with pytest.raises(ValueError):
        ChunkLimits(minimum=10, target=5, maximum=20)
