"""What a distribution's own files and Windows' list of distributions say, read for what is needed and no more."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

import attrs

from imprint.domain.paths import parse_path
from imprint.errors import InvalidPathError

__all__ = [
    "Configuration",
    "User",
    "find_user",
    "is_distribution_name",
    "is_user_name",
    "read_configuration",
    "read_names",
    "read_users",
]

_DISTRIBUTION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?")
_USER = re.compile(r"[a-z_][a-z0-9_-]{0,31}")
# Docker's machinery: nobody's home.
_NOT_FOR_PEOPLE = re.compile(r"docker-desktop(?:-data)?", re.IGNORECASE)
_SECTION = re.compile(r"\[([^\]]*)\]")
_FIRST_PERSON, _NOBODY = 1000, 65534
_USUAL_DRIVES = PurePosixPath("/mnt")


class User(NamedTuple):
    """A line of ``/etc/passwd``."""

    number: int
    home: str


@attrs.frozen
class Configuration:
    """What ``/etc/wsl.conf`` says (https://learn.microsoft.com/windows/wsl/wsl-config).

    Attributes:
        drives: Where Windows' drives are; `None`: nowhere.
        user: Whom the distribution starts as; empty: it does not say.
    """

    drives: PurePosixPath | None = _USUAL_DRIVES
    user: str = ""


def is_distribution_name(text: str) -> bool:
    """Whether Windows gives such names to distributions."""
    return _DISTRIBUTION.fullmatch(text) is not None


def is_user_name(text: str) -> bool:
    """Whether Linux gives such names to users."""
    return _USER.fullmatch(text) is not None


def read_names(listing: bytes) -> list[str]:
    """The distributions in the output of ``wsl.exe --list --quiet``: UTF-16, or UTF-8 where ``WSL_UTF8`` is set.

    Whatever else it prints, a sentence for instance, is no name.
    """
    is_wide = listing.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in listing
    text = listing.decode(
        "utf-16" if listing.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-16-le" if is_wide else "utf-8", "replace"
    )
    names = [line.strip() for line in text.replace("\r", "\n").split("\n")]
    return [name for name in names if is_distribution_name(name) and not _NOT_FOR_PEOPLE.fullmatch(name)]


def read_configuration(data: bytes) -> Configuration:
    """Read ``/etc/wsl.conf``; what cannot be understood is as if it were not there."""
    values = _read_values(data.decode("utf-8", "replace"))
    drives: PurePosixPath | None = _USUAL_DRIVES
    root = values.get(("automount", "root"), "")
    if root:
        try:
            path = parse_path(root)
        except InvalidPathError:
            path = _USUAL_DRIVES
        drives = path if isinstance(path, PurePosixPath) else _USUAL_DRIVES
    if values.get(("automount", "enabled"), "").lower() in {"false", "0"}:
        drives = None
    user = values.get(("user", "default"), "")
    return Configuration(drives, user if is_user_name(user) else "")


def read_users(data: bytes) -> dict[str, User]:
    """The people in ``/etc/passwd``, and its root; other accounts are programs'."""
    users = {}
    for line in data.decode("utf-8", "replace").split("\n"):
        fields = line.split(":")
        if len(fields) != 7 or not is_user_name(fields[0]) or not (fields[2].isascii() and fields[2].isdecimal()):
            continue
        number = int(fields[2][:10])
        if number == 0 or _FIRST_PERSON <= number < _NOBODY:
            users[fields[0]] = User(number, fields[5])
    return users


def find_user(users: Mapping[str, User], named: str) -> str | None:
    """Whom a distribution starts as: the one it names, else the first that was made, else root."""
    if named:
        return named if named in users else None
    return min(users, key=lambda name: (users[name].number == 0, users[name].number), default=None)


def _read_values(text: str) -> dict[tuple[str, str], str]:
    """``key = value`` by section; ``#`` begins a comment, quotes are dropped. A later line wins."""
    values = {}
    section = ""
    for line in text.replace("\ufeff", "").split("\n"):
        plain = line.split("#", 1)[0].strip()
        if found := _SECTION.fullmatch(plain):
            section = found[1].strip().lower()
            continue
        key, equals, value = plain.partition("=")
        if equals:
            values[section, key.strip().lower()] = value.strip().strip("\"'")
    return values
