"""Exports: what of an archive that a stranger may have made is opened, and when none of it is."""

import re
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

__all__ = ["LONGEST_ENTRY", "MOST_MEMBERS", "ListedMember", "find_refusal", "is_wanted"]

MOST_MEMBERS = 50_000
LONGEST_ENTRY = 32 << 20
"""Characters of one conversation."""

_MOST_BYTES = 8 << 30
_MOST_RATIO = 200
_UNSUSPICIOUS_BYTES = 1 << 20
"""So little may be blanks, for all we care."""

_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:")


class ListedMember(NamedTuple):
    """A member of an archive, as the archive's directory tells.

    Attributes:
        size: Bytes when unpacked; ``packed`` those in the archive.
        is_readable: Packed in a way that every ZIP program knows.
    """

    name: str
    size: int
    packed: int
    is_encrypted: bool = False
    is_readable: bool = True


def is_wanted(name: str, patterns: Collection[str]) -> bool:
    """Whether a member holds conversations, in whichever folder of the archive it lies."""
    last = name.rpartition("/")[2]
    return any(fnmatchcase(last, pattern) for pattern in patterns)


def find_refusal(members: Sequence[ListedMember], patterns: Collection[str]) -> str:
    """Why nothing of an archive is to be read; empty where all is well.

    Nothing is ever unpacked to the places that an archive names, and only wanted members are opened. An archive that
    names places outside itself all the same, or one place twice, was made by nobody who wants a conversation read.
    """
    if len(members) > MOST_MEMBERS:
        return f"it has more than {MOST_MEMBERS:,} members"
    if len({member.name for member in members}) < len(members):
        return "it has two members of one name"
    if escaping := next((member.name for member in members if _escapes(member.name)), ""):
        return f"the name {escaping[:80]!r} leads out of it"
    wanted = [member for member in members if is_wanted(member.name, patterns)]
    return _find_refusal_of_wanted(wanted)


def _find_refusal_of_wanted(members: Iterable[ListedMember]) -> str:
    total = 0
    for member in members:
        total += member.size
        if member.is_encrypted:
            return f"{member.name[:80]} is encrypted"
        if not member.is_readable:
            return f"{member.name[:80]} is packed in an unusual way"
        if member.size > max(_UNSUSPICIOUS_BYTES, _MOST_RATIO * member.packed):
            return f"{member.name[:80]} unpacks to more than {_MOST_RATIO} times its size"
    return f"its conversations unpack to more than {_MOST_BYTES:,} bytes" if total > _MOST_BYTES else ""


def _escapes(name: str) -> bool:
    return _ABSOLUTE.match(name) is not None or ".." in re.split(r"[/\\]", name)
