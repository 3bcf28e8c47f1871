"""Gemini's protocol, in which Gemini CLI talks to its model: the path says whether an answer is streamed."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
from model_wires import Answer, Offer, Reply, Said, stream, strings, whole

__all__ = ["GeminiContents"]

# Asked for an object, the model is to choose among models or to say who speaks next.
_CHOICE = {"reasoning": "It is simple.", "model_choice": "flash", "complexity_score": 1, "next_speaker": "user"}


@attrs.frozen
class GeminiContents:
    """Tools are declared functions; results are parts of the user's contents."""

    is_stream: bool

    def read(self, body: Mapping[str, Any]) -> Offer:
        declared = [tool for group in body.get("tools", ()) for tool in group.get("functionDeclarations", ())]
        return Offer(
            tools={tool["name"]: {"name": tool["name"]} for tool in declared},
            said=tuple(
                said for content in body["contents"] if content.get("role") == "user" for said in _parts(content)
            ),
        )

    def write(self, body: Mapping[str, Any], answer: Answer) -> Reply:
        parts: list[dict[str, object]] = [
            {"functionCall": {**called, "args": dict(given)}} for called, given in answer.calls
        ]
        is_object = body.get("generationConfig", {}).get("responseMimeType") == "application/json"
        text = json.dumps(_CHOICE) if is_object else answer.text
        counted = {"promptTokenCount": answer.tokens, "candidatesTokenCount": 10, "totalTokenCount": answer.tokens + 10}
        content = {"role": "model", "parts": parts or [{"text": text}]}
        response = {
            "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
            "usageMetadata": counted,
            "modelVersion": "scripted",
        }
        return stream([response]) if self.is_stream else whole(response)


def _parts(content: Mapping[str, Any]) -> Iterator[Said]:
    for part in content["parts"]:
        if "functionResponse" in part:
            yield Said("\n".join(strings(part["functionResponse"]["response"])), is_result=True)
        elif "text" in part:
            yield Said(part["text"])
