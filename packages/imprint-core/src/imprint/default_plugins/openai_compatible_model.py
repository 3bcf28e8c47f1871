"""A program with the OpenAI-compatible chat completions, as Ollama, llama.cpp, LM Studio and vLLM have them."""

import json
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import attrs

from imprint.default_plugins.plain_requests import post
from imprint.domain.endpoints import Endpoint, parse_endpoint
from imprint.errors import InvalidEndpointError, LanguageModelAnswerError
from imprint.plugins import (
    LanguageModel,
    LanguageModelInfo,
    LanguageModelSettings,
    ModelAnswer,
    ModelQuestion,
    hookimpl,
)

_MOST_TOKENS = 4_000
"""Of an answer: a small model may repeat itself for ever."""


@hookimpl
def describe_language_model() -> LanguageModelInfo:
    """Say what this language model is."""
    return LanguageModelInfo(
        name="openai-compatible",
        summary="A program on this machine that speaks as OpenAI's does: Ollama, llama.cpp, LM Studio, vLLM",
        has_endpoint=True,
    )


@hookimpl
def open_language_model(settings: LanguageModelSettings) -> AbstractContextManager[LanguageModel]:
    """Read the settings; the program is asked with the first question."""
    endpoint = parse_endpoint(settings.url)
    if not settings.model:
        raise InvalidEndpointError("language_model.model", "it is empty")
    return nullcontext(_ChatModel(endpoint, settings))


@attrs.frozen
class _ChatModel:
    endpoint: Endpoint
    settings: LanguageModelSettings

    def answer(self, question: ModelQuestion) -> ModelAnswer:
        request = {
            "model": self.settings.model,
            "messages": [
                {"role": "system", "content": question.instructions},
                {"role": "user", "content": question.text},
            ],
            "temperature": 0,
            "max_tokens": _MOST_TOKENS,
            "stream": False,
            # The one form that all four take: LM Studio refuses the older `json_object`.
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": question.schema},
            },
        }
        status, data = post(self.endpoint, "/chat/completions", json.dumps(request).encode(), self.settings)
        if status != 200:
            raise self._unusable(f"the program says HTTP {status}")
        try:
            completion = json.loads(data)
            text = completion["choices"][0]["message"]["content"]
            names = [completion.get("model"), completion.get("system_fingerprint")]
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            raise self._unusable("it is no chat completion") from None
        if not isinstance(text, str):
            raise self._unusable("it has no text")
        return ModelAnswer(text=text, model=_name(names) or self.settings.model)

    def _unusable(self, reason: str) -> LanguageModelAnswerError:
        return LanguageModelAnswerError(self.settings.model, reason)


def _name(names: list[Any]) -> str:
    """The model with what the program calls its version; Ollama's is the same for every model, and tells nothing."""
    return " ".join(name for name in names if isinstance(name, str) and name != "fp_ollama")
