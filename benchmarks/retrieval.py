"""How well search finds: LoCoMo's conversations, described functions, and questions that nothing answers.

    python benchmarks/retrieval.py [--locomo FILE] [--python FOLDER [--packages A,B]] [--javascript FOLDER]

Everything runs through the real store, embedder, vector backend and search. Each set is asked twice: as it is, and with
what search turns down counted as not found. ``IMPRINT_LOCOMO`` names the file of LoCoMo as well.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import random
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from statistics import fmean
from tempfile import TemporaryDirectory

from described_functions import DescribedFunction, find_functions
from devices import Device, open_device
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind, StoredChunk, WorkspaceName
from imprint.services.search import SearchRequest
from locomo import Conversation, load_conversations, session_of
from measure import emit

DEPTH = 50
ASKED_ELSEWHERE = 60
"""Questions a conversation is asked that belong to another."""

Sources = list[tuple[Source, list[Chunk]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--locomo", type=Path, default=os.environ.get("IMPRINT_LOCOMO"))
    parser.add_argument("--python", type=Path, default=Path(sysconfig.get_path("purelib")))
    parser.add_argument("--packages", default="", help="only these packages, with commas between")
    parser.add_argument("--javascript", type=Path)
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder, open_device(Path(folder)) as device:
        conversations = load_conversations(Path(arguments.locomo)) if arguments.locomo else []
        packages = tuple(filter(None, arguments.packages.split(",")))
        functions = {"python": find_functions(arguments.python, "python", 4_000, packages=packages)}
        if arguments.javascript:
            functions["javascript"] = find_functions(arguments.javascript, "javascript", 2_000)
        for conversation in conversations:
            device.fill(WorkspaceName(conversation.name), conversation.sources)
        for language, found in functions.items():
            device.fill(WorkspaceName(language), sources_of(found, language))
        if conversations:
            measure_conversations(device, conversations)
        for language, found in functions.items():
            measure_functions(device, language, found)
        measure_abstention(device, conversations, functions)


def measure_conversations(device: Device, conversations: Sequence[Conversation]) -> None:
    turns_at, sessions_at, reciprocal, refused = {5: [], 10: []}, {5: [], 10: []}, [], []
    for conversation in conversations:
        for question in conversation.questions:
            found = search(device, conversation.name, question.text)
            refused.append(not found)
            places = [(session_of(passage.source.key), passage.ordinal) for passage in found]
            sessions = list(dict.fromkeys(session for session, _ in places))
            for depth in (5, 10):
                turns_at[depth].append(share(question.turns, places[:depth]))
                sessions_at[depth].append(share(question.sessions, sessions[:depth]))
            reciprocal.append(reciprocal_rank(question.turns, places))
    facts = {"questions": len(reciprocal)}
    for depth in (5, 10):
        emit(f"locomo turns R@{depth}", fmean(turns_at[depth]), "share", **facts)
    emit("locomo turns MRR", fmean(reciprocal), "share", **facts)
    for depth in (5, 10):
        emit(f"locomo sessions R@{depth}", fmean(sessions_at[depth]), "share", **facts)


def measure_functions(device: Device, language: str, functions: Sequence[DescribedFunction]) -> None:
    ranks = []
    for function in functions:
        found = search(device, language, function.description)
        wanted = (function.path, function.name)
        places = [(passage.source.key, passage.chunk.symbol) for passage in found]
        ranks.append(places.index(wanted) + 1 if wanted in places else 0)
    for depth in (1, 10):
        hits = fmean(0 < rank <= depth for rank in ranks)
        emit(f"{language} functions R@{depth}", hits, "share", functions=len(functions))
    emit(
        f"{language} functions MRR", fmean(1 / rank if rank else 0 for rank in ranks), "share", functions=len(functions)
    )


def measure_abstention(
    device: Device, conversations: Sequence[Conversation], functions: dict[str, list[DescribedFunction]]
) -> None:
    """The share turned down: of questions that belong to a place, and of those that belong elsewhere."""
    chance = random.Random(1)
    spoken = {one.name: [question.text for question in one.questions] for one in conversations}
    described = {language: [function.description for function in found] for language, found in functions.items()}
    own = [(name, question) for name, questions in spoken.items() for question in questions]
    emit_refused(device, "a conversation's own questions", own)
    others = [
        (name, question)
        for name in spoken
        for question in chance.sample(
            [question for other, questions in spoken.items() if other != name for question in questions],
            ASKED_ELSEWHERE,
        )
    ]
    emit_refused(device, "another conversation's questions", others)
    for language, descriptions in described.items():
        emit_refused(
            device,
            f"descriptions of its own functions, asked of {language}",
            [(language, text) for text in descriptions],
        )
        emit_refused(
            device, f"questions about conversations, asked of {language}", [(language, text) for _, text in own]
        )
        emit_refused(
            device,
            f"descriptions of {language} functions, asked of conversations",
            [(name, text) for name in spoken for text in chance.sample(descriptions, min(30, len(descriptions)))],
        )


def emit_refused(device: Device, name: str, asked: Sequence[tuple[str, str]]) -> None:
    if asked:
        emit(f"turned down: {name}", fmean(not search(device, *one) for one in asked), "share", questions=len(asked))


def search(device: Device, workspace: str, question: str) -> list[StoredChunk]:
    """The passages found, best first; duplicates take the place of what they are folded into."""
    report = device.search.run(SearchRequest(query=question, workspaces=(WorkspaceName(workspace),), limit=DEPTH))
    return [passage for result in report.results for passage in (result.passage, *result.duplicates)]


def sources_of(functions: Iterable[DescribedFunction], language: str) -> Sources:
    chunks: dict[str, list[Chunk]] = {}
    for function in functions:
        chunks.setdefault(function.path, []).append(Chunk(text=function.code, symbol=function.name))
    return [
        (
            Source(key=SourceKey(path), kind=SourceKind.CODE, path=PurePosixPath(path), language=language),
            of_file,
        )
        for path, of_file in chunks.items()
    ]


def share(wanted: frozenset, found: Iterable) -> float:
    return len(wanted.intersection(found)) / len(wanted)


def reciprocal_rank(wanted: frozenset, found: Sequence) -> float:
    return next((1 / rank for rank, place in enumerate(found, start=1) if place in wanted), 0.0)


if __name__ == "__main__":
    main()
