"""Passages and sources are read back."""

from pathlib import PurePosixPath

import pytest

from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind, WorkspaceName
from imprint.errors import InvalidLinesError, NothingStoredError
from imprint.services.reading import LineRange, parse_lines

DEFAULT = WorkspaceName("default")
KEY = "/app/a.py"
FILE = Source(key=SourceKey(KEY), kind=SourceKind.CODE, path=PurePosixPath(KEY), project="app")
PARTS = (
    Chunk(text="one\ntwo", start_line=1, end_line=2),
    Chunk(text="five\nlong", start_line=5, end_line=6),
    Chunk(text="line", start_line=6, end_line=6),
)


@pytest.fixture
def reading(searcher):
    searcher.add(FILE, *PARTS)
    searcher.add(
        Source(key=SourceKey("text:notes"), kind=SourceKind.DOCUMENT), Chunk(text="first"), Chunk(text="second")
    )
    return searcher.reading


def test_a_source_is_put_together_from_its_passages(reading):
    excerpt = reading.show(DEFAULT, KEY)

    assert excerpt.text == "one\ntwo\n\n\nfive\nlongline"
    assert (excerpt.lines, excerpt.last_line, len(excerpt.passages)) == (LineRange(1, 6), 6, 3)


def test_a_passage_is_shown_with_its_lines(reading):
    [first, second, _] = reading.show(DEFAULT, KEY).passages

    excerpt = reading.show(DEFAULT, str(second.id))

    assert (excerpt.text, excerpt.lines) == ("five\nlong", LineRange(5, 6))
    assert excerpt.source == FILE
    assert first.id != second.id


@pytest.mark.parametrize(
    ("lines", "text"),
    [("2:5", "two\n\n\nfive"), ("5", "five"), (":1", "one"), ("5:", "five\nlongline"), ("5:99", "five\nlongline")],
)
def test_lines_of_a_source_are_shown(reading, lines, text):
    assert reading.show(DEFAULT, KEY, lines=parse_lines(lines)).text == text


def test_lines_asked_of_a_passage_are_those_of_its_source(reading):
    passage = reading.show(DEFAULT, KEY).passages[-1]

    assert reading.show(DEFAULT, str(passage.id), lines=LineRange(1, 2)).text == "one\ntwo"


def test_a_text_without_lines_is_shown_whole(reading):
    excerpt = reading.show(DEFAULT, "text:notes")

    assert (excerpt.text, excerpt.lines, excerpt.last_line) == ("first\n\nsecond", None, 0)


@pytest.mark.parametrize(
    ("lines", "span"), [((None, None, None), None), ((3, None, 5), LineRange(3, 5)), ((None, 4, 4), LineRange(4, 4))]
)
def test_a_conversation_says_who_spoke_whether_or_not_its_transcript_has_lines(searcher, lines, span):
    said = zip(("user", "assistant", "user"), ("Why teal?", "They asked.", "Fine."), lines, strict=True)
    chunks = [Chunk(text=text, role=role, start_line=line, end_line=line) for role, text, line in said]
    searcher.add(Source(key=SourceKey("conversation:x/1"), kind=SourceKind.CONVERSATION), *chunks)

    excerpt = searcher.reading.show(DEFAULT, "conversation:x/1")

    assert excerpt.text == "user:\nWhy teal?\n\nassistant:\nThey asked.\n\nuser:\nFine."
    assert (excerpt.lines, len(excerpt.passages)) == (span, 3)


def test_lines_that_the_source_does_not_have_are_refused(reading):
    with pytest.raises(InvalidLinesError) as caught:
        reading.show(DEFAULT, KEY, lines=LineRange(7, 9))

    assert (caught.value.source, caught.value.last) == (KEY, 6)


def test_lines_of_a_text_without_lines_are_refused(reading):
    with pytest.raises(InvalidLinesError):
        reading.show(DEFAULT, "text:notes", lines=LineRange(1, 1))


@pytest.mark.parametrize("reference", ["999", "/app/b.py", "", "-1", "9" * 30])
def test_an_unknown_reference_is_an_error_with_a_hint(reading, reference):
    with pytest.raises(NothingStoredError) as caught:
        reading.show(DEFAULT, reference)

    assert (caught.value.reference, caught.value.workspace) == (reference, DEFAULT)
    assert caught.value.hint


def test_reading_makes_no_store(searcher):
    with pytest.raises(NothingStoredError):
        searcher.reading.show(DEFAULT, "1")

    assert list(searcher.reading.sources(DEFAULT)) == []
    assert not searcher.stores.exists(DEFAULT)


def test_sources_are_listed_in_key_order_and_by_filter(reading):
    assert [(found.source.key, found.chunks) for found in reading.sources(DEFAULT)] == [(KEY, 3), ("text:notes", 2)]
    assert [found.source.key for found in reading.sources(DEFAULT, kinds=["document"])] == ["text:notes"]
    assert [found.source.key for found in reading.sources(DEFAULT, glob="/app/*", project="app")] == [KEY]


@pytest.mark.parametrize("text", ["", ":", "a", "3:2", "0", "1:2:3", "-"])
def test_what_names_no_lines_is_refused(text):
    with pytest.raises(InvalidLinesError):
        parse_lines(text)
