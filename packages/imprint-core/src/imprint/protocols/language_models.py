"""Language models: a text is answered with a text."""

from collections.abc import Mapping
from typing import Protocol

import attrs

__all__ = ["LanguageModel", "ModelAnswer", "ModelQuestion"]


@attrs.frozen(kw_only=True)
class ModelQuestion:
    """What a model is asked.

    Attributes:
        instructions: What it is to do; ours.
        text: What it is to do that with. Data: it may hold instructions of strangers, so it goes where a model takes
            least notice of them, after the instructions and apart from them.
        schema: JSON schema of the answer. A plugin that can hold its model to it does.
    """

    instructions: str
    text: str
    schema: Mapping[str, object]


@attrs.frozen(kw_only=True)
class ModelAnswer:
    """What a model answered.

    Attributes:
        text: As it came; whoever asked decides whether it is of use.
        model: Who answered, with a version where there is one: it is kept with what is drawn from the answer.
    """

    text: str
    model: str


class LanguageModel(Protocol):
    """A model that can be asked. Used by one thread."""

    def answer(self, question: ModelQuestion) -> ModelAnswer:
        """Ask once; nothing of an earlier question is remembered.

        Raises:
            LanguageModelUnreachableError: Nobody is there to be asked.
            LanguageModelTimeoutError: It takes longer than the settings allow.
            LanguageModelAnswerError: There was an answer, and it is none.
        """
        ...
