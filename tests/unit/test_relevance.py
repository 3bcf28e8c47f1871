"""Whether anything answers."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.queries import parse_query
from imprint.domain.relevance import (
    CONTEXT_SHARE,
    ENOUGH,
    ENOUGH_WITHOUT_VECTOR,
    FAINT,
    SHARE_OF_BEST,
    Evidence,
    information_of,
    is_faint,
    is_relevant,
    share_covered,
    strength_of,
)
from imprint.domain.sources import Chunk, ChunkId, Source, SourceKey, SourceKind, StoredChunk

strengths = st.floats(-1, 2)


def passage(text: str, symbol: str = "") -> StoredChunk:
    source = Source(key=SourceKey("text:a"), kind=SourceKind.DOCUMENT)
    return StoredChunk(id=ChunkId(1), ordinal=0, chunk=Chunk(text=text, symbol=symbol), source=source)


def covered(question: str, text: str, symbol: str = "") -> float:
    terms = parse_query(question).terms
    return share_covered(passage(text, symbol), information_of(terms, {}, 1_000))


def test_without_passages_nothing_is_relevant():
    assert not is_relevant([])


def answers(covered: float, cosine: float | None = None) -> bool:
    return is_relevant([strength_of(Evidence(covered=covered, cosine=cosine))])


@given(strengths, st.lists(strengths))
def test_further_passages_never_make_an_answer_irrelevant(strength, others):
    assert is_relevant([*others, strength]) == (is_relevant(others) or is_relevant([strength]))


@pytest.mark.parametrize("cosine", [0.0, 0.3, 0.6])
def test_near_passages_need_fewer_words(cosine):
    assert answers(ENOUGH - cosine + 0.01, cosine)
    assert not answers(ENOUGH - cosine - 0.01, cosine)


def test_without_a_vector_the_words_decide():
    assert answers(ENOUGH_WITHOUT_VECTOR + 0.001)
    assert not answers(ENOUGH_WITHOUT_VECTOR - 0.001)


@given(strengths, strengths)
def test_what_answers_is_never_faint(strength, best):
    assert not (is_relevant([strength]) and is_faint(strength, best=max(strength, best)))


def test_what_is_weak_or_much_weaker_than_the_best_is_faint():
    assert is_faint(FAINT - 0.01)
    assert not is_faint(FAINT + 0.01)
    assert is_faint(SHARE_OF_BEST * 1.5 - 0.01, best=1.5)
    assert not is_faint(SHARE_OF_BEST * 1.5 + 0.01, best=1.5)


def test_rare_words_say_more():
    information = information_of(["the", "zygote"], {"the": 900, "zygote": 1}, 1_000)

    assert information["zygote"] > 10 * information["the"]


def test_in_a_tiny_store_frequency_says_little():
    information = information_of(["billing", "database"], {"billing": 1, "database": 0}, 1)

    assert information["billing"] > information["database"] / 2


def test_a_phrase_says_nothing_that_its_words_do_not():
    assert list(information_of(["load json", "load", "json"], {}, 10)) == ["load", "json"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("deployments", "we deploy"),
        ("deploying policies", "one deployment policy, deployed"),
        ("café", "the cafe"),
        ("HTTPServer", "class HTTPServer"),
        ("http server", "class HTTPServer"),
        ("连接池", "数据库连接池的大小"),
    ],
)
def test_words_are_recognized_as_full_text_does(question, text):
    assert covered(question, text) > 0.3


def test_names_count_as_words():
    assert covered("retry policy", "while True: ...", symbol="Retry.policy") == pytest.approx(1)


def test_words_of_the_neighbours_count_less():
    turn = attrs.evolve(passage("Yes, on Friday."), chunk=Chunk(text="Yes, on Friday.", context="Rename the ledger?"))
    information = information_of(("ledger", "friday"), {}, 1_000)

    assert share_covered(turn, information) == pytest.approx((1 + CONTEXT_SHARE) / 2)


def test_other_words_cover_nothing():
    assert covered("apple pie recipe", "connection pool size") == 0


def test_a_question_without_words_is_covered_by_nothing():
    assert covered("???", "???") == 0


@given(st.text(max_size=80), st.text(max_size=200))
def test_the_covered_share_lies_between_zero_and_one(question, text):
    assert 0 <= covered(question, text) <= 1 + 1e-9
