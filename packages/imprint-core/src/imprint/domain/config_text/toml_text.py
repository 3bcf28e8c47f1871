"""A table in a TOML document, put in and taken out as text, so that everything else keeps every byte."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from imprint.domain.config_text.encoded_text import BYTE_ORDER_MARK, decode_text, newline_of
from imprint.errors import InvalidClientFileError

__all__ = ["TomlValue", "find_table", "put_table", "read_toml", "take_table"]

TomlValue: TypeAlias = str | bool | tuple[str, ...]
"""What we write: text, switches, and lists of text."""

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_KEY = re.compile(r"""(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)(?:[ \t]*\.[ \t]*)?""")
_PIECE = re.compile(
    r'''"""(?:[^\\]|\\.)*?"{3,5}|\'{3}.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[\[\]{}\n]''', re.DOTALL
)


class _Statement(NamedTuple):
    """A table's header, or a key and its value.

    Attributes:
        path: Of the table, or of the key from the document's root on.
        end: After its line's end.
    """

    path: tuple[str, ...]
    is_header: bool
    start: int
    end: int


def read_toml(data: bytes, place: str) -> Mapping[str, object]:
    """The document's values.

    Raises:
        InvalidClientFileError: It is not TOML in UTF-8.
    """
    return _load(decode_text(data, place), place)


def find_table(data: bytes, path: Sequence[str], place: str) -> object:
    """What is at a path; `None` where nothing is.

    Raises:
        InvalidClientFileError: It is not TOML in UTF-8.
    """
    found: object = read_toml(data, place)
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def put_table(data: bytes, path: tuple[str, ...], values: Mapping[str, TomlValue], place: str) -> bytes:
    """Write a table at the end of the document; one that holds these values already stays as it is written.

    Keys that a person or the client added to the table since stay too, and so do tables below it.

    Raises:
        InvalidClientFileError: The document is not TOML in UTF-8, or cannot take the table without being rewritten.
    """
    found = find_table(data, path, place)
    wanted = {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}
    if isinstance(found, dict) and all(found.get(key) == value for key, value in wanted.items()):
        return data
    text = decode_text(data, place)
    newline = newline_of(text)
    lines = [f"{key} = {_render(value)}" for key, value in values.items()]
    header = next((found for found in _scan(text, place) if found.is_header and found.path == path), None)
    if header is not None:
        text = _cut(text, [s for s in _own_keys(text, header, place) if s.path[len(path)] in values])
        start = _line_end(text, header.start)
        text = _joined(text[:start], newline) + "".join(line + newline for line in lines) + text[start:]
    else:
        text = take_table(data, path, place).decode()
        before = _joined(text, newline)
        separator = newline if before.removeprefix(BYTE_ORDER_MARK) else ""
        text = before + separator + newline.join([f"[{'.'.join(map(_key, path))}]", *lines]) + newline
    return _checked(text, path, wanted, place)


def take_table(data: bytes, path: tuple[str, ...], place: str) -> bytes:
    """Take a table out, with the tables below it and the blank line before it.

    Raises:
        InvalidClientFileError: The document is not TOML in UTF-8, or has the table inside a value.
    """
    if find_table(data, path, place) is None:
        return data
    text = decode_text(data, place)
    after = _cut(text, [found for found in _scan(text, place) if found.path[: len(path)] == path])
    return _checked(after, path, None, place)


def _checked(text: str, path: tuple[str, ...], wanted: Mapping[str, object] | None, place: str) -> bytes:
    """See that the document is TOML still, and says what it should."""
    name = ".".join(path)
    data = text.encode()
    try:
        found = find_table(data, path, place)
    except InvalidClientFileError as error:
        raise InvalidClientFileError(place, f"it has no room for a table [{name}]: {error.reason}") from error
    fits = found is None if wanted is None else isinstance(found, dict) and wanted.items() <= found.items()
    if not fits:
        raise InvalidClientFileError(place, f"{name} is written inside another value; write it as a table [{name}]")
    return data


def _load(text: str, place: str) -> Mapping[str, object]:
    try:
        # TOML ends lines by \n or \r\n; tomllib's own reading of a file translates them too.
        return tomllib.loads(text.removeprefix(BYTE_ORDER_MARK))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise InvalidClientFileError(place, f"it is not TOML: {error}") from error


def _cut(text: str, statements: Sequence[_Statement]) -> str:
    for found in sorted(statements, key=attrgetter("start"), reverse=True):
        start = found.start
        # Only the blank line before a table belongs to it; a comment belongs to whoever wrote it.
        if found.is_header and (blank := re.search(r"(?:\A\ufeff?|\n)(\r?\n)\Z", text[:start])):
            start = blank.start(1)
        text = text[:start] + text[found.end :]
    return text


def _own_keys(text: str, header: _Statement, place: str) -> Iterator[_Statement]:
    following = (found for found in _scan(text, place) if found.start > header.start)
    for found in following:
        if found.is_header:
            return
        yield found


def _scan(text: str, place: str) -> list[_Statement]:
    """Every statement of a document that is known to be TOML."""
    statements: list[_Statement] = []
    table: tuple[str, ...] = ()
    at = _skip(text, len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0)
    while at < len(text):
        start = text.rfind("\n", 0, at) + 1
        start = start if not text[start:at].strip(" \t") else at
        if text[at] == "[":
            brackets = 2 if text.startswith("[[", at) else 1
            table, close = _read_key(text, _skip(text, at + brackets))
            end = _line_end(text, text.index("]", close) + brackets)
            statements.append(_Statement(table, True, start, end))
        else:
            path, value = _read_key(text, at)
            end = _value_end(text, value)
            statements.append(_Statement(table + path, False, start, end))
        if end <= at:
            raise InvalidClientFileError(place, "it is written in a way that cannot be edited")
        at = _skip(text, end)
    return statements


def _read_key(text: str, at: int) -> tuple[tuple[str, ...], int]:
    """A dotted key, and the offset after it."""
    start = at
    while match := _KEY.match(text, at):
        at = match.end()
        if not match[0].rstrip(" \t").endswith("."):
            break
    path: list[str] = []
    table: object = tomllib.loads(f"{text[start:at]} = 0")
    while isinstance(table, dict):
        ((key, table),) = table.items()
        path.append(key)
    return tuple(path), at


def _value_end(text: str, at: int) -> int:
    """The end of the line on which a value ends, brackets and quotes closed."""
    depth = 0
    while match := _PIECE.search(text, at):
        piece, at = match[0], match.end()
        if piece in ("[", "{"):
            depth += 1
        elif piece in ("]", "}"):
            depth -= 1
        elif piece == "\n" and depth == 0:
            return at
    return len(text)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _joined(text: str, newline: str) -> str:
    return text if not text.removeprefix(BYTE_ORDER_MARK) or text.endswith("\n") else text + newline


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _render(key)


def _render(value: TomlValue) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_render, value))}]"
    # JSON's words for truth are TOML's, and a JSON string is a TOML basic string but for DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
