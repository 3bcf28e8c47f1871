"""Words that occur nowhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.misspellings import choose_correction, find_proper_names, may_be_misspelled, may_be_stem_of

letters = st.sampled_from("abc")
words = st.text(letters, min_size=5, max_size=9)


@st.composite
def slips(draw: st.DrawFn) -> tuple[str, str]:
    """A word, and how it is written with a letter too many, one missing, or two that have changed places."""
    word = draw(st.text(letters, min_size=7, max_size=9))
    at = draw(st.integers(0, len(word) - 1))
    slip = draw(
        st.sampled_from(
            [
                word[:at] + draw(letters) + word[at:],
                word[:at] + word[at + 1 :],
                word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
            ]
        )
    )
    return word, slip


@given(slips())
def test_one_slip_is_corrected(pair):
    word, slip = pair

    assert choose_correction(slip, [word]) == (word if word != slip else "")


@given(words, words)
def test_what_is_further_away_than_one_edit_is_no_correction(word, other):
    neighbours = {
        word[:at] + change + word[at + width :]
        for at in range(len(word) + 1)
        for width in (0, 1)
        for change in ("", "a", "b", "c")
    } | {word[:at] + word[at : at + 2][::-1] + word[at + 2 :] for at in range(len(word))}

    assert choose_correction(word, [other]) in (("", other) if other in neighbours else ("",))
    assert choose_correction(word, [word]) == ""


@pytest.mark.parametrize(
    ("misspelled", "meant"),
    [
        ("configuretion", "configuration"),
        ("adatpers", "adapter"),
        ("swicthed", "switch"),
        ("relaeses", "released"),
    ],
)
def test_another_letter_or_ending_counts_in_longer_words(misspelled, meant):
    assert choose_correction(misspelled, [meant]) == meant


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("flood", "floor"),
        ("store", "story"),
        ("contest", "content"),
        ("shower", "showed"),
        ("forum", "form"),
        ("countries", "count"),
        ("regards", "rewarding"),
        ("excited", "exit"),
        ("castle", "cast"),
    ],
)
def test_neighbours_that_are_words_themselves_are_no_corrections(word, other):
    assert choose_correction(word, [other]) == ""


def test_names_of_people_are_not_doubted():
    assert find_proper_names("What did Caroline tell the HTTPServer in Zürich?") == {"caroline", "zürich"}


@pytest.mark.parametrize(
    ("misspelled", "stem"),
    [
        ("worktre", "worktre"),
        ("exclussion", "exclus"),
        ("recieve", "receiv"),
        ("dependncies", "depend"),
        ("configuraton", "configur"),
        ("suport", "support"),
        ("delievry", "deliveri"),
        ("memroy", "memori"),
    ],
)
def test_the_stem_that_is_meant_is_nominated(misspelled, stem):
    assert may_be_stem_of(stem, misspelled)


@pytest.mark.parametrize(
    ("word", "stem"), [("kubernetes", "kuwait"), ("worktre", "walk"), ("recipe", "record"), ("on", "configur")]
)
def test_stems_of_other_words_are_not(word, stem):
    assert not may_be_stem_of(stem, word)


def test_the_first_that_fits_is_chosen():
    assert choose_correction("suport", ["airport", "support", "sport"]) == "support"


@pytest.mark.parametrize(
    ("term", "may"),
    [("worktre", True), ("größen", True), ("floor", False), ("e05029", False), ("load json", False), ("", False)],
)
def test_only_longer_words_of_letters_are_doubted(term, may):
    assert may_be_misspelled(term) is may
