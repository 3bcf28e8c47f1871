"""An entry of ours in a list of a client's YAML, put in and taken out as lines: everything else keeps every byte.

Only what people and clients write is understood: a mapping with a key a line, the list below one of them with items
that each begin a line. In any other arrangement the file is left alone, and the user told.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

import attrs

from imprint.domain.config_text.encoded_text import BYTE_ORDER_MARK, decode_text, newline_of
from imprint.errors import InvalidClientFileError

__all__ = ["YamlItem"]

_KEY = re.compile(r"(?:[A-Za-z_][\w.-]*|\"[^\"]*\"|'[^']*')\s*:(?:\s.*)?")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_BLANK = re.compile(r"\s*(?:#.*)?")
_NO_ITEMS = re.compile(r"\s*(?:\[\s*\]|null|~)?\s*(?:\s#.*)?")


@attrs.frozen(kw_only=True)
class YamlItem:
    """An item, known by its name; meets `imprint_client_plugins.registrations.Part`.

    Attributes:
        key: Of the list, at the top of the document.
        values: The item's; ``name`` is one of them. Empty ones are enough to take it out.
    """

    key: str
    name: str
    values: Mapping[str, object]

    def put_in(self, data: bytes, place: str) -> bytes:
        document = _Document.parse(decode_text(data, place), self.key, place)
        item = document.find(self.name)
        lines = self._lines(document.indent)
        if item is not None and [line.rstrip() for line in document.lines[item.start : item.stop]] == lines:
            return data
        if item is None and document.head is None:
            return document.append([f"{self.key}:", *lines])
        return document.replace(item or range(document.end, document.end), lines, bare_head=f"{self.key}:")

    def take_out(self, data: bytes, before: bytes | None, place: str) -> bytes:
        document = _Document.parse(decode_text(data, place), self.key, place)
        item = document.find(self.name)
        if item is None or document.head is None:
            return data
        earlier = _Document.parse(decode_text(before or b"", place), self.key, place)
        known = earlier.find(self.name)
        if known is not None or len(document.items) > 1:
            return document.replace(item, [earlier.lines[number].rstrip("\r\n") for number in known or ()])
        head = [] if earlier.head is None else [earlier.lines[earlier.head].rstrip("\r\n")]
        return document.replace(range(document.head, item.stop), head)

    def is_blank(self, data: bytes) -> bool:
        return not data.decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK).strip()

    def _lines(self, indent: str) -> list[str]:
        pairs = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in self.values.items()]
        return [f"{indent}{'- ' if number == 0 else '  '}{pair}" for number, pair in enumerate(pairs)]


@attrs.frozen(kw_only=True)
class _Document:
    """A document as lines with their ends.

    Attributes:
        head: The line of the list's key; `None` where there is none.
        items: The lines of each item.
        indent: What items begin with.
        end: The line before which a new item goes.
    """

    lines: Sequence[str]
    head: int | None
    items: Sequence[range]
    indent: str
    end: int

    @classmethod
    def parse(cls, text: str, key: str, place: str) -> "_Document":
        """Read as much as is needed.

        Raises:
            InvalidClientFileError: It is arranged otherwise.
        """
        lines = _LINE.findall(text)
        heads: list[int] = []
        is_begun = False
        for number, line in enumerate(lines):
            bare = line.removeprefix(BYTE_ORDER_MARK).rstrip()
            if bare[:1] in (" ", "#", "") or bare == "-" or bare.startswith("- ") or (bare == "---" and not is_begun):
                continue
            is_begun = True
            if not _KEY.fullmatch(bare):
                raise InvalidClientFileError(place, f"line {number + 1} is no 'key: value' of a plain YAML file")
            if bare.partition(":")[0].strip().strip("\"'") == key:
                heads.append(number)
        if len(heads) > 1:
            raise InvalidClientFileError(place, f"it has the key {key!r} twice")
        if not heads:
            return cls(lines=lines, head=None, items=(), indent="  ", end=len(lines))
        (head,) = heads
        if not _NO_ITEMS.fullmatch(lines[head].rstrip().partition(":")[2]):
            raise InvalidClientFileError(place, f"{key} is not a list with a line for each item")
        return cls._parse_items(lines, head, place)

    @classmethod
    def _parse_items(cls, lines: Sequence[str], head: int, place: str) -> "_Document":
        indent: str | None = None
        starts: list[int] = []
        end = head + 1
        for number in range(head + 1, len(lines)):
            line = lines[number].rstrip()
            if _BLANK.fullmatch(line):
                continue
            begin = line[: len(line) - len(line.lstrip(" "))]
            is_item = line[len(begin) :].startswith("- ") or line[len(begin) :] == "-"
            if not begin and not is_item:
                break
            if indent is None and not is_item:
                raise InvalidClientFileError(place, f"line {number + 1} is no item of a list")
            indent = begin if indent is None else indent
            if begin == indent and is_item:
                starts.append(number)
            elif len(begin) <= len(indent):
                raise InvalidClientFileError(place, f"line {number + 1} is no item of a list")
            end = number + 1
        items = [range(start, stop) for start, stop in pairwise([*starts, end])]
        return cls(lines=lines, head=head, items=items, indent="  " if indent is None else indent, end=end)

    def find(self, name: str) -> range | None:
        """The lines of the item of this name, without comments that stand behind it."""
        inner = re.escape(self.indent)
        named = re.compile(rf"{inner}(?:-\s+|\s+)name\s*:\s*[\"']?{re.escape(name)}[\"']?\s*(?:#.*)?")
        for item in self.items:
            content = [number for number in item if not _BLANK.fullmatch(self.lines[number].rstrip())]
            if any(named.fullmatch(self.lines[number].rstrip()) for number in content):
                return range(item.start, content[-1] + 1)
        return None

    def append(self, added: Sequence[str]) -> bytes:
        """The document with lines at its end."""
        return self.replace(range(len(self.lines), len(self.lines)), added)

    def replace(self, span: range, added: Sequence[str], *, bare_head: str = "") -> bytes:
        """The document with other lines in the place of some.

        Args:
            bare_head: What the list's key is written as where its line says that the list is empty.
        """
        newline = newline_of("".join(self.lines))
        before, after = list(self.lines[: span.start]), self.lines[span.stop :]
        if bare_head and self.head is not None and not self.items:
            before[self.head] = bare_head + newline
        if added and before and not before[-1].endswith("\n"):
            before[-1] += newline
        return "".join([*before, *(line + newline for line in added), *after]).encode()
