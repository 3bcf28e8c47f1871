"""JSON as it stands in a file: where each value begins and ends, comments and trailing commas tolerated."""

import json
import re
from collections.abc import Callable
from typing import Final, NamedTuple, NoReturn

from imprint.domain.config_text.encoded_text import BYTE_ORDER_MARK
from imprint.errors import InvalidClientFileError

__all__ = ["DEEPEST", "JsonNode", "JsonSyntax", "json_value", "parse_json_text"]

DEEPEST: Final = 100
"""Levels of nesting. No client's configuration comes near it."""

_LONGEST_INTEGER: Final = 1000
_BLANK: Final = re.compile(r"(?:[ \t\r\n]+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRICT_BLANK: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_SCALAR: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null")


class JsonNode(NamedTuple):
    """A value in its place.

    Attributes:
        start: Offset of its first character.
        end: Offset after its last.
        keys: Of an object, the keys of ``children``; `None` for an array or a scalar.
        children: Of an object or array.
        starts: Where each child begins; in an object, where its key does.
        commas: Offsets of the commas between and after the children.
    """

    start: int
    end: int
    keys: tuple[str, ...] | None = None
    children: tuple["JsonNode", ...] | None = None
    starts: tuple[int, ...] = ()
    commas: tuple[int, ...] = ()

    @property
    def is_object(self) -> bool:
        return self.keys is not None

    @property
    def is_array(self) -> bool:
        return self.children is not None and self.keys is None


class JsonSyntax(NamedTuple):
    """How much is tolerated.

    Attributes:
        comments: Comments and trailing commas may be there, as in the files of many editors.
    """

    comments: bool = True

    @property
    def blank(self) -> re.Pattern[str]:
        """What may stand between tokens."""
        return _BLANK if self.comments else _STRICT_BLANK


def parse_json_text(text: str, place: str, syntax: JsonSyntax = JsonSyntax()) -> JsonNode:  # noqa: B008 (a value)
    """Read a document.

    Raises:
        InvalidClientFileError: It is no JSON, or nested too deeply.
    """
    reader = _Reader(text, place, syntax)
    start = reader.skip(len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0)
    root = reader.value(start, 1)
    rest = reader.skip(root.end)
    if rest != len(text):
        reader.fail(rest, "something follows the end")
    return root


def json_value(text: str, node: JsonNode) -> object:
    """What a node says; of a key that an object has twice, the last value."""
    if node.children is None:
        return json.loads(text[node.start : node.end], parse_int=_integer)
    values = [json_value(text, child) for child in node.children]
    return values if node.keys is None else dict(zip(node.keys, values, strict=True))


def _integer(digits: str) -> int | float:
    """A number; of thousands of digits, which Python does not read, what a client makes of it."""
    return int(digits) if len(digits) < _LONGEST_INTEGER else float(digits)


class _Reader:
    def __init__(self, text: str, place: str, syntax: JsonSyntax) -> None:
        self._text = text
        self._place = place
        self._blank = syntax.blank
        self._trailing_commas = syntax.comments

    def skip(self, at: int) -> int:
        match = self._blank.match(self._text, at)
        return match.end() if match else at

    def value(self, at: int, depth: int) -> JsonNode:
        if depth > DEEPEST:
            self.fail(at, f"it is nested more than {DEEPEST} levels deep")
        opening = self._text[at : at + 1]
        if opening == "{":
            return self._container(at, depth, "}", self._key)
        if opening == "[":
            return self._container(at, depth, "]", None)
        match = _STRING.match(self._text, at) or _SCALAR.match(self._text, at)
        if match is None:
            self.fail(at, "a value is missing")
        return JsonNode(at, match.end())

    def _container(
        self, start: int, depth: int, closing: str, read_key: Callable[[int], tuple[str, int]] | None
    ) -> JsonNode:
        keys: list[str] = []
        children: list[JsonNode] = []
        starts: list[int] = []
        commas: list[int] = []
        at = self.skip(start + 1)
        while self._text[at : at + 1] != closing:
            if len(commas) < len(children):
                self.fail(at, f"a ',' or '{closing}' is missing")
            starts.append(at)
            if read_key is not None:
                key, at = read_key(at)
                keys.append(key)
            children.append(self.value(at, depth + 1))
            at = self.skip(children[-1].end)
            if self._text[at : at + 1] == ",":
                commas.append(at)
                at = self.skip(at + 1)
                if not self._trailing_commas and self._text[at : at + 1] == closing:
                    self.fail(at, f"a ',' stands before '{closing}'")
        return JsonNode(
            start,
            at + 1,
            tuple(keys) if read_key is not None else None,
            tuple(children),
            tuple(starts),
            tuple(commas),
        )

    def _key(self, at: int) -> tuple[str, int]:
        match = _STRING.match(self._text, at)
        if match is None:
            self.fail(at, "a key is missing")
        colon = self.skip(match.end())
        if self._text[colon : colon + 1] != ":":
            self.fail(colon, "a ':' is missing")
        return json.loads(match[0]), self.skip(colon + 1)

    def fail(self, at: int, reason: str) -> NoReturn:
        line = self._text.count("\n", 0, at) + 1
        raise InvalidClientFileError(self._place, f"it is not JSON: {reason} (line {line})")
