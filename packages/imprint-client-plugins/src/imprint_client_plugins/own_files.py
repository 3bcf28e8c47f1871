"""Files that are ours alone, in folders that a client reads whole; somebody else's file under the same name stays."""

import re
from collections.abc import Sequence

import attrs

from imprint.domain.config_text.encoded_text import BYTE_ORDER_MARK, decode_text
from imprint.errors import InvalidClientFileError
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.registrations import Registration

__all__ = ["OwnFile", "choose_place", "is_free"]


@attrs.frozen(kw_only=True)
class OwnFile:
    """A file between two marked lines, by which it is known; meets `imprint_client_plugins.registrations.Part`.

    Attributes:
        content: What stands between the marks.
        comment: What begins a comment in the file's language; ``comment_end`` ends it.
        head: What has to stand before the first mark.
    """

    content: str
    comment: str
    comment_end: str = ""
    head: str = ""

    def put_in(self, data: bytes, place: str) -> bytes:
        text = decode_text(data, place)
        found = self._pattern.search(text)
        if found is None and not self.is_blank(data):
            raise InvalidClientFileError(place, "it is somebody else's, where a file of Imprint's would have to be")
        before, after = (text[: found.start()], text[found.end() :]) if found is not None else ("", "")
        return f"{before}{self._text}{after}".encode()

    def take_out(self, data: bytes, before: bytes | None, place: str) -> bytes | None:
        text = decode_text(data, place)
        found = self._pattern.search(text)
        if found is None:
            return data
        left = (text[: found.start()] + text[found.end() :]).encode()
        return before if self.is_blank(left) else left

    def is_blank(self, data: bytes) -> bool:
        return not data.decode("utf-8", "replace").removeprefix(BYTE_ORDER_MARK).strip()

    def has_mark(self, data: bytes) -> bool:
        """Whether a file is ours already."""
        return self._pattern.search(data.decode("utf-8", "replace")) is not None

    @property
    def _text(self) -> str:
        return f"{self.head}{self._mark('begin')}\n{self.content.strip()}\n{self._mark('end')}\n"

    @property
    def _pattern(self) -> re.Pattern[str]:
        begin, end = (re.escape(self._mark(word)) for word in ("begin", "end"))
        head = re.escape(self.head).replace("\\\n", r"\r?\n")
        return re.compile(rf"(?:{head})?{begin}\r?\n.*?{end}(?:\r?\n)?", re.DOTALL)

    def _mark(self, word: str) -> str:
        return f"{self.comment} imprint:{word}{self.comment_end}"


def choose_place(candidates: Sequence[Registration], files: ClientFiles) -> Registration:
    """The first place of several that is free or ours already; where none is, the first, which then is refused."""
    return next((candidate for candidate in candidates if is_free(candidate, files)), candidates[0])


def is_free(registration: Registration, files: ClientFiles) -> bool:
    """Whether nobody else's file is there."""
    data, part = files.read(registration.path), registration.part
    return data is None or part.is_blank(data) or (isinstance(part, OwnFile) and part.has_mark(data))
