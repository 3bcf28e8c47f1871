"""LoCoMo: long conversations, and questions with the turns that answer them.

The data set is licensed CC BY-NC 4.0: measure with it, never ship it. It is read from wherever the user keeps it.
"""

import json
import re
from pathlib import Path

import attrs

from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind

__all__ = ["Conversation", "Question", "load_conversations", "session_of"]

_ADVERSARIAL = 5
"""The category of questions that nothing answers; they have no turns to be found."""

_NEIGHBOURS = (-2, -1, 1, 2)


@attrs.frozen
class Question:
    """A question and the turns that answer it, as (session, place in it)."""

    text: str
    turns: frozenset[tuple[int, int]]

    @property
    def sessions(self) -> frozenset[int]:
        return frozenset(session for session, _ in self.turns)


@attrs.frozen
class Conversation:
    """Sessions as sources, turns as chunks; a chunk's place is its ordinal."""

    name: str
    sources: list[tuple[Source, list[Chunk]]]
    questions: list[Question]


def load_conversations(path: Path) -> list[Conversation]:
    """Read the data set's JSON file."""
    return [_conversation(sample) for sample in json.loads(path.read_text("utf-8"))]


def session_of(key: SourceKey) -> int:
    """The session's number in a source's key."""
    return int(key.rpartition("/")[2])


def _conversation(sample: dict) -> Conversation:
    parts = sample["conversation"]
    numbers = sorted(
        int(key.split("_")[1]) for key, value in parts.items() if re.fullmatch(r"session_\d+", key) and value
    )
    sources = []
    places: dict[str, tuple[int, int]] = {}
    for number in numbers:
        turns = parts[f"session_{number}"]
        date = re.sub(r"^.* on ", "", parts.get(f"session_{number}_date_time", ""))
        texts = [_text(turn, date) for turn in turns]
        places.update((_normal(turn["dia_id"]), (number, place)) for place, turn in enumerate(turns))
        source = Source(key=SourceKey(f"locomo:{sample['sample_id']}/{number}"), kind=SourceKind.CONVERSATION)
        sources.append((source, [Chunk(text=text, context=_context(texts, place)) for place, text in enumerate(texts)]))
    questions = []
    for question in sample["qa"]:
        evidence = re.findall(r"D\d+:\d+", " ".join(question.get("evidence", [])))
        turns = frozenset(places[id] for id in map(_normal, evidence) if id in places)
        if turns and question["category"] != _ADVERSARIAL:
            questions.append(Question(question["question"], turns))
    return Conversation(sample["sample_id"], sources, questions)


def _text(turn: dict, date: str) -> str:
    photo = f" [shares a photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return f"[{date}] {turn['speaker']}: {turn['text']}{photo}"


def _context(texts: list[str], place: int) -> str:
    return "\n".join(texts[place + step] for step in _NEIGHBOURS if 0 <= place + step < len(texts))


def _normal(id: str) -> str:
    session, turn = id[1:].split(":")
    return f"D{int(session)}:{int(turn)}"
