"""Chats as VS Code itself keeps them: a document that is changed line by line, or, of older versions, a whole one.

A line has a ``kind``: 0 is the whole document, 1 sets what stands at the path ``k``, 2 cuts the list there to its first
``i`` elements and appends those in ``v``, 3 takes away what stands there.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

__all__ = ["ChatRequest", "Journal", "is_journal", "read_entry"]

_ENTRY = re.compile(rb'\s*\{\s*"kind"\s*:\s*[0-3]\b')

_NEEDED = frozenset(
    {"requestId", "responseId", "timestamp", "responseTimestamp", "message", "response", "modelState", "result"}
    | {"hiddenFromTranscript", "isSystemInitiated"}
)
_TITLE = "customTitle"
_REQUESTS = "requests"
_OVER = (1, 2, 3)
"""States of an answer that comes to nothing more: complete, cancelled, failed."""


class ChatRequest:
    """One prompt and its answer, as far as it has come.

    Attributes:
        line: The line that gave its prompt; ``answer_line`` the last that gave a part of its answer.
    """

    def __init__(self, value: Mapping[str, object], line: int) -> None:
        """Keep what is needed of a request: the rest, tools' output above all, may be large."""
        self.value = {key: value[key] for key in _NEEDED & value.keys()}
        self.line = self.answer_line = line
        self._slim()

    @property
    def id(self) -> object:
        return self.value.get("requestId")

    @property
    def prompt(self) -> str:
        message = self.value.get("message")
        text = message.get("text") if isinstance(message, dict) else message
        is_hidden = self.value.get("hiddenFromTranscript") or self.value.get("isSystemInitiated")
        return text if isinstance(text, str) and not is_hidden else ""

    @property
    def answer(self) -> str:
        """The words of the answer, without tools' calls, thoughts, and edits between them."""
        parts = self.value.get("response")
        return "".join(map(_words, parts if isinstance(parts, list) else ())).strip()

    @property
    def is_over(self) -> bool:
        """Whether the answer is whole; versions that keep no state kept a result."""
        state = self.value.get("modelState")
        return state.get("value") in _OVER if isinstance(state, dict) else bool(self.value.get("result"))

    def change(self, path: Sequence[object], entry: Mapping[str, object], line: int) -> None:
        """Change what stands at a path below the request."""
        key = path[0]
        if not isinstance(key, str) or key not in _NEEDED:
            return
        if key == "response":
            self.answer_line = line
        _change(self.value, path, entry)
        self._slim()

    def _slim(self) -> None:
        """Of what an answer came to, everything that was sent to the model and back, nothing but its place is kept."""
        result = self.value.get("result")
        metadata = result.get("metadata") if isinstance(result, dict) else None
        if isinstance(metadata, dict):
            self.value["result"] = {"metadata": {"cacheKey": metadata.get("cacheKey")}}


class Journal:
    """The document of one chat, line after line."""

    def __init__(self) -> None:
        """Nothing was said yet."""
        self.title = ""
        self.requests: list[ChatRequest] = []

    def apply(self, entry: Mapping[str, object], line: int) -> list[ChatRequest]:
        """Make one line's change; the requests that it is about. One that fits nothing is left out."""
        path, value = entry.get("k"), entry.get("v")
        if entry.get("kind") == 0 and isinstance(value, dict):
            self.title = _title(value.get(_TITLE))
            self.requests = [ChatRequest(request, line) for request in _objects(value.get(_REQUESTS))]
            return self.requests
        if path == [_TITLE]:
            self.title = _title(value)
        elif path == [_REQUESTS]:
            return self._change_requests(entry, line)
        elif isinstance(path, list) and len(path) > 2 and path[0] == _REQUESTS:
            place = _place(path[1], self.requests)
            if place is not None:
                self.requests[place].change(path[2:], entry, line)
                return [self.requests[place]]
        return []

    def find_folders(self) -> Iterator[str]:
        """The window's folder as answers name it, as URIs: where their links begin, and what they are kept under."""
        for request in self.requests:
            for part in _objects(request.value.get("response")):
                base = part.get("baseUri")
                if "kind" not in part and isinstance(base, dict):
                    yield f"{base.get('scheme', 'file')}://{base.get('authority', '')}{base.get('path', '')}"
            result = request.value.get("result")
            metadata = result.get("metadata") if isinstance(result, dict) else None
            key = metadata.get("cacheKey") if isinstance(metadata, dict) else None
            if isinstance(key, str):
                yield key

    def _change_requests(self, entry: Mapping[str, object], line: int) -> list[ChatRequest]:
        """Those that are new, and the one before them: whatever its state says, its answer is over."""
        requests: list[object] = list(self.requests) if entry.get("kind") == 2 else []
        _extend(requests, entry)
        self.requests = [
            one if isinstance(one, ChatRequest) else ChatRequest(one, line)
            for one in requests
            if isinstance(one, ChatRequest | dict)
        ]
        first_new = next((place for place, one in enumerate(self.requests) if one.line == line), len(self.requests))
        return self.requests[max(first_new - 1, 0) :]


def is_journal(line: bytes) -> bool:
    """Whether a file's first line begins a journal."""
    return _ENTRY.match(line) is not None


def read_entry(line: bytes) -> Mapping[str, object] | None:
    """A line of a journal; `None` where it is none."""
    if not is_journal(line):
        return None
    try:
        entry = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def _title(value: object) -> str:
    return value if isinstance(value, str) else ""


def _words(part: object) -> str:
    if not isinstance(part, dict):
        return ""
    match part.get("kind"):
        case None:
            text = part.get("value")
        case "markdownContent" | "markdownVuln":
            content = part.get("content")
            text = content.get("value") if isinstance(content, dict) else content
        case "inlineReference":
            text = part.get("name")
        case "toolInvocationSerialized":
            text = "\n\n"
        case _:
            return ""
    return text if isinstance(text, str) else ""


def _change(value: object, path: Sequence[object], entry: Mapping[str, object]) -> None:
    for key in path[:-1]:
        value = _at(value, key)
    key = path[-1]
    if entry.get("kind") == 2:
        items = _at(value, key)
        if isinstance(items, list):
            _extend(items, entry)
        else:
            _set(value, key, entry.get("v"))
    elif entry.get("kind") == 1:
        _set(value, key, entry.get("v"))
    elif entry.get("kind") == 3 and isinstance(value, dict) and isinstance(key, str):
        value.pop(key, None)


def _extend(items: list[object], entry: Mapping[str, object]) -> None:
    kept, added = entry.get("i"), entry.get("v")
    if isinstance(kept, int) and not isinstance(kept, bool):
        del items[max(kept, 0) :]
    items.extend(added if isinstance(added, list) else ())


def _set(value: object, key: object, new: object) -> None:
    if isinstance(value, dict) and isinstance(key, str):
        value[key] = new
    elif isinstance(value, list) and (place := _place(key, value)) is not None:
        value[place] = new


def _at(value: object, key: object) -> object:
    if isinstance(value, dict) and isinstance(key, str):
        return value.get(key)
    place = _place(key, value) if isinstance(value, list) else None
    return value[place] if isinstance(value, list) and place is not None else None


def _place(key: object, items: Sequence[object]) -> int | None:
    """A key as a place in a list; `None` where it is none of it."""
    return key if isinstance(key, int) and not isinstance(key, bool) and 0 <= key < len(items) else None


def _objects(items: object) -> Iterator[Mapping[str, object]]:
    return (item for item in (items if isinstance(items, list) else ()) if isinstance(item, dict))
