"""Archives: bundles and backups alike are one file of members, told by a manifest, that a stranger may have written.

What is read here is JSON that is believed in nothing: every field has its type, none is unknown, none is missing.
"""

import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypeAlias

import attrs

__all__ = [
    "LONGEST_LINE",
    "MANIFEST_LIMIT",
    "Fields",
    "MalformedError",
    "Member",
    "finish",
    "parse_head",
    "parse_members",
    "parse_object",
    "render_members",
    "render_object",
    "take_list",
    "take_moment",
    "take_number",
    "take_optional_number",
    "take_text",
]

Fields: TypeAlias = dict[str, object]
"""A JSON object whose fields are taken out one by one."""

MANIFEST_LIMIT = 4 * 2**20
LONGEST_LINE = 16 * 2**20
"""Bytes. A passage has a few thousand characters; what is longer than this no program of ours wrote."""

_SAID_OF_KINDS = {
    "imprint-backup": "it is a backup, which 'imprint restore' takes",
    "imprint-bundle": "it is a bundle, which 'imprint import' takes",
}

_LARGEST = 2**63 - 1
_DIGEST = re.compile(r"[0-9a-f]{64}")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z", re.ASCII)


class MalformedError(ValueError):
    """What was read cannot have been written by us; the adapter adds which file it is from."""


@attrs.frozen(kw_only=True)
class Member:
    """One part of an archive, as its manifest tells.

    Attributes:
        size: Bytes when unpacked.
        digest: SHA-256 of those bytes, in hexadecimal.
    """

    name: str
    size: int
    digest: str


def parse_object(data: bytes) -> Fields:
    """Read a JSON object.

    Raises:
        MalformedError: It is none, or a field occurs twice.
    """
    try:
        value = json.loads(data.decode(), object_pairs_hook=_without_repetition)
    except MalformedError:
        raise
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"a line is not JSON: {str(error)[:100]}") from error
    return _require_object(value)


def render_object(value: Mapping[str, object]) -> bytes:
    """Write a JSON object on a line of its own."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def take_text(fields: Fields, name: str, *, default: str | None = None) -> str:
    """Take out a text that UTF-8 can hold."""
    value = fields.pop(name, default)
    if not isinstance(value, str):
        raise MalformedError(f"{name!r} is no text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise MalformedError(f"{name!r} holds half a character") from None
    return value


def take_moment(fields: Fields, name: str, *, default: str | None = None) -> str:
    """Take out a moment in UTC, or the default."""
    value = take_text(fields, name, default=default)
    if value != default and not _is_moment(value):
        raise MalformedError(f"{name!r} is no moment in UTC")
    return value


def parse_head(data: bytes, kind: str) -> tuple[Fields, int]:
    """Read what every manifest begins with: the kind, which has to be this one, and the number of its format.

    Raises:
        MalformedError: It is no object, of another kind, or has no such number.
    """
    fields = parse_object(data)
    found = fields.pop("kind", None)
    if found != kind:
        known = _SAID_OF_KINDS.get(found) if isinstance(found, str) else None
        raise MalformedError(known or f"it does not say that it is a {kind.removeprefix('imprint-')}")
    return fields, take_number(fields, "format", least=1)


def take_number(fields: Fields, name: str, *, least: int = 0) -> int:
    """Take out a whole number that a database can hold."""
    value = fields.pop(name, None)
    if type(value) is not int or not least <= value <= _LARGEST:
        raise MalformedError(f"{name!r} is no number from {least}")
    return value


def take_optional_number(fields: Fields, name: str, *, least: int = 0) -> int | None:
    """Take out a whole number, or `None` where there is none."""
    return take_number(fields, name, least=least) if name in fields else None


def take_list(fields: Fields, name: str) -> list[Fields]:
    """Take out a list of objects."""
    value = fields.pop(name, None)
    if not isinstance(value, list):
        raise MalformedError(f"{name!r} is no list")
    return [_require_object(item) for item in value]


def finish(fields: Fields) -> None:
    """Raises:
    MalformedError: Something is left that nobody took.
    """
    if fields:
        raise MalformedError(f"{next(iter(fields))[:40]!r} is not known here")


def render_members(members: Iterable[Member]) -> list[Fields]:
    """Write what a manifest says of its members."""
    return [{"name": member.name, "bytes": member.size, "sha256": member.digest} for member in members]


def parse_members(fields: Fields) -> tuple[Member, ...]:
    """Take out what a manifest says of its members.

    Raises:
        MalformedError: It says it in another way than ours, or of one member twice.
    """
    members = []
    for one in take_list(fields, "members"):
        member = Member(name=take_text(one, "name"), size=take_number(one, "bytes"), digest=take_text(one, "sha256"))
        if not _DIGEST.fullmatch(member.digest):
            raise MalformedError("'sha256' is no digest")
        finish(one)
        members.append(member)
    if len({member.name for member in members}) < len(members):
        raise MalformedError("a member is listed twice")
    return tuple(members)


def _is_moment(text: str) -> bool:
    if not _MOMENT.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:  # the thirty-first of February
        return False
    return True


def _require_object(value: object) -> Fields:
    if not isinstance(value, dict):
        raise MalformedError("a value is no object")
    return value


def _without_repetition(pairs: list[tuple[str, object]]) -> Fields:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise MalformedError("a field occurs twice")
    return fields
