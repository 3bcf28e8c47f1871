"""What search finds in a small library, so that no change loses it unnoticed (`benchmarks/retrieval.py` measures)."""

import json
import re
from pathlib import Path, PurePosixPath
from statistics import fmean
from typing import Any

import pytest

from imprint.domain.sources import Chunk, MemoryKind, Source, SourceKey, SourceKind

LIBRARY = json.loads((Path(__file__).parents[2] / "samples" / "retrieval" / "heron.json").read_text("utf-8"))


@pytest.fixture
def library(searcher):
    for passage in LIBRARY["passages"]:
        searcher.add(*sourced(passage))
    searcher.embed()
    return searcher


def sourced(passage: dict[str, Any]) -> tuple[Source, Chunk]:
    kind = passage["kind"]
    is_memory = kind in {*MemoryKind}
    source = Source(
        key=SourceKey(passage["id"]),
        kind=SourceKind.MEMORY if is_memory else SourceKind(kind),
        memory_kind=MemoryKind(kind) if is_memory else None,
        path=PurePosixPath("/heron/source") if kind == "code" else None,
    )
    return source, Chunk(text=passage["text"], symbol=passage["symbol"])


def test_questions_find_their_passage_and_others_find_nothing(library):
    """The floors lie a question or two below what was reached when they were set: 38, 39 and 14."""
    ranks = []
    for question in LIBRARY["questions"]:
        keys = [result.passage.source.key for result in library.find(question["question"]).results]
        ranks.append(keys.index(question["answer"]) + 1 if question["answer"] in keys else 0)
    turned_down = [not library.find(question).relevant for question in LIBRARY["unanswerable"]]

    assert fmean(rank == 1 for rank in ranks) >= 0.9, missed(ranks, 1)
    assert fmean(0 < rank <= 5 for rank in ranks) >= 0.95, missed(ranks, 5)
    assert fmean(turned_down) >= 0.8, [
        question for question, turned in zip(LIBRARY["unanswerable"], turned_down, strict=True) if not turned
    ]


def test_questions_with_a_misspelled_word_find_their_passage_nearly_as_often(library):
    """The floors lie a question below what was reached when they were set: 35 and 36; without corrections 25 and 26."""
    ranks = []
    for question in LIBRARY["questions"]:
        keys = [result.passage.source.key for result in library.find(misspelled(question["question"])).results]
        ranks.append(keys.index(question["answer"]) + 1 if question["answer"] in keys else 0)

    assert fmean(rank == 1 for rank in ranks) >= 0.85, missed(ranks, 1)
    assert fmean(0 < rank <= 5 for rank in ranks) >= 0.87, missed(ranks, 5)


def misspelled(question: str) -> str:
    """Two letters in the middle of the longest word have changed places."""
    word = max(re.findall(r"[A-Za-z]+", question), key=len)
    middle = len(word) // 2
    return question.replace(word, word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :])


def missed(ranks: list[int], depth: int) -> list[str]:
    return [
        f"{rank}: {question['question']}"
        for question, rank in zip(LIBRARY["questions"], ranks, strict=True)
        if not 0 < rank <= depth
    ]
