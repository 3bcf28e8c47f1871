"""JSON lines as clients append them: read from where one stopped, whatever is torn or strange left out."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from typing import NamedTuple

from imprint.domain.conversations import Checkpoint, Turn
from imprint.protocols.clients import TranscriptReader

__all__ = ["LineObject", "Position", "identify", "read_objects", "spoken", "utc", "utc_of_epoch"]

_LINES_A_CHECKPOINT = 500
_POSITION = re.compile(r"([0-9]{1,18}):([0-9]{1,18}):(.*)", re.DOTALL)


class Position(NamedTuple):
    """How far a transcript was read, and what the parser has to know to go on.

    Attributes:
        end: Offset after the last line.
        number: Of that line.
        state: The parser's own.
    """

    end: int = 0
    number: int = 0
    state: str = ""

    @classmethod
    def parse(cls, since: str) -> "Position":
        """Read what `checkpoint` wrote; anything else means: from the start."""
        found = _POSITION.fullmatch(since)
        return cls(int(found[1]), int(found[2]), found[3]) if found else cls()

    def checkpoint(self) -> Checkpoint:
        return Checkpoint(f"{self.end}:{self.number}:{self.state}")


class LineObject(NamedTuple):
    """A line that holds a JSON object; ``value`` is `None` where it was not wanted or is none."""

    position: Position
    value: Mapping[str, object] | None
    is_checkpoint: bool


def read_objects(reader: TranscriptReader, start: Position, wanted: re.Pattern[bytes]) -> Iterator[LineObject]:
    """Each complete line from a position on, those that are wanted parsed.

    Most of a transcript's bytes are tool output and snapshots: only a line that the pattern finds is parsed.
    """
    for number, end, data in reader.lines(start.end, start.number):
        value = _parse(data) if wanted.search(data) else None
        yield LineObject(Position(end, number), value, number % _LINES_A_CHECKPOINT == 0)


def identify(id: object, transcript: str, turn: Turn) -> Turn:
    """A turn under its client's id; without one it is known by what was said when, which copies of it have as well.

    Args:
        transcript: What tells this transcript from others: where a turn has no time either, it is known by its place.
    """
    if isinstance(id, str) and (known := spoken(id)):
        return turn._replace(id=known)
    if not turn.time:
        return turn._replace(id=f"{spoken(transcript)} line {turn.line}")
    said = blake2b(f"{turn.time}\0{turn.role}\0{turn.text}".encode(), digest_size=16)
    return turn._replace(id=f"said {said.hexdigest()}")


def spoken(text: str) -> str:
    """Text without what no database takes: half of a surrogate pair, NUL."""
    try:
        text.encode()
    except UnicodeEncodeError:
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "\ufffd").strip()


def utc(moment: object) -> str:
    """A client's ISO time as UTC with milliseconds and ``Z``; empty where it is none."""
    if not isinstance(moment, str):
        return ""
    try:
        parsed = datetime.fromisoformat(moment)
        aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
        return aware.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return ""


def utc_of_epoch(moment: object, *, units: int = 1) -> str:
    """A number of seconds since 1970 (or of ``units`` a second) as `utc` has it; empty where it is none."""
    if not isinstance(moment, int | float) or isinstance(moment, bool):
        return ""
    try:
        return utc(datetime.fromtimestamp(moment / units, UTC).isoformat())
    except (ValueError, OverflowError, OSError):
        return ""


def _parse(data: bytes) -> Mapping[str, object] | None:
    try:
        value = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
