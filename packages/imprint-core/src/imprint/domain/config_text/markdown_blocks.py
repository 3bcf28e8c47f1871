"""A marked block in an instructions file that a person writes: put in at the end, kept current, taken out again."""

import re

from imprint.domain.config_text.encoded_text import decode_text, newline_of
from imprint.errors import InvalidClientFileError

__all__ = ["find_block", "put_block", "take_block"]

_BEGIN = "<!-- imprint:begin -->"
_END = "<!-- imprint:end -->"
_BLOCK = re.compile(re.escape(_BEGIN) + r"\r?\n(.*?)\r?\n?" + re.escape(_END), re.DOTALL)


def find_block(data: bytes, place: str) -> str | None:
    r"""The text of our block, lines ended by ``\n``; `None` where there is none.

    Raises:
        InvalidClientFileError: It is not UTF-8, or a mark of the block stands alone.
    """
    match = _find(decode_text(data, place), place)
    return None if match is None else match[1].replace("\r\n", "\n")


def put_block(data: bytes, content: str, place: str) -> bytes:
    """Write our block: in its place, or at the end after a blank line.

    Raises:
        InvalidClientFileError: It is not UTF-8, or a mark of the block stands alone.
    """
    text = decode_text(data, place)
    newline = newline_of(text)
    block = newline.join([_BEGIN, *content.strip("\n").split("\n"), _END])
    match = _find(text, place)
    if match is not None:
        return (text[: match.start()] + block + text[match.end() :]).encode()
    if not text.removeprefix("\ufeff"):
        return f"{text}{block}{newline}".encode()
    if text.endswith("\n"):
        return f"{text}{newline}{block}{newline}".encode()
    # How the file ended is told by how it ends now: with no line end after the block, there was none.
    between = "\r\n" if text.endswith("\r") else newline
    return f"{text}{between}{between}{block}".encode()


def take_block(data: bytes, place: str) -> bytes:
    """Take our block out, with the blank line before it: what `put_block` put in, and nothing else.

    Raises:
        InvalidClientFileError: It is not UTF-8, or a mark of the block stands alone.
    """
    text = decode_text(data, place)
    match = _find(text, place)
    if match is None:
        return data
    before, after = text[: match.start()], text[match.end() :]
    ended = _drop_first_newline(after)
    if len(ended) < len(after):
        shorter = _drop_last_newline(before)
        return ((shorter if shorter.endswith("\n") else before) + ended).encode()
    return (_drop_last_newline(_drop_last_newline(before)) + after).encode()


def _find(text: str, place: str) -> re.Match[str] | None:
    match = _BLOCK.search(text)
    marks = text.count(_BEGIN) + text.count(_END)
    if marks != (2 if match else 0):
        raise InvalidClientFileError(place, f"'{_BEGIN}' and '{_END}' are not there as one pair")
    return match


def _drop_last_newline(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\r\n") else text.removesuffix("\n")


def _drop_first_newline(text: str) -> str:
    return text.removeprefix("\r\n") if text.startswith("\r\n") else text.removeprefix("\n")
