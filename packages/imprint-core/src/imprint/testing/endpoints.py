"""A program that stands in for one that runs language models: on loopback, it answers what a test says."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs

__all__ = ["MOST_SENT", "Pace", "ReceivedRequest", "Reply", "StandInEndpoint", "completion", "serve_endpoint"]

MOST_SENT = 64 << 20
"""So many bytes of an endless answer are sent to whoever reads on."""

_PATIENCE_SECONDS = 5.0
"""A program that never answers gives up then, so that no test waits for ever."""

_DRIP_SECONDS = 0.2


class Pace(StrEnum):
    """How an answer is sent."""

    AT_ONCE = "at once"
    NEVER = "never"
    DRIPPING = "dripping"
    ENDLESS = "endless"


@attrs.frozen(kw_only=True)
class ReceivedRequest:
    """What the program was asked.

    Attributes:
        path: As it stands in the request: an absolute address where the sender takes the program for a proxy.
        headers: By names in lower case.
        body: The JSON object; empty where there is none.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    def contents(self, role: str) -> list[str]:
        """The messages of a role."""
        return [message["content"] for message in self.body.get("messages", ()) if message["role"] == role]


@attrs.frozen(kw_only=True)
class Reply:
    """What it answers."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = attrs.field(factory=dict)
    pace: Pace = Pace.AT_ONCE


@attrs.define
class StandInEndpoint:
    """The program, while it runs.

    Attributes:
        url: What `LanguageModelSettings.url` is to be.
        requests: What it was asked, in order.
        sent: Bytes of endless answers.
    """

    reply: Callable[[ReceivedRequest], Reply]
    url: str = ""
    requests: list[ReceivedRequest] = attrs.field(factory=list)
    sent: int = 0
    _closing: threading.Event = attrs.field(factory=threading.Event)


def completion(text: str, *, model: str = "stand-in-model") -> Reply:
    """A chat completion, as a program would make it."""
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    body = {"id": "1", "object": "chat.completion", "model": model, "choices": [choice]}
    return Reply(body=json.dumps(body).encode(), headers={"Content-Type": "application/json"})


@contextmanager
def serve_endpoint(reply: Callable[[ReceivedRequest], Reply]) -> Iterator[StandInEndpoint]:
    """Run it on a free port of loopback."""
    endpoint = StandInEndpoint(reply)
    server = _Server(endpoint)
    endpoint.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint._closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, endpoint: StandInEndpoint) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.endpoint = endpoint

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: whoever asked may hang up at any time."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        endpoint = self.server.endpoint
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        request = ReceivedRequest(
            method=self.command,
            path=self.path,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=json.loads(raw) if raw else {},
        )
        endpoint.requests.append(request)
        self._send(endpoint.reply(request))

    def do_GET(self) -> None:
        self.do_POST()

    def do_CONNECT(self) -> None:
        self.do_POST()

    def _send(self, reply: Reply) -> None:
        endpoint = self.server.endpoint
        if reply.pace is Pace.NEVER:
            endpoint._closing.wait(_PATIENCE_SECONDS)
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.pace is not Pace.ENDLESS:
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if reply.pace is Pace.DRIPPING:
            for byte in reply.body[: int(_PATIENCE_SECONDS / _DRIP_SECONDS)]:
                self.wfile.write(bytes([byte]))
                endpoint._closing.wait(_DRIP_SECONDS)
        while reply.pace is Pace.ENDLESS and endpoint.sent < MOST_SENT:
            endpoint.sent += self.wfile.write(reply.body)
        if reply.pace is Pace.AT_ONCE:
            self.wfile.write(reply.body)
