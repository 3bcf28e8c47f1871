"""Words that occur nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.misspellings import choose_correction, may_be_misspelled, may_be_stem_of

letters = st.sampled_from("abc")
words = st.text(letters, min_size=3, max_size=8)


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """A word and one that differs by one edit."""
    word = draw(words)
    at = draw(st.integers(0, len(word) - 1))
    letter = draw(letters)
    other = draw(
        st.sampled_from(
            [
                word[:at] + letter + word[at:],
                word[:at] + word[at + 1 :],
                word[:at] + letter + word[at + 1 :],
                word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
            ]
        )
    )
    return word, other


@given(edited())
def test_one_edit_apart_is_a_correction_both_ways(pair):
    word, other = pair

    assert choose_correction(word, [other]) == (other if word != other else "")
    assert choose_correction(other, [word]) == (word if word != other else "")


@given(words, words)
def test_further_apart_is_none(word, other):
    neighbours = {
        word[:at] + change + word[at + width :]
        for at in range(len(word) + 1)
        for width in (0, 1)
        for change in ("", "a", "b", "c")
    } | {word[:at] + word[at : at + 2][::-1] + word[at + 2 :] for at in range(len(word))}

    assert (choose_correction(word, [other]) != "") == (other != word and other in neighbours)


@pytest.mark.parametrize(
    ("misspelled", "stem"),
    [
        ("worktre", "worktre"),
        ("exclussion", "exclus"),
        ("recieve", "receiv"),
        ("dependncies", "depend"),
        ("configuraton", "configur"),
        ("suport", "support"),
    ],
)
def test_the_stem_that_is_meant_is_nominated(misspelled, stem):
    assert may_be_stem_of(stem, misspelled)


@pytest.mark.parametrize(("word", "stem"), [("kubernetes", "kuber"), ("worktre", "work"), ("recipe", "record")])
def test_stems_of_other_words_are_not(word, stem):
    assert not may_be_stem_of(stem, word) or choose_correction(word, [stem]) == ""


def test_the_first_that_fits_is_chosen():
    assert choose_correction("suport", ["airport", "support", "sport"]) == "support"


@pytest.mark.parametrize(
    ("term", "may"),
    [("worktre", True), ("größe", True), ("pies", False), ("e0502", False), ("load json", False), ("", False)],
)
def test_only_longer_words_of_letters_are_doubted(term, may):
    assert may_be_misspelled(term) is may
