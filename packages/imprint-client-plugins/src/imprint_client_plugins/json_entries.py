"""Our entries in a client's JSON: members, words in a list, groups of hooks in the shape that Claude Code gave them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import attrs

from imprint.domain.config_text.encoded_text import BYTE_ORDER_MARK
from imprint.domain.config_text.json_text import JsonPath, JsonText, parse_json
from imprint.errors import InvalidClientFileError

__all__ = ["FormatVersion", "HookCommand", "HookGroup", "JsonEntry", "JsonPart", "ListedWord", "Member"]


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
        for entry in self.entries:
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
class HookGroup:
    """A group of hooks of an event, with one command of ours in it; new ones come last.

    Attributes:
        is_ours: Tells our commands from others, whichever version wrote them.
    """

    path: tuple[str, ...]
    group: Mapping[str, object]
    is_ours: Callable[[str], bool]

    def put_in(self, document: JsonText) -> JsonText:
        places = self.places(document)
        if not places:
            return document.append(self.path, self.group)
        for extra in reversed(places[1:]):
            document = self._remove(document, extra)
        hooks = self.group["hooks"]
        assert isinstance(hooks, list)
        return document.set(places[0], hooks[0])

    def take_out(self, document: JsonText, before: JsonText | None) -> JsonText:
        places = self.places(document)
        for place in reversed(places):
            document = self._remove(document, place)
        return _pruned(document, self.path, before) if places else document

    def _remove(self, document: JsonText, place: JsonPath) -> JsonText:
        """Take a command out, and its group when it was the only one."""
        document = document.remove(place)
        return document if document.count(place[:-1]) else document.remove(place[:-2])

    def places(self, document: JsonText) -> list[JsonPath]:
        """Where our commands stand."""
        found: list[JsonPath] = []
        for number, group in enumerate(_list(document, self.path)):
            hooks = group.get("hooks") if isinstance(group, dict) else None
            for index, hook in enumerate(hooks if isinstance(hooks, list) else ()):
                command = hook.get("command") if isinstance(hook, dict) else None
                if isinstance(command, str) and self.is_ours(command):
                    found.append((*self.path, number, "hooks", index))
        return found


@attrs.frozen
class HookCommand:
    """A command of ours in an event's list, where clients know no groups.

    Attributes:
        is_ours: Tells our commands from others, whichever version wrote them.
    """

    path: tuple[str, ...]
    hook: Mapping[str, object]
    is_ours: Callable[[str], bool]

    def put_in(self, document: JsonText) -> JsonText:
        places = self._places(document)
        if not places:
            return document.append(self.path, self.hook)
        for extra in reversed(places[1:]):
            document = document.remove(extra)
        return document.set(places[0], self.hook)

    def take_out(self, document: JsonText, before: JsonText | None) -> JsonText:
        places = self._places(document)
        for place in reversed(places):
            document = document.remove(place)
        return _pruned(document, self.path, before) if places else document

    def _places(self, document: JsonText) -> list[JsonPath]:
        commands = [hook.get("command") if isinstance(hook, dict) else None for hook in _list(document, self.path)]
        return [
            (*self.path, index)
            for index, command in enumerate(commands)
            if isinstance(command, str) and self.is_ours(command)
        ]


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
