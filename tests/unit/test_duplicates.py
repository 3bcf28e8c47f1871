"""The same passage is shown once."""

from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.duplicates import fold_duplicates
from imprint.domain.sources import Chunk, ChunkId, Source, SourceKey, SourceKind, StoredChunk

SENTENCE = "the quick brown fox jumps over the lazy dog while seven wizards mix grey potions for every tired old judge "


def passage(id: int, text: str, kind: SourceKind = SourceKind.DOCUMENT) -> StoredChunk:
    return StoredChunk(
        id=ChunkId(id), ordinal=0, chunk=Chunk(text=text), source=Source(key=SourceKey(f"text:{id}"), kind=kind)
    )


def shown(*texts: str, kind: SourceKind = SourceKind.DOCUMENT) -> list[tuple[int, ...]]:
    folds = fold_duplicates([passage(id, text, kind) for id, text in enumerate(texts)])
    return [(fold.shown.id, *(other.id for other in fold.duplicates)) for fold in folds]


def test_equal_texts_are_folded_into_the_best():
    assert shown("One two.", "Other", "one  two", "ONE, TWO!") == [(0, 2, 3), (1,)]


def test_nearly_equal_long_texts_are_folded():
    assert shown(SENTENCE * 4, SENTENCE * 4 + "indeed") == [(0, 1)]


def test_texts_that_share_a_part_stay_apart():
    other = " ".join(f"word{number}" for number in range(60))

    assert shown(SENTENCE * 2 + other, SENTENCE * 2) == [(0,), (1,)]


def test_short_texts_that_differ_in_a_number_stay_apart():
    assert shown("The timeout is 30 seconds", "The timeout is 60 seconds") == [(0,), (1,)]


def test_long_memories_that_differ_in_a_number_stay_apart():
    assert shown(SENTENCE * 4 + "30", SENTENCE * 4 + "60", kind=SourceKind.MEMORY) == [(0,), (1,)]


def test_texts_without_words_are_told_apart():
    assert shown("???", "!!!", "???") == [(0, 2), (1,)]


@given(st.lists(st.lists(st.sampled_from(["alpha", "beta", "gamma"]), max_size=40).map(" ".join), max_size=12))
def test_folding_loses_nothing_and_folding_again_changes_nothing(texts):
    passages = [passage(id, text) for id, text in enumerate(texts)]

    folds = fold_duplicates(passages)

    assert sorted(item.id for fold in folds for item in (fold.shown, *fold.duplicates)) == list(range(len(texts)))
    again = fold_duplicates([fold.shown for fold in folds])
    assert [fold.shown for fold in again] == [fold.shown for fold in folds]
