"""Two lists become one ranking."""

from pathlib import PurePosixPath

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from imprint.domain.ranking import DEFINITION_BONUS, RECENCY_BONUS, fuse, prior_of, standardize
from imprint.domain.sources import Chunk, ChunkId, MemoryKind, Source, SourceKey, SourceKind, StoredChunk

NOW = "2026-06-01T00:00:00.000Z"

scores = st.integers(-1_000, 1_000).map(float)
lists = st.dictionaries(st.integers(1, 50), scores, min_size=2, max_size=30)


def stored(source: Source, **chunk: str) -> StoredChunk:
    return StoredChunk(id=ChunkId(1), ordinal=0, chunk=Chunk(text="text", **chunk), source=source)


def memory(time: str) -> StoredChunk:
    source = Source(key=SourceKey("memory:1"), kind=SourceKind.MEMORY, memory_kind=MemoryKind.DECISION, time=time)
    return stored(source)


def function(symbol: str) -> StoredChunk:
    return stored(Source(key=SourceKey("/a.py"), kind=SourceKind.CODE, path=PurePosixPath("/a.py")), symbol=symbol)


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


def test_a_newer_memory_has_the_better_prior():
    recent, old, ancient = (
        prior_of(memory(time), names=frozenset(), now=NOW)
        for time in ("2026-05-31T00:00:00.000Z", "2025-06-01T00:00:00.000Z", "2019-01-01T00:00:00.000Z")
    )

    assert RECENCY_BONUS >= recent > old > ancient >= 0


@pytest.mark.parametrize("time", ["", "yesterday", "2026-05-31"])
def test_a_memory_of_unknown_time_has_no_prior(time):
    assert prior_of(memory(time), names=frozenset(), now=NOW) == 0


def test_a_memory_of_the_future_is_as_new_as_one_of_now():
    assert prior_of(memory("2027-01-01T00:00:00.000Z"), names=frozenset(), now=NOW) == RECENCY_BONUS


@pytest.mark.parametrize("symbol", ["load_json", "Store.load_json", "save_json, Store.load_json"])
def test_the_definition_of_a_name_comes_before_its_uses(symbol):
    assert prior_of(function(symbol), names=frozenset({"load json"}), now=NOW) == DEFINITION_BONUS


def test_other_definitions_have_no_prior():
    assert prior_of(function("Store.load"), names=frozenset({"load json"}), now=NOW) == 0
