"""A JSON document that is edited in place."""

import json
import re
from collections.abc import Sequence
from typing import TypeAlias

import attrs

from imprint.domain.config_text.encoded_text import BYTE_ORDER_MARK, decode_text, newline_of
from imprint.domain.config_text.json_syntax import JsonNode, JsonSyntax, json_value, parse_json_text
from imprint.errors import InvalidClientFileError

__all__ = ["JsonPath", "JsonText", "parse_json"]

JsonPath: TypeAlias = tuple[str | int, ...]
"""Keys and indexes from the outermost object on."""

_INDENT = re.compile(r"\n([ \t]+)\S")
_LINE_END = re.compile(r"[ \t]*\r?\n")
_BLANKS = " \t\r\n"
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def parse_json(data: bytes, place: str, *, comments: bool = True) -> "JsonText":
    """Read a configuration file; one with nothing in it counts as an object without members.

    Args:
        place: The file, for errors.
        comments: Whether comments and trailing commas are tolerated, as the client does.

    Raises:
        InvalidClientFileError: It is not JSON in UTF-8, or its outermost value is no object.
    """
    text = decode_text(data, place)
    syntax = JsonSyntax(comments)
    if not text.removeprefix(BYTE_ORDER_MARK).strip(_BLANKS):
        mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
        text = f"{mark}{{}}{newline_of(text)}"
    root = parse_json_text(text, place, syntax)
    if not root.is_object:
        raise InvalidClientFileError(place, "its outermost value is not an object")
    return JsonText(place=place, text=text, root=root, syntax=syntax)


