"""OpenAI's Chat Completions, in which qwen-code talks to its model."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from model_wires import Answer, Offer, Reply, Said, stream, strings, whole

__all__ = ["OpenAIChat"]


class OpenAIChat:
    """Tools are functions; results are messages of their own."""

    def read(self, body: Mapping[str, Any]) -> Offer:
        names = [tool["function"]["name"] for tool in body.get("tools") or () if "function" in tool]
        return Offer(
            tools={name: {"name": name} for name in names},
            said=tuple(
                Said(_text(message.get("content")), is_result=message["role"] == "tool")
                for message in body["messages"]
                if message["role"] in ("user", "tool")
            ),
        )

    def write(self, body: Mapping[str, Any], answer: Answer) -> Reply:
        calls = [
            {
                "index": place,
                "id": f"call_{uuid4().hex}",
                "type": "function",
                "function": {**called, "arguments": json.dumps(given)},
            }
            for place, (called, given) in enumerate(answer.calls)
        ]
        message = {"role": "assistant", "content": None, "tool_calls": calls} if calls else {"content": answer.text}
        message = {"role": "assistant", **message}
        reason = "tool_calls" if calls else "stop"
        usage = {"prompt_tokens": answer.tokens, "completion_tokens": 10, "total_tokens": answer.tokens + 10}
        base = {"id": f"chatcmpl-{uuid4().hex}", "created": 0, "model": body["model"]}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": reason}
            return whole({**base, "object": "chat.completion", "usage": usage, "choices": [choice]})
        chunk = {**base, "object": "chat.completion.chunk"}
        return stream(
            [
                {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
                {**chunk, "choices": [], "usage": usage},
            ],
            end="data: [DONE]\n\n",
        )


def _text(content: object) -> str:
    return content if isinstance(content, str) else "\n".join(strings(content, "text"))
