"""Git's own files, as far as finding files needs them: the index, and two settings of the configuration.

Paths are text in byte form: one character a byte, as `bytes.decode("latin-1")` gives it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

import attrs

__all__ = ["InvalidIndexError", "TrackedFiles", "is_set", "parse_config", "parse_index"]

_HEADER = 12
_ENTRY_NAME = 42  # offset of a name in an entry without its object id: stat data, then two bytes of flags
_EXTENDED_FLAG = 0x4000
_SPLIT_EXTENSION = b"link"


class InvalidIndexError(ValueError):
    """Not an index that we can read; the ignore rules alone decide then."""


@attrs.frozen
class TrackedFiles:
    """The paths of an index in byte order."""

    paths: tuple[str, ...] = ()

    def has(self, path: str) -> bool:
        at = bisect_left(self.paths, path)
        return at < len(self.paths) and self.paths[at] == path

    def has_below(self, folder: str) -> bool:
        """Whether a folder holds a tracked file or is a submodule."""
        at = bisect_left(self.paths, folder + "/")
        return (at < len(self.paths) and self.paths[at].startswith(folder + "/")) or self.has(folder)


def parse_index(data: bytes, *, id_size: int = 20) -> TrackedFiles:
    """Read the paths of an index of version 2, 3 or 4.

    Args:
        id_size: Bytes of an object id: 20, or 32 in a SHA-256 repository.

    Raises:
        InvalidIndexError: Damaged, of another version, or split into two files.
    """
    version, count = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        raise InvalidIndexError("not an index of version 2, 3 or 4")
    paths: list[str] = []
    at, name = _HEADER, b""
    for _ in range(count):
        flags_at = at + _ENTRY_NAME - 2 + id_size
        extended = version > 2 and data[flags_at : flags_at + 1] >= b"\x40" and _is_extended(data, flags_at)
        start = flags_at + (4 if extended else 2)
        if version == 4:
            dropped, start = _read_offset(data, start)
            end = data.find(b"\0", start)
            name = name[: len(name) - dropped] + data[start:end]
            following = end + 1
        else:
            end = data.find(b"\0", start)
            name = data[start:end]
            following = at + ((end - at + 8) & ~7)
        if end < 0:
            raise InvalidIndexError("the index ends within an entry")
        paths.append(name.decode("latin-1"))
        at = following
    if any(signature == _SPLIT_EXTENSION for signature in _extensions(data, at, len(data) - id_size)):
        raise InvalidIndexError("the index is split")
    return TrackedFiles(tuple(sorted(paths)))


def parse_config(data: bytes) -> dict[str, str]:
    """Read a configuration file: ``section.key`` (or ``section.subsection.key``) and its last value.

    Total: what is no setting is passed over. A key without a value means true.
    """
    settings: dict[str, str] = {}
    section = ""
    text = re.sub(r"\\\r?\n", "", data.decode("utf-8", "surrogateescape").removeprefix("\ufeff"))
    for line in text.splitlines():
        if header := re.match(r"""\s*\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]""", line):
            subsection = re.sub(r"\\(.)", r"\1", header[2]) if header[2] is not None else None
            section = header[1].lower() + (f".{subsection}" if subsection is not None else "")
            line = line[header.end() :]
        if setting := re.match(r"\s*([A-Za-z][\w-]*)\s*(?:=(.*))?", line):
            settings[f"{section}.{setting[1].lower()}"] = "true" if setting[2] is None else _unquote(setting[2])
    return settings


def is_set(config: Mapping[str, str], key: str) -> bool:
    """Whether a setting that is true or false is true."""
    return config.get(key, "").lower() in ("true", "yes", "on", "1")


def _is_extended(data: bytes, flags_at: int) -> bool:
    return bool(int.from_bytes(data[flags_at : flags_at + 2], "big") & _EXTENDED_FLAG)


def _read_offset(data: bytes, at: int) -> tuple[int, int]:
    """Git's offset encoding: seven bits a byte, each continuation adds one."""
    try:
        value = data[at] & 0x7F
        while data[at] & 0x80:
            at += 1
            value = ((value + 1) << 7) | (data[at] & 0x7F)
    except IndexError as error:
        raise InvalidIndexError("the index ends within an entry") from error
    return value, at + 1


def _extensions(data: bytes, at: int, end: int) -> Iterator[bytes]:
    while at + 8 <= end:
        yield data[at : at + 4]
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "big")


def _unquote(value: str) -> str:
    escapes = {"n": "\n", "t": "\t", "b": "\b"}
    text, kept, quoted = "", 0, False
    characters = iter(value.lstrip())
    for character in characters:
        if character == "\\":
            following = next(characters, "")
            text += escapes.get(following, following)
        elif character == '"':
            quoted = not quoted
        elif character in "#;" and not quoted:
            break
        else:
            text += character
            if not quoted and character.isspace():
                continue
        kept = len(text)
    return text[:kept]
