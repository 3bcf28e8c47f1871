"""Which terms a large store is asked for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.term_choices import (
    FEW_MATCHES,
    FEWEST_TERMS,
    MOST_MATCHES,
    MOST_TERMS,
    RARE_MATCHES,
    TermChoice,
    choose_terms,
)

words = st.text(alphabet="abcdef", min_size=1, max_size=3)
frequencies_of_words = st.dictionaries(words, st.integers(0, 9_000), max_size=60)


@given(st.lists(words, unique=True, max_size=40), frequencies_of_words)
def test_the_rarest_are_asked_for_in_their_order(terms, frequencies):
    asked = choose_terms(terms, frequencies).asked

    found = {term: frequencies.get(term, 1) for term in terms if frequencies.get(term, 1)}
    dropped = [found[term] for term in found if term not in asked]
    matches = sum(found[term] for term in asked)
    assert list(asked) == [term for term in terms if term in asked]
    assert set(asked) <= set(found)
    assert not dropped or max(found[term] for term in asked) <= min(dropped)
    assert not dropped or len(asked) == MOST_TERMS or matches + min(dropped) > MOST_MATCHES
    assert matches <= FEW_MATCHES or (
        len(asked) <= MOST_TERMS and (len(asked) <= FEWEST_TERMS or matches <= MOST_MATCHES)
    )


@given(st.lists(words, unique=True, max_size=40), frequencies_of_words)
def test_common_are_the_most_frequent_of_those_asked_for_and_never_all(terms, frequencies):
    choice = choose_terms(terms, frequencies)

    rare = [frequencies.get(term, 1) for term in choice.asked if term not in choice.common]
    common = [frequencies.get(term, 1) for term in choice.common]
    assert set(choice.common) <= set(choice.asked)
    assert rare or not choice.asked
    assert not common or max(rare) <= min(common)
    assert not common or sum(rare) + min(common) > RARE_MATCHES


@given(st.lists(words, unique=True, max_size=40))
def test_where_little_matches_all_are_asked_for_and_none_is_common(terms):
    frequencies = dict.fromkeys(terms, FEW_MATCHES // max(1, len(terms)))

    assert choose_terms(terms, frequencies) == TermChoice(tuple(terms))


def test_a_common_word_is_asked_for_when_there_is_no_other():
    choice = choose_terms(["return", "value"], {"return": 90_000, "value": 80_000})

    assert choice == TermChoice(("return", "value"), common=("return",))


@pytest.mark.parametrize(("share", "common"), [(1.0, True), (0.01, False)])
def test_in_a_small_part_of_a_large_store_every_match_is_scored(share, common):
    frequencies = {"return": 9_000, "value": 8_000}

    choice = choose_terms(["return", "value"], frequencies, share=share)

    assert (bool(choice.common), choice.asked) == (common, ("return", "value"))