@attrs.frozen(kw_only=True)
class JsonText:
    """A document as it stands in its file. An edit gives another one."""

    place: str
    text: str
    root: JsonNode = attrs.field(repr=False)
    syntax: JsonSyntax

    @property
    def data(self) -> bytes:
        """What the file holds."""
        return self.text.encode()

    def has(self, path: JsonPath) -> bool:
        """Whether something is there, `null` too."""
        return self._find(path) is not None

    def get(self, path: JsonPath) -> object:
        """The value at a place; `None` where nothing is."""
        node = self._find(path)
        return None if node is None else json_value(self.text, node)

    def raw(self, path: JsonPath) -> str | None:
        """How the value at a place is written."""
        node = self._find(path)
        return None if node is None else self.text[node.start : node.end]

    def count(self, path: JsonPath) -> int:
        """How many members or elements are there; 0 where nothing is, or a scalar."""
        node = self._find(path)
        return len(node.children or ()) if node is not None else 0

    def set(self, path: JsonPath, value: object) -> "JsonText":
        """Give a member a value, making the objects above it; one that has it already stays as it is written.

        Raises:
            InvalidClientFileError: Something else than an object stands above it.
        """
        node = self._find(path)
        if node is None:
            return self._add(path, value)
        if _same(json_value(self.text, node), value):
            return self
        start = self._member_start(path)
        return self._replace([(node.start, node.end, self._render(value, self._indent_at(start)))])

    def set_raw(self, path: JsonPath, raw: str) -> "JsonText":
        """Write a value that is there in other words."""
        node = self._find(path)
        return self if node is None else self._replace([(node.start, node.end, raw)])

    def append(self, path: JsonPath, value: object) -> "JsonText":
        """Add an element to the end of an array, making it and the objects above it.

        Raises:
            InvalidClientFileError: Something else stands in their place.
        """
        node = self._find(path)
        if node is None:
            return self._add(path, [value])
        if not node.is_array:
            raise InvalidClientFileError(self.place, f"{_show(path)} is not a list")
        return self._insert(node, None, value)

    def remove(self, path: JsonPath) -> "JsonText":
        """Take out a member or an element, with its comma and the blanks before it."""
        parent = self._find(path[:-1])
        index = None if parent is None else _index(parent, path[-1])
        if parent is None or index is None or parent.children is None:
            return self
        start, end = parent.starts[index], parent.children[index].end
        comma = next((at for at in parent.commas if at >= end), None)
        edits = [(self._cut_start(start, end if comma is None else comma + 1, parent), end, "")]
        is_last = index == len(parent.children) - 1
        if comma is None and parent.commas and is_last:
            edits.insert(0, (parent.commas[-1], parent.commas[-1] + 1, ""))
        elif comma is not None:
            edits.append((comma, comma + 1, ""))
        if len(parent.children) == 1:
            left = self._without(edits, parent)
            if not left.strip():
                return self._replace([(parent.start + 1, parent.end - 1, "")])
        return self._replace(edits)

    def _add(self, path: JsonPath, value: object) -> "JsonText":
        depth = next(depth for depth in range(len(path)) if self._find(path[: depth + 1]) is None)
        parent = self._find(path[:depth])
        key = path[depth]
        if parent is None or not parent.is_object or not isinstance(key, str):
            raise InvalidClientFileError(self.place, f"{_show(path[:depth])} is not an object")
        for above in reversed(path[depth + 1 :]):
            value = {above: value}
        return self._insert(parent, key, value)

    def _insert(self, parent: JsonNode, key: str | None, value: object) -> "JsonText":
        children = parent.children or ()
        newline = newline_of(self.text)
        outside = self._indent_at(parent.start)
        last = parent.starts[-1] if children else None
        spread = self._is_spread(parent)
        inside = self._indent_at(last) if last is not None and spread else outside + self._unit
        written = self._render(value, inside if spread else None)
        if key is not None:
            written = f"{json.dumps(key, ensure_ascii=False)}: {written}"
        if not children:
            at = self._blank_start(parent.end - 1, parent)
            closing = "" if "\n" in self.text[at : parent.end - 1] or not spread else newline + outside
            return self._replace([(at, at, f"{newline}{inside}{written}{closing}" if spread else written)])
        at = self._blank_start(parent.end - 1, parent)
        between = newline + inside if spread else " "
        if len(parent.commas) == len(children):
            return self._replace([(at, at, f"{between}{written},")])
        end = children[-1].end
        return self._replace([(end, end, ","), (at, at, between + written)])

    def _is_spread(self, node: JsonNode) -> bool:
        """Whether a container has a line for each of what it holds; an empty one takes after the document."""
        if node.children:
            before, after = self.text[node.start : node.starts[-1]], self.text[node.children[-1].end : node.end]
            return "\n" in before or "\n" in after
        return node is self.root or "\n" in self.text.strip() or "\n" in self.text[node.start : node.end]

    @property
    def _unit(self) -> str:
        match = _INDENT.search(self.text)
        return match[1] if match else "  "

    def _indent_at(self, at: int) -> str:
        """The indentation of the line that something begins on."""
        begin = self.text.rfind("\n", 0, at) + 1
        line = self.text[begin:at].removeprefix(BYTE_ORDER_MARK)
        return line[: len(line) - len(line.lstrip(" \t"))]

    def _member_start(self, path: JsonPath) -> int:
        parent = self._find(path[:-1])
        index = None if parent is None else _index(parent, path[-1])
        return parent.starts[index] if parent is not None and index is not None else 0

    def _render(self, value: object, indent: str | None) -> str:
        """A value as text; on one line where the indentation is `None`."""
        if indent is None or ("\n" not in self.text and not self._is_spread(self.root)):
            return json.dumps(value, ensure_ascii=False)
        lines = json.dumps(value, ensure_ascii=False, indent=self._unit).split("\n")
        return f"{newline_of(self.text)}{indent}".join(lines)

    def _blank_start(self, at: int, parent: JsonNode) -> int:
        """Where the blanks before an offset begin: after the last token or comment of its container."""
        token = self._token_end(at, parent)
        return token + _last_comment(self.text[token:at])[0]

    def _cut_start(self, start: int, end: int, parent: JsonNode) -> int:
        """Where the blanks before a member begin, short of the line end that a comment before it cannot do without."""
        token = self._token_end(start, parent)
        length, needs_line_end = _last_comment(self.text[token:start])
        if not needs_line_end or _LINE_END.match(self.text, end):
            return token + length
        return self.text.index("\n", token + length) + 1

    def _token_end(self, at: int, parent: JsonNode) -> int:
        """The end of the last token before an offset between a container's children."""
        end = parent.start + 1
        for child, start in zip(parent.children or (), parent.starts, strict=True):
            if start < at:
                end = child.end
        return max([end, *(comma + 1 for comma in parent.commas if comma < at)])

    def _without(self, edits: Sequence[tuple[int, int, str]], node: JsonNode) -> str:
        """What would be left inside a container."""
        text, offset = self.text[node.start + 1 : node.end - 1], node.start + 1
        for start, end, _ in sorted(edits, reverse=True):
            text = text[: start - offset] + text[end - offset :]
        return text

    def _replace(self, edits: Sequence[tuple[int, int, str]]) -> "JsonText":
        text = self.text
        # From the end on, so that offsets hold; at one offset the first of the list comes first in the text.
        for start, end, new in reversed(sorted(edits, key=_start_of)):  # noqa: C413 (equal ones reversed too)
            text = text[:start] + new + text[end:]
        return attrs.evolve(self, text=text, root=parse_json_text(text, self.place, self.syntax))

    def _find(self, path: JsonPath) -> JsonNode | None:
        node = self.root
        for step in path:
            index = _index(node, step)
            if isinstance(step, str) and node.keys is not None and node.keys.count(step) > 1:
                raise InvalidClientFileError(self.place, f"it has the key {step!r} twice in one object")
            if index is None or node.children is None:
                return None
            node = node.children[index]
        return node


def _start_of(edit: tuple[int, int, str]) -> int:
    return edit[0]


def _index(node: JsonNode, step: str | int) -> int | None:
    if isinstance(step, str):
        return node.keys.index(step) if node.keys is not None and step in node.keys else None
    return step if node.is_array and node.children is not None and step < len(node.children) else None


def _same(one: object, other: object) -> bool:
    """Equality that tells ``1`` from ``true``, and keeps an object's order out of it."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _last_comment(blanks: str) -> tuple[int, bool]:
    """The end of the last comment among blanks, 0 where there is none; and whether only a line's end ends it."""
    comments = list(_COMMENT.finditer(blanks))
    if not comments:
        return 0, False
    comment = comments[-1]
    return comment.start() + len(comment[0].rstrip("\r")), comment[0].startswith("//")


def _show(path: JsonPath) -> str:
    return ".".join(map(str, path)) if path else "its outermost value"
