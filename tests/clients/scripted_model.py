"""A language model that does what a test says, as far as a client can tell.

One loopback server speaks the Anthropic Messages and the OpenAI Responses protocol, as much of each as a client needs
to call tools. It is the client's proxy as well, one that lets nothing out.
"""

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import attrs

__all__ = ["Call", "Meanwhile", "ModelRequest", "ScriptedModel", "Step", "serve_model"]


@attrs.frozen
class Call:
    """Call a tool of the server, by the server's own name for it."""

    tool: str
    arguments: Mapping[str, object] = attrs.field(factory=dict)


@attrs.frozen
class Meanwhile:
    """Do something on the device before the model goes on."""

    act: Callable[[], object]


Step = Call | Meanwhile | Sequence[Call]
"""What the model does next; several calls at once are made in one answer."""


@attrs.frozen
class ModelRequest:
    """What a client showed the model.

    Attributes:
        tools: What was offered, by the server's own names: what a call of it looks like in the client's protocol.
        results: What the calls so far gave, in their order.
        texts: Every string of the request, wherever it stands.
    """

    tools: Mapping[str, Mapping[str, str]]
    results: tuple[str, ...]
    texts: tuple[str, ...]


class ScriptedModel:
    """Follows a script of steps, one conversation at a time.

    Attributes:
        requests: What the model was shown in this conversation.
        faults: What went wrong while serving.
    """

    def __init__(self, server: str) -> None:
        """Call the tools of the MCP server of this name."""
        self.server = server
        self.url = ""
        self.requests: list[ModelRequest] = []
        self.faults: list[BaseException] = []
        self._steps: list[Step] = []
        self._lock = threading.Lock()

    def follow(self, steps: Sequence[Step]) -> None:
        """Begin a new conversation."""
        self._steps = list(steps)
        self.requests = []

    def next_calls(self, request: ModelRequest) -> Sequence[Call]:
        """What the model wants now; nothing when it has done all."""
        with self._lock:
            self.requests.append(request)
            done = len(request.results)
            for step in list(self._steps):
                if isinstance(step, Meanwhile):
                    if done == 0:
                        self._steps.remove(step)
                        step.act()
                    continue
                calls = [step] if isinstance(step, Call) else step
                if done == 0:
                    return calls
                done -= len(calls)
            return []


@contextmanager
def serve_model(server: str) -> Iterator[ScriptedModel]:
    """Serve a model on loopback.

    Args:
        server: The name that the client knows our MCP server by.
    """
    model = ScriptedModel(server)
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
        if path == "/v1/messages":
            self._stream(_answer_messages(self.server.model, json.loads(raw)))
        elif path == "/v1/responses":
            self._stream(_answer_responses(self.server.model, json.loads(raw)))
        else:
            self.do_GET()

    def _stream(self, events: Sequence[Mapping[str, object]]) -> None:
        body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        self._answer(200, body.encode(), "text/event-stream")

    def _answer(self, status: int, body: bytes, kind: str = "application/json") -> None:
        self.close_connection = True
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


_SAID = "That is done."


def _answer_messages(model: ScriptedModel, body: Mapping[str, Any]) -> list[dict[str, object]]:
    """The Anthropic Messages protocol: tools have long names, results are blocks of the user's messages."""
    prefix = f"mcp__{model.server}__"
    names = [tool["name"] for tool in body.get("tools", ()) if tool.get("name", "").startswith(prefix)]
    blocks = [
        block
        for message in body["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    request = ModelRequest(
        tools={name.removeprefix(prefix): {"name": name} for name in names},
        results=tuple("\n".join(_strings(block["content"], "text")) for block in blocks),
        texts=tuple(_strings(body)),
    )
    calls = model.next_calls(request) if names else []
    content: list[dict[str, object]] = [
        {"type": "tool_use", "id": f"toolu_{len(blocks)}_{place}", "input": {}, **_offered(request, call)}
        for place, call in enumerate(calls)
    ]
    deltas: list[dict[str, str]] = [
        {"type": "input_json_delta", "partial_json": json.dumps(call.arguments)} for call in calls
    ]
    usage = {"input_tokens": 1000, "output_tokens": 10}
    message = {"id": "msg", "type": "message", "role": "assistant", "model": body["model"], "content": []}
    events: list[dict[str, object]] = [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    ]
    for place, (block, delta) in enumerate(
        zip(content or [{"type": "text", "text": ""}], deltas or [{"type": "text_delta", "text": _SAID}], strict=True)
    ):
        events += [
            {"type": "content_block_start", "index": place, "content_block": block},
            {"type": "content_block_delta", "index": place, "delta": delta},
            {"type": "content_block_stop", "index": place},
        ]
    reason = {"stop_reason": "tool_use" if calls else "end_turn", "stop_sequence": None}
    return [*events, {"type": "message_delta", "delta": reason, "usage": usage}, {"type": "message_stop"}]


def _answer_responses(model: ScriptedModel, body: Mapping[str, Any]) -> list[dict[str, object]]:
    """The OpenAI Responses protocol: the tools of a server are a namespace, results are items of their own."""
    spaces = [tool for tool in body.get("tools", ()) if tool.get("name") == f"mcp__{model.server}"]
    outputs = [item for item in body["input"] if item.get("type") == "function_call_output"]
    request = ModelRequest(
        tools={
            tool["name"]: {"namespace": space["name"], "name": tool["name"]}
            for space in spaces
            for tool in space["tools"]
        },
        results=tuple("\n".join(_strings(item["output"], "text")) for item in outputs),
        texts=tuple(_strings(body)),
    )
    items: list[dict[str, object]] = [
        {
            "type": "function_call",
            "id": f"fc_{len(outputs)}_{place}",
            "call_id": f"call_{len(outputs)}_{place}",
            "arguments": json.dumps(call.arguments),
            "status": "completed",
            **_offered(request, call),
        }
        for place, call in enumerate(model.next_calls(request) if spaces else [])
    ] or [
        {
            "type": "message",
            "id": "msg",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": _SAID, "annotations": []}],
        }
    ]
    usage = {"input_tokens": 1000, "output_tokens": 10, "total_tokens": 1010}
    response = {"id": "resp", "object": "response", "model": body["model"], "status": "in_progress", "output": []}
    done = {**response, "status": "completed", "output": items, "usage": usage}
    return [
        {"type": "response.created", "response": response},
        *({"type": "response.output_item.done", "output_index": at, "item": item} for at, item in enumerate(items)),
        {"type": "response.completed", "response": done},
    ]


def _offered(request: ModelRequest, call: Call) -> Mapping[str, str]:
    if call.tool not in request.tools:
        raise LookupError(f"the client offers no tool {call.tool}: {sorted(request.tools)}")
    return request.tools[call.tool]


def _strings(value: object, key: str = "") -> Iterator[str]:
    """Every string in a JSON value, or those that stand under a key."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, content in value.items():
            if not key or name == key or not isinstance(content, str):
                yield from _strings(content, key)
    elif isinstance(value, Sequence):
        for content in value:
            yield from _strings(content, key)
