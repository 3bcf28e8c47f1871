"""Checks of the group ``imprint.language_models``."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from types import MappingProxyType, ModuleType
from typing import Any, Final

import attrs

from imprint.errors import ImprintError, LanguageModelTimeoutError
from imprint.plugins import LanguageModel, LanguageModelInfo, LanguageModelSettings, ModelAnswer, ModelQuestion
from imprint.plugins.handles import PluginHandle
from imprint.testing.conformance import Check, CheckFailedError, ensure, make_checks
from imprint.testing.endpoints import Pace, ReceivedRequest, Reply, StandInEndpoint, completion, serve_endpoint
from imprint.testing.probes import find_calls_of_opening
from imprint.testing.subjects import ensure_description_is_light, ensure_description_reads_well, hold

__all__ = ["language_model_checks"]

_SCHEMA: Final = {"type": "object", "properties": {"found": {"type": "boolean"}}, "required": ["found"]}
_QUESTION: Final = ModelQuestion(
    instructions="Say whether the text names a fruit, as JSON.",
    text="green apples\nand a loaf of bread",
    schema=_SCHEMA,
)
_STRANGE_TEXTS: Final = ("", " \n\t padded \n", '{"found": tru', "記憶は端末に残る 🦊", "\0\x1b[31m", "a" * 50_000)
_FAULTS: Final = (
    Reply(status=500, body=b"model crashed"),
    Reply(status=404, body=b'{"error": "model not found"}'),
    Reply(status=204),
    Reply(body=b""),
    Reply(body=b"<html>"),
    Reply(body=b'\xff\xfe"'),
    Reply(body=b"[" * 100_000),
    Reply(body=b"[]"),
    Reply(body=b"null"),
    Reply(body=b'{"choices": []}'),
    Reply(body=b'{"choices": [{"message": {"content": null}}]}'),
    Reply(body=b'{"choices": [{"message": {"content": ["text"]}}]}'),
    Reply(body=b'{"choices": {"0": 1}}'),
)
_MODEL: Final = "asked-for"
_KEY: Final = "key-of-the-check-0123456789"
_TIMEOUT_SECONDS: Final = 1
_MOST_SECONDS: Final = 4.0
_MOST_READ: Final = 16 << 20
_PROXY_VARIABLES: Final = ("http_proxy", "https_proxy", "all_proxy")


@attrs.frozen
class _Subject:
    handle: PluginHandle
    settings: LanguageModelSettings

    @property
    def info(self) -> LanguageModelInfo:
        info: LanguageModelInfo = self.handle.call("describe_language_model")
        return info

    @contextmanager
    def open(self, **changes: Any) -> Iterator[LanguageModel]:
        settings = attrs.evolve(self.settings, **changes)
        with self.handle.call("open_language_model", settings=settings) as model:
            yield model

    @contextmanager
    def served(
        self, reply: Callable[[ReceivedRequest], Reply], **changes: Any
    ) -> Iterator[tuple[LanguageModel, StandInEndpoint]]:
        with serve_endpoint(reply) as endpoint, self.open(url=endpoint.url, model=_MODEL, **changes) as model:
            yield model, endpoint


def language_model_checks(
    plugin: ModuleType,
    *,
    settings: LanguageModelSettings | None = None,
    expected_failures: Mapping[str, str] = MappingProxyType({}),
) -> list[Check]:
    """Make the checks of a language model; one that has an endpoint is held to more, with a program that stands in.

    Args:
        plugin: The plugin's module.
        settings: What to open it with, where it has no endpoint: a model that lies on this machine.
        expected_failures: Names of checks that this plugin is known to fail, with the reason.

    Raises:
        PluginInvalidError: The module does not fit the group, so there is nothing to check.
    """
    subject = _Subject(hold(plugin, "imprint.language_models"), settings or LanguageModelSettings())
    promises = [describes_itself, describing_is_light, opening_asks_nobody, answers_a_question]
    if subject.info.has_endpoint:
        promises += [
            question_arrives_whole,
            answer_comes_back_as_it_was_written,
            every_question_is_a_new_one,
            faults_are_typed_errors,
            waits_no_longer_than_it_may,
            endless_answer_is_not_read_on,
            redirect_is_not_followed,
            proxies_are_not_asked,
            key_is_sent_and_never_told,
        ]
    return make_checks(promises, subject, expected_failures)


def describes_itself(subject: _Subject) -> None:
    """The plugin has a name of one word and a summary of one line.

    If this fails, look at ``describe_language_model``.
    """
    ensure_description_reads_well(subject.info)


def describing_is_light(subject: _Subject) -> None:
    """Listing plugins loads no engine: the standard library, attrs and the plugin's own package are enough.

    If this fails, look at the imports at the top of the plugin's module and move them into ``open_language_model``.
    """
    ensure_description_is_light(subject.handle, "describe_language_model")


def opening_asks_nobody(subject: _Subject) -> None:
    """Opening reaches out to nobody: what is opened may never be asked.

    If this fails, look at what ``open_language_model`` does before it gives the model back.
    """
    calls = find_calls_of_opening(subject.handle.module.__name__, subject.settings.model)
    ensure(not calls, f"it called {', '.join(calls)}")


def answers_a_question(subject: _Subject) -> None:
    """A question has an answer: a text, and the name of who gave it.

    If this fails, look at what ``answer`` returns.
    """
    with serve_endpoint(_always(completion('{"found": true}'))) as endpoint:
        changes = {"url": endpoint.url, "model": _MODEL} if subject.info.has_endpoint else {}
        with subject.open(**changes) as model:
            answer: Any = model.answer(_QUESTION)
    ensure(isinstance(answer, ModelAnswer), f"it is a {type(answer).__name__}, not a ModelAnswer")
    ensure(isinstance(answer.text, str) and answer.text, f"the text is {answer.text!r:.80}")
    ensure(isinstance(answer.model, str) and answer.model.strip(), f"the model is {answer.model!r:.80}")


def question_arrives_whole(subject: _Subject) -> None:
    """The program is asked for the model that was set: the instructions are the system's word, the text the user's.

    If this fails, look at how ``answer`` makes the request: nothing is added, cut or trimmed, and the two stay apart.
    """
    with subject.served(_always(completion("{}"))) as (model, endpoint):
        for text in (_QUESTION.text, *filter(None, _STRANGE_TEXTS)):
            model.answer(attrs.evolve(_QUESTION, text=text))
            request = endpoint.requests[-1]
            ensure(request.path == "/v1/chat/completions", f"it asked for {request.path}")
            ensure(request.body.get("model") == _MODEL, f"it asked the model {request.body.get('model')!r}")
            ensure(request.contents("system") == [_QUESTION.instructions], "the system's message is another")
            ensure(request.contents("user") == [text], f"the user's message is not {text!r:.80}")


def answer_comes_back_as_it_was_written(subject: _Subject) -> None:
    """The text of an answer is what the model wrote, whatever that is.

    If this fails, look for trimming or repairing in ``answer``: whoever asked decides what is of use.
    """
    for text in _STRANGE_TEXTS:
        with subject.served(_always(completion(text))) as (model, _):
            answer = model.answer(_QUESTION)
            ensure(answer.text == text, f"{answer.text!r:.80} instead of {text!r:.80}")


def every_question_is_a_new_one(subject: _Subject) -> None:
    """A question holds nothing of the one before: that may belong to another workspace.

    If this fails, look for a list of messages that outlives a call of ``answer``.
    """
    with subject.served(_always(completion("{}"))) as (model, endpoint):
        model.answer(attrs.evolve(_QUESTION, text="the first text"))
        model.answer(attrs.evolve(_QUESTION, text="the second text"))
        ensure("the first text" not in str(endpoint.requests[-1].body), "the second request holds the first text")


def faults_are_typed_errors(subject: _Subject) -> None:
    """Whatever is wrong with an answer, or that nobody is there, is told as an error of Imprint's.

    If this fails, look at what ``answer`` assumes of a status or a body, and at the errors of the HTTP library.
    """
    for reply in _FAULTS:
        with subject.served(_always(reply)) as (model, _):
            _ensure_typed(model, f"HTTP {reply.status} {reply.body[:40]!r}")
    with serve_endpoint(_always(completion("{}"))) as endpoint:
        url = endpoint.url
    with subject.open(url=url, model=_MODEL) as model:
        _ensure_typed(model, "a port where nobody listens")


def waits_no_longer_than_it_may(subject: _Subject) -> None:
    """An answer that does not come, or comes byte by byte, ends with a `LanguageModelTimeoutError` in time.

    If this fails, look at the timeout: that of a socket begins anew with every byte, so the whole needs one of its own.
    """
    for pace in (Pace.NEVER, Pace.DRIPPING):
        reply = attrs.evolve(completion("{}"), pace=pace)
        with subject.served(_always(reply), timeout_seconds=_TIMEOUT_SECONDS) as (model, _):
            begun = time.monotonic()
            try:
                model.answer(_QUESTION)
            except LanguageModelTimeoutError:
                seconds = time.monotonic() - begun
                ensure(seconds < _MOST_SECONDS, f"{seconds:.1f} s for {_TIMEOUT_SECONDS} s ({pace})")
                continue
            raise CheckFailedError(f"it waited for an answer that came {pace}")


def endless_answer_is_not_read_on(subject: _Subject) -> None:
    """An answer that never ends is given up before it fills the memory.

    If this fails, look at how the body is read: up to a limit, whatever the program says its length is.
    """
    with subject.served(_always(Reply(body=b"a" * 65_536, pace=Pace.ENDLESS))) as (model, endpoint):
        with suppress(Exception):
            model.answer(_QUESTION)
        ensure(endpoint.sent <= _MOST_READ, f"it read {endpoint.sent >> 20} MiB")


def redirect_is_not_followed(subject: _Subject) -> None:
    """A program that sends elsewhere is not obeyed: elsewhere may be another machine.

    If this fails, look at the HTTP library: most follow redirects unless told not to.
    """
    with serve_endpoint(_always(completion("{}"))) as elsewhere:
        for status in (301, 302, 303, 307, 308):
            reply = Reply(status=status, headers={"Location": f"{elsewhere.url}/chat/completions"})
            with subject.served(_always(reply)) as (model, _), suppress(Exception):
                model.answer(_QUESTION)
            ensure(not elsewhere.requests, f"it followed HTTP {status}")


def proxies_are_not_asked(subject: _Subject) -> None:
    """A proxy that the environment names is not told anything: it may be another machine.

    If this fails, look at the HTTP library: most read ``http_proxy`` unless told not to.
    """
    with (
        serve_endpoint(_always(completion("{}"))) as proxy,
        _environment_with_proxy(proxy.url),
        subject.served(_always(completion("{}"))) as (model, endpoint),
    ):
        with suppress(Exception):
            model.answer(_QUESTION)
        ensure(not proxy.requests, "it asked the proxy")
        ensure(endpoint.requests, "it did not ask the program")


def key_is_sent_and_never_told(subject: _Subject) -> None:
    """The key goes to the program as a bearer's, and into no error.

    If this fails, look at the header ``Authorization``, and at what an error of yours quotes.
    """
    with subject.served(_always(Reply(status=401, body=_KEY.encode())), api_key=_KEY) as (model, endpoint):
        told = ""
        try:
            model.answer(_QUESTION)
        except ImprintError as error:
            told = f"{error} {error.hint}"
        ensure(endpoint.requests[0].headers.get("authorization") == f"Bearer {_KEY}", "the key was not sent")
        ensure(_KEY not in told, "an error tells the key")


def _always(reply: Reply) -> Callable[[ReceivedRequest], Reply]:
    return lambda _: reply


def _ensure_typed(model: LanguageModel, what: str) -> None:
    try:
        model.answer(_QUESTION)
    except ImprintError:
        return
    raise CheckFailedError(f"{what} was taken for an answer")


@contextmanager
def _environment_with_proxy(url: str) -> Iterator[None]:
    names = [spelled for name in (*_PROXY_VARIABLES, "no_proxy") for spelled in (name, name.upper())]
    before = {name: os.environ.pop(name) for name in names if name in os.environ}
    os.environ.update(dict.fromkeys(_PROXY_VARIABLES, url))
    try:
        yield
    finally:
        for name in _PROXY_VARIABLES:
            os.environ.pop(name, None)
        os.environ.update(before)
