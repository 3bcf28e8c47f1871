"""Two lists become one ranking."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from imprint.domain.ranking import fuse, standardize

scores = st.integers(-1_000, 1_000).map(float)
lists = st.dictionaries(st.integers(1, 50), scores, min_size=2, max_size=30)


@given(lists)
def test_standard_scores_have_mean_zero_and_deviation_one(scores):
    assume(len(set(scores.values())) > 1)

    values = standardize(scores).values()

    assert sum(values) == pytest.approx(0, abs=1e-6)
    assert sum(value * value for value in values) / len(values) == pytest.approx(1)


@given(lists, lists, st.sampled_from([0.25, 2.0, 64.0]), st.integers(-512, 512))
def test_the_units_of_a_list_do_not_matter(lexical, cosines, scale, shift):
    lexical = {id: lexical.get(id, 0.0) for id in lexical | cosines}

    here = fuse(lexical, cosines)
    there = fuse({id: scale * score + shift for id, score in lexical.items()}, cosines)

    assert {id: pytest.approx(score, abs=1e-6) for id, score in here.items()} == there


@given(lists, lists)
def test_fusing_ranks_every_candidate_once_and_best_first(lexical, cosines):
    lexical = {id: lexical.get(id, 0.0) for id in lexical | cosines}

    fused = fuse(lexical, cosines)

    assert set(fused) == set(lexical)
    assert list(fused.values()) == sorted(fused.values(), reverse=True)


@given(st.lists(st.integers(1, 99), unique=True, max_size=20))
def test_ties_keep_the_order_in_which_they_came(ids):
    assert list(fuse(dict.fromkeys(ids, 1.0), {})) == ids


def test_a_candidate_without_a_vector_is_judged_by_its_words():
    fused = fuse({1: 9.0, 2: 1.0, 3: 1.0}, {2: 0.9, 3: 0.1})

    assert list(fused) == [1, 2, 3]


def test_both_lists_together_beat_the_best_of_one():
    fused = fuse({1: 10.0, 2: 9.0, 3: 0.0, 4: 0.0}, {1: 0.1, 2: 0.8, 3: 0.9, 4: 0.1})

    assert next(iter(fused)) == 2


def test_no_candidates_give_no_ranking():
    assert fuse({}, {}) == {}
