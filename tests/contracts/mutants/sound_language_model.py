"""A language model that keeps every promise; mutants change one thing in it."""

from imprint.default_plugins import openai_compatible_model
from imprint.plugins import LanguageModelInfo, hookimpl


@hookimpl
def describe_language_model():
    return LanguageModelInfo(name="sound", summary="Keeps every promise", has_endpoint=True)


@hookimpl
def open_language_model(settings):
    return openai_compatible_model.open_language_model(settings)
