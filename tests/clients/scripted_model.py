"""A language model that does what a test says, as far as a client can tell.

What is said decides: each prompt that a test knows has its steps, whoever says it and in whichever session, so that a
resumed session, a compacted one and a subagent's need nothing more. One loopback server speaks the protocols of
`wires`. It is the client's proxy as well, one that lets nothing out.
"""

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs
from model_wires import Answer, AnthropicMessages, Offer, OpenAIResponses, Reply, Wire, strings
from wire_chat import OpenAIChat
from wire_gemini import GeminiContents

__all__ = ["PROMPT", "Call", "Meanwhile", "ModelRequest", "Say", "ScriptedModel", "Step", "serve_model"]

PROMPT = "Do what is to be done."
"""What the user says where a test has nothing to say."""

WIRES: Mapping[str, Wire] = {
    "/v1/messages": AnthropicMessages(),
    "/v1/responses": OpenAIResponses(),
    "/v1/chat/completions": OpenAIChat(),
    ":generateContent": GeminiContents(is_stream=False),
    ":streamGenerateContent": GeminiContents(is_stream=True),
}
"""By the path that it is asked at, or by its end, where the path names the model."""

_SAID = "That is done."


@attrs.frozen
class Call:
    """Call a tool.

    Attributes:
        tool: One of the server's by the server's own name for it, or one that the client brings along.
        arguments: What it is given, which may depend on the results so far.
    """

    tool: str
    arguments: Mapping[str, object] | Callable[[Sequence[str]], Mapping[str, object]] = attrs.field(factory=dict)


@attrs.frozen
class Meanwhile:
    """Do something on the device before the model goes on."""

    act: Callable[[], object]


@attrs.frozen
class Say:
    """Answer in words, which ends the turn.

    Attributes:
        tokens: How full the client is told that the conversation is.
    """

    text: str = _SAID
    tokens: int = 1000


Step = Call | Meanwhile | Say | Sequence[Call]
"""What the model does next; several calls at once are made in one answer. Where no step is left, it says so."""


@attrs.frozen
class ModelRequest:
    """What a client showed the model.

    Attributes:
        prompt: The one that the model follows the script of.
        tools: What was offered of the server, by the server's own names.
        results: What the calls since that prompt gave, in their order.
        texts: Every string of the request, wherever it stands.
    """

    prompt: str
    tools: frozenset[str]
    results: tuple[str, ...]
    texts: tuple[str, ...]


class ScriptedModel:
    """Follows scripts.

    Attributes:
        requests: What the model was shown since it was told what to do, as far as it knew what was said.
        faults: What went wrong while serving.
        is_done: Whether it has said its last word to the prompt that it was told of.
    """

    def __init__(self, prefix: str) -> None:
        """Know the tools of the server by what the client puts before their names."""
        self.url = ""
        self.requests: list[ModelRequest] = []
        self.faults: list[BaseException] = []
        self.is_done = False
        self._prompt = ""
        self._prefix = prefix
        self._scripts: dict[str, list[Step]] = {}
        self._lock = threading.Lock()

    def follow(
        self, steps: Sequence[Step], *, prompt: str = PROMPT, others: Mapping[str, Sequence[Step]] | None = None
    ) -> None:
        """Begin anew.

        Args:
            prompt: What the user will say, or the beginning of it.
            others: What is to be done when something else is said: by the client itself, or to a subagent.
        """
        self._scripts = {said: list(steps) for said, steps in {**(others or {}), prompt: steps}.items()}
        self.requests = []
        self.is_done = False
        self._prompt = prompt

    def answer(self, wire: Wire, body: Mapping[str, Any]) -> Reply:
        """The model's next answer, in the protocol of the request."""
        offer = wire.read(body)
        prompt, results = self._place(offer)
        ours = {name.removeprefix(self._prefix) for name in offer.tools if name.startswith(self._prefix)}
        request = ModelRequest(prompt, frozenset(ours), results, tuple(strings(body)))
        with self._lock:
            if prompt:
                self.requests.append(request)
            step = self._next(request)
        if isinstance(step, Say):
            self.is_done |= prompt == self._prompt and bool(offer.tools)
            return wire.write(body, Answer(text=step.text, tokens=step.tokens))
        calls = tuple((self._called(call, offer), _given(call, results)) for call in step)
        return wire.write(body, Answer(calls=calls))

    def _place(self, offer: Offer) -> tuple[str, tuple[str, ...]]:
        """The latest prompt that is known, and the results that came after it."""
        for place, said in reversed([*enumerate(offer.said)]):
            for prompt in sorted(self._scripts, key=len, reverse=True):
                if not said.is_result and prompt in said.text:
                    return prompt, tuple(later.text for later in offer.said[place:] if later.is_result)
        return "", ()

    def _next(self, request: ModelRequest) -> Sequence[Call] | Say:
        done = len(request.results)
        steps = self._scripts.get(request.prompt, [])
        for step in list(steps):
            if isinstance(step, Say):
                return step
            if not request.tools:
                continue
            if isinstance(step, Meanwhile):
                if done == 0:
                    steps.remove(step)
                    step.act()
                continue
            calls = [step] if isinstance(step, Call) else step
            if done == 0:
                return calls
            done -= len(calls)
        return Say()

    def _called(self, call: Call, offer: Offer) -> Mapping[str, str]:
        for name in (self._prefix + call.tool, call.tool):
            if name in offer.tools:
                return offer.tools[name]
        raise LookupError(f"the client offers no tool {call.tool}: {sorted(offer.tools)}")


def _given(call: Call, results: Sequence[str]) -> Mapping[str, object]:
    return call.arguments(results) if callable(call.arguments) else call.arguments


@contextmanager
def serve_model(prefix: str) -> Iterator[ScriptedModel]:
    """Serve a model on loopback.

    Args:
        prefix: What the client puts before the names of our server's tools.
    """
    model = ScriptedModel(prefix)
    httpd = _Server(model)
    model.url = f"http://127.0.0.1:{httpd.server_address[1]}"
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, model: ScriptedModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model = model

    def handle_error(self, _request: Any, _client_address: Any) -> None:
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            self.model.faults.append(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing on stderr."""

    def do_CONNECT(self) -> None:
        self._answer(403, b"")

    def do_GET(self) -> None:
        self._answer(404, b"{}")

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.partition("?")[0]
        wire = WIRES.get(path) or WIRES.get(f":{path.rpartition(':')[2]}")
        if wire is None:
            self.do_GET()
            return
        reply = self.server.model.answer(wire, json.loads(raw))
        self._answer(200, reply.body, reply.kind)

    def _answer(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.close_connection = True
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
