"""The protocols in which clients talk to their models, as much of each as a client needs to call tools.

A protocol is one entry of `scripted_model.WIRES`: what it reads of a request, and how it writes an answer.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol
from uuid import uuid4

import attrs

__all__ = [
    "Answer",
    "AnthropicMessages",
    "Offer",
    "OpenAIResponses",
    "Reply",
    "Said",
    "Wire",
    "stream",
    "strings",
    "whole",
]


@attrs.frozen
class Said:
    """One thing in the conversation so far: the user's words, or what a call gave."""

    text: str
    is_result: bool = False


@attrs.frozen
class Offer:
    """What a request is about.

    Attributes:
        tools: By the name that the model is to know a tool by, what a call of it looks like.
        said: The user's words and the results, in their order.
    """

    tools: Mapping[str, Mapping[str, str]]
    said: tuple[Said, ...]


@attrs.frozen
class Answer:
    """What the model answers: calls, each as the offer has it with its arguments, or else words.

    Attributes:
        tokens: How large the request is said to have been.
    """

    calls: tuple[tuple[Mapping[str, str], Mapping[str, object]], ...] = ()
    text: str = ""
    tokens: int = 1000


@attrs.frozen
class Reply:
    """An answer as it goes over the wire."""

    body: bytes
    kind: str


class Wire(Protocol):
    """One protocol."""

    def read(self, body: Mapping[str, Any]) -> Offer:
        """What a request offers and tells."""

    def write(self, body: Mapping[str, Any], answer: Answer) -> Reply:
        """An answer to a request."""


def stream(events: Sequence[Mapping[str, object]], *, end: str = "") -> Reply:
    """Events, under the names of their types where they have any."""
    names = [f"event: {event['type']}\n" if "type" in event else "" for event in events]
    lines = [f"{name}data: {json.dumps(event)}\n\n" for name, event in zip(names, events, strict=True)]
    return Reply("".join((*lines, end)).encode(), "text/event-stream")


def whole(value: Mapping[str, object]) -> Reply:
    """One object."""
    return Reply(json.dumps(value).encode(), "application/json")


class AnthropicMessages:
    """Tools have long names; results are blocks of the user's messages."""

    def read(self, body: Mapping[str, Any]) -> Offer:
        names = [tool["name"] for tool in body.get("tools", ()) if "name" in tool]
        return Offer(
            tools={name: {"name": name} for name in names},
            said=tuple(said for message in body["messages"] if message["role"] == "user" for said in _blocks(message)),
        )

    def write(self, body: Mapping[str, Any], answer: Answer) -> Reply:
        content: list[tuple[dict[str, object], dict[str, str]]] = [
            (
                {"type": "tool_use", "id": _new_id("toolu"), "input": {}, **called},
                {"type": "input_json_delta", "partial_json": json.dumps(given)},
            )
            for called, given in answer.calls
        ]
        reason = "tool_use" if content else "end_turn"
        if not content:
            content = [({"type": "text", "text": ""}, {"type": "text_delta", "text": answer.text})]
        usage = {"input_tokens": answer.tokens, "output_tokens": 10}
        message = {"id": _new_id("msg"), "type": "message", "role": "assistant", "model": body["model"], "content": []}
        events: list[dict[str, object]] = [
            {
                "type": "message_start",
                "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage},
            }
        ]
        for place, (block, delta) in enumerate(content):
            events += [
                {"type": "content_block_start", "index": place, "content_block": block},
                {"type": "content_block_delta", "index": place, "delta": delta},
                {"type": "content_block_stop", "index": place},
            ]
        ended = {"stop_reason": reason, "stop_sequence": None}
        return stream([*events, {"type": "message_delta", "delta": ended, "usage": usage}, {"type": "message_stop"}])


def _blocks(message: Mapping[str, Any]) -> Iterator[Said]:
    content = message["content"]
    for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        if block["type"] == "tool_result":
            yield Said("\n".join(strings(block["content"], "text")), is_result=True)
        elif block["type"] == "text":
            yield Said(block["text"])


class OpenAIResponses:
    """The tools of a server are a namespace, results are items of their own."""

    def read(self, body: Mapping[str, Any]) -> Offer:
        tools = {tool["name"]: {"name": tool["name"]} for tool in body.get("tools", ()) if "name" in tool}
        for space in [tool for tool in body.get("tools", ()) if "tools" in tool]:
            del tools[space["name"]]
            for tool in space["tools"]:
                tools[f"{space['name']}__{tool['name']}"] = {"namespace": space["name"], "name": tool["name"]}
        return Offer(tools, tuple(said for item in body["input"] for said in _items(item)))

    def write(self, body: Mapping[str, Any], answer: Answer) -> Reply:
        items: list[dict[str, object]] = [
            {
                "type": "function_call",
                "id": _new_id("fc"),
                "call_id": _new_id("call"),
                "arguments": json.dumps(given),
                "status": "completed",
                **called,
            }
            for called, given in answer.calls
        ] or [
            {
                "type": "message",
                "id": _new_id("msg"),
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": answer.text, "annotations": []}],
            }
        ]
        usage = {"input_tokens": answer.tokens, "output_tokens": 10, "total_tokens": answer.tokens + 10}
        response = {"id": "resp", "object": "response", "model": body["model"], "status": "in_progress", "output": []}
        done = {**response, "status": "completed", "output": items, "usage": usage}
        added = [
            {"type": "response.output_item.done", "output_index": at, "item": item} for at, item in enumerate(items)
        ]
        created: dict[str, object] = {"type": "response.created", "response": response}
        return stream([created, *added, {"type": "response.completed", "response": done}])


def _items(item: Mapping[str, Any]) -> Iterator[Said]:
    if item.get("type") == "function_call_output":
        yield Said("\n".join(strings(item["output"], "text")), is_result=True)
    elif item.get("role") == "user":
        yield from (Said(text) for text in strings(item["content"], "text"))


def _new_id(kind: str) -> str:
    """One that no answer had: clients tell messages apart by them, and so do those who read their transcripts."""
    return f"{kind}_{uuid4().hex}"


def strings(value: object, key: str = "") -> Iterator[str]:
    """Every string in a JSON value, or those that stand under a key."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, content in value.items():
            if not key or name == key or not isinstance(content, str):
                yield from strings(content, key)
    elif isinstance(value, Sequence):
        for content in value:
            yield from strings(content, key)
