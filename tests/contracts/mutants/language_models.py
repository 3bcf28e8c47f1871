"""Broken language models, each named after the one check that it fails."""

import urllib.request
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

import attrs
from mutants import heavy_language_model, phoning_language_model, sound_language_model
from mutants.making import replace_hooks, wrap_resource

from imprint.errors import LanguageModelAnswerError, LanguageModelTimeoutError
from imprint.plugins import LanguageModelInfo

SOUND = sound_language_model


class _Wrapped:
    def __init__(self, settings, model):
        self.settings = settings
        self.model = model

    def answer(self, question):
        return self.model.answer(question)


class _Nameless(_Wrapped):
    def answer(self, question):
        return attrs.evolve(super().answer(question), model="")


class _TrimsQuestions(_Wrapped):
    def answer(self, question):
        return super().answer(attrs.evolve(question, text=question.text.strip()))


class _TrimsAnswers(_Wrapped):
    def answer(self, question):
        answer = super().answer(question)
        return attrs.evolve(answer, text=answer.text.strip())


class _Remembers(_Wrapped):
    before = ""

    def answer(self, question):
        with_history = attrs.evolve(question, instructions=question.instructions + self.before)
        if question.text.startswith("the "):
            self.before += question.text
        return super().answer(with_history)


class _RaisesItsOwn(_Wrapped):
    def answer(self, question):
        try:
            return super().answer(question)
        except LanguageModelAnswerError as error:
            if "no chat completion" in error.reason:
                raise ValueError(str(error)) from error
            raise


class _TriesAgain(_Wrapped):
    def answer(self, question):
        try:
            return super().answer(question)
        except LanguageModelTimeoutError:
            return (
                SOUND.open_language_model(attrs.evolve(self.settings, timeout_seconds=60)).__enter__().answer(question)
            )


class _AfterAFault(_Wrapped):
    def answer(self, question):
        try:
            return super().answer(question)
        except LanguageModelAnswerError:
            with suppress(OSError, HTTPException):
                self.look()
            raise


class _ReadsOn(_AfterAFault):
    def look(self):
        connection = HTTPConnection(urlsplit(self.settings.url).netloc, timeout=5)
        connection.request("POST", "/v1/chat/completions")
        connection.getresponse().read()
        connection.close()


class _FollowsRedirects(_AfterAFault):
    def look(self):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        opener.open(f"{self.settings.url}/chat/completions", timeout=5).close()


class _AsksProxies(_Wrapped):
    def answer(self, question):
        if urllib.request.getproxies():
            with suppress(OSError):
                urllib.request.urlopen(self.settings.url, timeout=5).close()
        return super().answer(question)


class _TellsTheKey(_Wrapped):
    def answer(self, question):
        try:
            return super().answer(question)
        except LanguageModelAnswerError as error:
            raise LanguageModelAnswerError(error.model, f"{error.reason} with {self.settings.api_key}") from error


def _opening(wrap):
    return wrap_resource(SOUND, "open_language_model", wrap)


def _two_line_summary():
    return LanguageModelInfo(name="sound", summary="Two\nlines", has_endpoint=True)


MUTANTS = {
    "describes-itself": replace_hooks(SOUND, describe_language_model=_two_line_summary),
    "describing-is-light": heavy_language_model,
    "opening-asks-nobody": phoning_language_model,
    "answers-a-question": _opening(_Nameless),
    "question-arrives-whole": _opening(_TrimsQuestions),
    "answer-comes-back-as-it-was-written": _opening(_TrimsAnswers),
    "every-question-is-a-new-one": _opening(_Remembers),
    "faults-are-typed-errors": _opening(_RaisesItsOwn),
    "waits-no-longer-than-it-may": _opening(_TriesAgain),
    "endless-answer-is-not-read-on": _opening(_ReadsOn),
    "redirect-is-not-followed": _opening(_FollowsRedirects),
    "proxies-are-not-asked": _opening(_AsksProxies),
    "key-is-sent-and-never-told": _opening(_TellsTheKey),
}
