"""A language model for one run: opened with the first question, closed at the end, given up where nobody is there."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from imprint.domain.insights import Said
from imprint.errors import ImprintError, LanguageModelAnswerError, LanguageModelUnreachableError
from imprint.plugins import ModelQuestion
from imprint.services.model_readings import ModelReader
from imprint.testing.language_models import FakeLanguageModel

NOTHING = json.dumps({"insights": [], "outcome": []})


class Bench:
    """A reader, and what happened around its model."""

    def __init__(self, *replies: str | ImprintError):
        self.replies = list(replies)
        self.model = FakeLanguageModel(self.reply)
        self.events: list[str] = []
        self.noted: list[ImprintError] = []
        self.reader = ModelReader(open_model=self.open, most_characters=2_000, note_failure=self.noted.append)

    def reply(self, _: ModelQuestion) -> str:
        reply = self.replies.pop(0)
        if isinstance(reply, ImprintError):
            raise reply
        return reply

    @contextmanager
    def open(self) -> Iterator[FakeLanguageModel]:
        self.events.append("opened")
        yield self.model
        self.events.append("closed")

    def read(self, text: str = "Tabs it is, for every file."):
        window = self.reader.new_window()
        window.add(0, Said(speaker="user", text=text, reference="line 1"))
        return self.reader.read(window)


def gone() -> LanguageModelUnreachableError:
    return LanguageModelUnreachableError("http://127.0.0.1:9", "refused")


def test_a_model_is_opened_once_and_closed_at_the_end():
    bench = Bench(NOTHING, NOTHING)

    with bench.reader:
        assert bench.events == []
        bench.read()
        bench.read()
        assert bench.events == ["opened"]

    assert bench.events == ["opened", "closed"]
    assert bench.reader.failures == 0


def test_where_nothing_was_said_nobody_is_asked():
    bench = Bench()

    with bench.reader:
        assert bench.read("```\ncode\n```") is None

    assert bench.events == []


def test_three_times_nobody_is_enough_and_every_conversation_counts():
    bench = Bench(gone(), gone(), gone(), NOTHING)

    with bench.reader:
        assert [bench.read() for _ in range(5)] == [None] * 5

    assert (len(bench.model.questions), bench.reader.failures, len(bench.noted)) == (3, 5, 3)


@pytest.mark.parametrize("between", [NOTHING, "no JSON"])
def test_an_answer_of_any_kind_shows_that_somebody_is_there(between: str):
    bench = Bench(gone(), gone(), between, gone(), gone(), NOTHING)

    with bench.reader:
        readings = [bench.read() for _ in range(6)]

    assert readings[-1] is not None
    assert isinstance(bench.reader.last_failure, LanguageModelUnreachableError)


def test_answers_that_cannot_be_used_do_not_end_the_asking():
    bench = Bench(*["no JSON"] * 4, NOTHING)

    with bench.reader:
        readings = [bench.read() for _ in range(5)]

    assert (readings[:4], readings[4] is None) == ([None] * 4, False)
    assert {type(error) for error in bench.noted} == {LanguageModelAnswerError}
