"""The text of a configuration file, and back: the same bytes, whatever its line ends, with or without a mark."""

from imprint.errors import InvalidClientFileError

__all__ = ["BYTE_ORDER_MARK", "decode_text", "newline_of"]

BYTE_ORDER_MARK = "\ufeff"


def decode_text(data: bytes, place: str) -> str:
    """Decode UTF-8; a byte-order mark stays in front, so that encoding gives the same bytes.

    Args:
        place: The file, for errors.

    Raises:
        InvalidClientFileError: It is not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidClientFileError(place, "it is not UTF-8 text") from error


def newline_of(text: str) -> str:
    r"""How its lines end: as the first of them does, ``\n`` where there is none."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"
