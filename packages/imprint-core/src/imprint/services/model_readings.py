"""A language model reads conversations for one run; where it fails, it is said so once and the rules read instead."""

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Self

import attrs

from imprint.domain.model_insights import ANSWER_SCHEMA, INSTRUCTIONS, ModelReading, Window, read_answer
from imprint.errors import ImprintError, LanguageModelAnswerError
from imprint.protocols.language_models import LanguageModel, ModelQuestion

__all__ = ["ModelReader"]

_MOST_IN_A_ROW = 3
"""A model that was not there so often is not asked again in this run: each time may take as long as an answer."""


@attrs.define(kw_only=True)
class ModelReader:
    """Asks a model; a context manager, which opens it with the first question and closes it at the end.

    Attributes:
        open_model: Opens the chosen model.
        most_characters: What is sent at once.
        note_failure: Told of each conversation that the model did not read.
        failures: How many those are.
        last_failure: Of the last of them.
    """

    open_model: Callable[[], AbstractContextManager[LanguageModel]]
    most_characters: int
    note_failure: Callable[[ImprintError], None]
    failures: int = attrs.field(init=False, default=0)
    last_failure: ImprintError | None = attrs.field(init=False, default=None)
    _opened: LanguageModel | None = attrs.field(init=False, default=None)
    _in_a_row: int = attrs.field(init=False, default=0)
    _resources: ExitStack = attrs.field(init=False, factory=ExitStack)

    def new_window(self) -> Window:
        """Room for what a question can hold."""
        return Window(self.most_characters)

    def read(self, window: Window) -> ModelReading | None:
        """What the model finds; `None` where nothing was said, or the model fails in any way."""
        text = window.shown
        if not text:
            return None
        if self.last_failure is not None and self._in_a_row >= _MOST_IN_A_ROW:
            self.failures += 1
            return None
        try:
            answer = self._open().answer(ModelQuestion(instructions=INSTRUCTIONS, text=text, schema=ANSWER_SCHEMA))
            self._in_a_row = 0
            return read_answer(answer.text, window, model=answer.model)
        except ImprintError as error:
            self._in_a_row = 0 if isinstance(error, LanguageModelAnswerError) else self._in_a_row + 1
            self.failures += 1
            self.last_failure = error
            self.note_failure(error)
            return None

    def _open(self) -> LanguageModel:
        if self._opened is None:
            self._opened = self._resources.enter_context(self.open_model())
        return self._opened

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._resources.close()
        except ImprintError as close_error:
            self.note_failure(close_error)
