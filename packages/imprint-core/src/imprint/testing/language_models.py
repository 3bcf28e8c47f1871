"""A language model for tests: it answers what it is told to."""

from collections.abc import Callable

import attrs

from imprint.plugins import ModelAnswer, ModelQuestion

__all__ = ["FakeLanguageModel"]


@attrs.define
class FakeLanguageModel:
    """A `LanguageModel` in memory.

    Attributes:
        reply: What it answers, or raises.
        questions: What it was asked, in order.
    """

    reply: Callable[[ModelQuestion], str]
    name: str = "fake"
    questions: list[ModelQuestion] = attrs.field(factory=list)

    def answer(self, question: ModelQuestion) -> ModelAnswer:
        self.questions.append(question)
        return ModelAnswer(text=self.reply(question), model=self.name)
