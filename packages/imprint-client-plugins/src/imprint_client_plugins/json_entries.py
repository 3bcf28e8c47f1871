"""Our entries in a client's JSON: members, words in a list, hooks in the list of their event."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import attrs

from imprint.domain.config_text.encoded_text import BYTE_ORDER_MARK
from imprint.domain.config_text.json_text import JsonPath, JsonText, parse_json
from imprint.errors import InvalidClientFileError

__all__ = ["FormatVersion", "Hook", "JsonEntry", "JsonPart", "ListedWord", "Member", "Unwanted"]

_COMMAND_LINES = ("command", "bash", "powershell")
"""What clients call a hook's command line."""


class JsonEntry(Protocol):
    """One thing of ours in a document."""

    def put_in(self, document: JsonText) -> JsonText: ...

    def take_out(self, document: JsonText, before: JsonText | None) -> JsonText: ...


@attrs.frozen
class JsonPart:
    """Our entries in one file; meets `imprint_client_plugins.registrations.Part`.

    Attributes:
        comments: Whether the client reads comments and trailing commas.
    """

    entries: Sequence[JsonEntry]
    comments: bool = False

    def put_in(self, data: bytes, place: str) -> bytes:
        document = parse_json(data, place, comments=self.comments)
        untouched = document
        for entry in self.entries:
            document = entry.put_in(document)
        return data if document is untouched else document.data

    def take_out(self, data: bytes, before: bytes | None, place: str) -> bytes:
        document = parse_json(data, place, comments=self.comments)
        untouched = document
        known = None if before is None else parse_json(before, place, comments=self.comments)
        for entry in reversed(self.entries):
            document = entry.take_out(document, known)
        return data if document is untouched else document.data

    def is_blank(self, data: bytes) -> bool:
        return not data.decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK).strip("{} \t\r\n")


@attrs.frozen
class Member:
    """A member of an object, which is ours by its name."""

    path: tuple[str, ...]
    value: object

    def put_in(self, document: JsonText) -> JsonText:
        return document.set(self.path, self.value)

    def take_out(self, document: JsonText, before: JsonText | None) -> JsonText:
        if not document.has(self.path):
            return document
        written = before.raw(self.path) if before is not None else None
        if written is not None:
            return document.set_raw(self.path, written)
        return _pruned(document.remove(self.path), self.path[:-1], before)


@attrs.frozen
class ListedWord:
    """A word in a list, which stays when it was there before us."""

    path: tuple[str, ...]
    word: str

    def put_in(self, document: JsonText) -> JsonText:
        return document if self.word in _list(document, self.path) else document.append(self.path, self.word)

    def take_out(self, document: JsonText, before: JsonText | None) -> JsonText:
        listed = _list(document, self.path)
        if self.word not in listed or (before is not None and self.word in _list(before, self.path)):
            return document
        return _pruned(document.remove((*self.path, listed.index(self.word))), self.path, before)


@attrs.frozen
class Hook:
    """A hook of ours in the list of an event; a new one comes last.

    Attributes:
        hook: What is called, and how.
        is_ours: Tells our command lines from others', whichever version wrote them.
        is_grouped: It stands in a group of hooks, in the shape that Claude Code gave them.
    """

    path: tuple[str, ...]
    hook: Mapping[str, object]
    is_ours: Callable[[str], bool]
    is_grouped: bool

    @property
    def event(self) -> str:
        """The client's name of the event."""
        return self.path[-1]

    def put_in(self, document: JsonText) -> JsonText:
        places = self.places(document)
        if not places:
            return document.append(self.path, {"hooks": [self.hook]} if self.is_grouped else self.hook)
        for extra in reversed(places[1:]):
            document = self._remove(document, extra)
        return document.set(places[0], self.hook)

    def take_out(self, document: JsonText, before: JsonText | None) -> JsonText:
        places = self.places(document)
        for place in reversed(places):
            document = self._remove(document, place)
        return _pruned(document, self.path, before) if places else document

    def places(self, document: JsonText) -> list[JsonPath]:
        """Where our hooks stand."""
        listed = _list(document, self.path)
        if not self.is_grouped:
            return [(*self.path, index) for index, hook in enumerate(listed) if self._calls_us(hook)]
        groups = ((number, group.get("hooks")) for number, group in enumerate(listed) if isinstance(group, dict))
        return [
            (*self.path, number, "hooks", index)
            for number, hooks in groups
            for index, hook in enumerate(hooks if isinstance(hooks, list) else ())
            if self._calls_us(hook)
        ]

    def _calls_us(self, hook: object) -> bool:
        lines = [hook.get(name) for name in _COMMAND_LINES] if isinstance(hook, dict) else []
        return any(isinstance(line, str) and self.is_ours(line) for line in lines)

    def _remove(self, document: JsonText, place: JsonPath) -> JsonText:
        """Take a hook out, and its group when it was the only one."""
        document = document.remove(place)
        return document.remove(place[:-2]) if self.is_grouped and not document.count(place[:-1]) else document


@attrs.frozen
class Unwanted:
    """What is ours only under another setting: wherever that left it, it goes."""

    entry: JsonEntry

    def put_in(self, document: JsonText) -> JsonText:
        return self.entry.take_out(document, None)

    def take_out(self, document: JsonText, before: JsonText | None) -> JsonText:
        return self.entry.take_out(document, before)


@attrs.frozen
class FormatVersion:
    """The version that a client asks for in every file; others' entries need it as well, so it is the last to go."""

    path: tuple[str, ...]
    version: int

    def put_in(self, document: JsonText) -> JsonText:
        return document if document.has(self.path) else document.set(self.path, self.version)

    def take_out(self, document: JsonText, before: JsonText | None) -> JsonText:
        was_there = before is not None and before.has(self.path)
        is_alone = document.count(()) == 1 and document.get(self.path) == self.version
        return document.remove(self.path) if is_alone and not was_there else document


def _list(document: JsonText, path: JsonPath) -> Sequence[object]:
    """A list that may be missing."""
    value = document.get(path)
    if value is None and not document.has(path):
        return ()
    if not isinstance(value, list):
        raise InvalidClientFileError(document.place, f"{'.'.join(map(str, path))} is not a list")
    return value


def _pruned(document: JsonText, path: tuple[str, ...], before: JsonText | None) -> JsonText:
    """Without the containers that were made for us and are empty; those that were empty before look so again."""
    while document.has(path) and not document.count(path):
        written = before.raw(path) if before is not None else None
        if written is not None or not path:
            was_empty = before is not None and before.has(path) and not before.count(path)
            return document.set_raw(path, written) if written is not None and was_empty else document
        document = document.remove(path)
        path = path[:-1]
    return document
