"""Bytes of a text file become text, whatever encoding they are in; never fails."""

import codecs
import re
from collections.abc import Callable

__all__ = ["decode_text"]

# The marks of UTF-32 begin with those of UTF-16, so they come first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARATION = re.compile(rb"""(?:coding|charset)\s*[:=]\s*["']?([A-Za-z0-9_-]+)""", re.IGNORECASE)
# A file may declare only encodings of text: Python's codecs include some that compute (`punycode`, `unicode_escape`).
_DECLARABLE = re.compile(r"iso[-_]?8859|latin|cp\d|windows|koi8|euc|shift|sjis|gb|big5|mac", re.IGNORECASE)
_DECLARATION_BYTES = 512
_SAMPLE_BYTES = 8_192
_VALID_PER_BROKEN = 4


def decode_text(data: bytes, guess_encoding: Callable[[bytes], str | None] = lambda _: None) -> str:
    """Decode a file and give it ``\\n`` line ends.

    In this order: a byte-order mark; valid UTF-8; UTF-8 with a few broken bytes; the encoding that the file declares
    about itself; the guess; Windows-1252.

    Args:
        guess_encoding: Asked with a sample only when all else is undecided; may answer `None`.
    """
    text = _decode(data, guess_encoding)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "\ufffd")


def _decode(data: bytes, guess_encoding: Callable[[bytes], str | None]) -> str:
    for mark, marked in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(marked, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if _is_damaged_utf8(data):
        return data.decode("utf-8", "replace")
    for find in (_find_declared, lambda data: guess_encoding(_sample(data)), lambda _: "cp1252"):
        encoding = find(data)
        if encoding is not None and (text := _try(data, encoding)) is not None:
            return text
    return data.decode("cp1252", "replace")


def _find_declared(data: bytes) -> str | None:
    declaration = _DECLARATION.search(data, 0, _DECLARATION_BYTES)
    name = declaration[1].decode("ascii") if declaration else ""
    return name if _DECLARABLE.match(name) else None


def _is_damaged_utf8(data: bytes) -> bool:
    sample = data.decode("utf-8", "replace")
    broken = sample.count("\ufffd")
    return sum(character > "\x7f" for character in sample) - broken >= _VALID_PER_BROKEN * broken


def _sample(data: bytes) -> bytes:
    """A stretch around the first byte that is not ASCII; the beginning alone may say nothing."""
    first = next((at for at, byte in enumerate(data) if byte > 0x7F), 0)
    start = max(0, data.rfind(b"\n", 0, first) + 1)
    return data[start : start + _SAMPLE_BYTES]


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None
