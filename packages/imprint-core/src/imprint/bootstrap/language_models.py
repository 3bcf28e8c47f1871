"""The language model that the settings choose, if any: opened for a run of learning, and looked at by diagnosis."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

import attrs

from imprint.adapters.fault_logs import MODEL_LOG, note_fault, read_faults
from imprint.errors import ImprintError
from imprint.plugins.handles import PluginHandle
from imprint.plugins.language_models import LanguageModelSettings
from imprint.protocols.language_models import LanguageModel, ModelAnswer, ModelQuestion
from imprint.services.background_checks import check_language_model
from imprint.services.diagnose import Finding
from imprint.services.insights import InsightWriter
from imprint.services.model_readings import ModelReader

if TYPE_CHECKING:
    from imprint.bootstrap.application import Application

__all__ = ["diagnose_language_model", "open_insights"]

_HOOK = "open_language_model"


@contextmanager
def open_insights(application: "Application") -> Iterator[InsightWriter]:
    """What draws insights from conversations in one run: the rules, and the chosen model before them."""
    chosen = application.settings.language_model
    if not chosen.plugin:
        yield InsightWriter(redact=application.redact)
        return
    folder = str(application.data_folder.path)
    with ModelReader(
        open_model=lambda: _open_model(application),
        most_characters=chosen.max_characters,
        note_failure=lambda error: note_fault(folder, MODEL_LOG, (chosen.plugin,), error),
    ) as reader:
        yield InsightWriter(redact=application.redact, reader=reader)


def diagnose_language_model(application: "Application") -> Finding:
    """Open the chosen model, which asks nobody, and read what went wrong with it lately."""
    chosen = application.settings.language_model
    if not chosen.plugin:
        return check_language_model("")
    folder = application.data_folder
    faults = read_faults(str(folder.path), MODEL_LOG)
    name = " at ".join(filter(None, (chosen.model, chosen.url))) or chosen.plugin
    try:
        with _open_model(application):
            return check_language_model(name, faults=faults, log=str(folder.logs / MODEL_LOG))
    except ImprintError as error:
        return check_language_model(name, refusal=error)


@contextmanager
def _open_model(application: "Application") -> Iterator[LanguageModel]:
    chosen = application.settings.language_model
    handle = application.plugins.load("language_models", chosen.plugin)
    settings = LanguageModelSettings(
        url=chosen.url,
        model=chosen.model,
        api_key=application.environ.get(chosen.api_key_variable, "") if chosen.api_key_variable else "",
        timeout_seconds=chosen.timeout_seconds,
        allow_remote=chosen.allow_remote,
    )
    opened: AbstractContextManager[LanguageModel] = handle.call(_HOOK, settings=settings)
    with opened as model:
        yield _Guarded(handle, model)


@attrs.frozen
class _Guarded:
    """A plugin's model, whose faults are typed errors as those of its hooks are."""

    _handle: PluginHandle
    _model: LanguageModel

    def answer(self, question: ModelQuestion) -> ModelAnswer:
        return self._handle.guard(_HOOK, lambda: _checked(self._model.answer(question)))


def _checked(answer: object) -> ModelAnswer:
    if not isinstance(answer, ModelAnswer) or not all(isinstance(one, str) for one in (answer.text, answer.model)):
        raise TypeError(f"it answered with {type(answer).__name__}")
    return answer
