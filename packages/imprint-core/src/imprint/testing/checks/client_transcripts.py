"""Checks of the group ``imprint.clients`` that are about transcripts, whole, torn and strange."""

import json
from collections.abc import Callable, Iterator
from typing import Final

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from imprint.plugins import Checkpoint, TranscriptReference, Turn
from imprint.testing.checks.client_subjects import EXAMPLES, HOME, Client
from imprint.testing.client_files import CrowdedClientFiles, MemoryTranscript
from imprint.testing.conformance import ensure

__all__ = ["transcript_promises"]

_TEXTS: Final = ("We decided on tabs.", "日本語", "a\u2028b", "\ud800", "a\0b", "", " ", "<environment_context>")
_TYPES: Final = ("user", "assistant", "response_item", "session_meta", "turn_context", "message", "summary", "other")
_MOMENTS: Final = (
    "2026-01-02T03:04:05.678Z",
    "2026-01-02T03:04:05+01:00",
    "yesterday",
    "",
    "0001-01-01T00:00:00+14:00",
)
_ANYTHING: Final[SearchStrategy[object]] = (
    st.none() | st.booleans() | st.integers() | st.sampled_from(_TEXTS) | st.just([]) | st.just({})
)


def transcript_promises() -> list[Callable[[Client], None]]:
    """The promises."""
    return [parts_lead_to_their_session, any_lines_are_read, turns_can_be_stored, reading_goes_on_where_it_stopped]


def parts_lead_to_their_session(client: Client) -> None:
    """What a transcript is said to be a part of is found too, and is part of nothing, or leads on to what is not.

    If this fails, look at ``part_of``: it is the other's ``session``, so its ``conversation`` or the name of its file.
    """
    found = client.find_transcripts(CrowdedClientFiles(HOME.path))
    reached = {one.session for one in found if not one.part_of}
    while more := {one.session for one in found if one.part_of in reached} - reached:
        reached |= more
    for one in found:
        ensure(not (one.needs_cwd and (one.cwd or one.directories)), f"{one.path} needs a directory, and has one")
        ensure(
            not one.part_of or one.part_of in reached,
            f"{one.path} is said to be a part of {one.part_of!r}, which leads to no session that is found",
        )


def any_lines_are_read(client: Client) -> None:
    """Whatever is on a transcript's lines, wherever it is cut off: reading raises nothing and ends with a checkpoint.

    If this fails, look at the line that hypothesis found: torn, no object, or with values of other types.
    """

    @EXAMPLES
    @given(_transcripts(_lines() | _strange_lines()), st.integers(0, 200))
    def are_read(data: bytes, cut: int) -> None:
        _ensure_readable(client, data[: len(data) - cut] if cut < len(data) else data)

    are_read()
    for recorded in client.transcripts:
        for end in _cuts(recorded):
            _ensure_readable(client, recorded[:end])


def turns_can_be_stored(client: Client) -> None:
    """A turn has an id and text that UTF-8 holds, without NUL, and a time in UTC or none.

    If this fails, look at lone surrogates, at text of blanks alone, and at times without a zone.
    """

    def can_be_stored(data: bytes) -> None:
        for turn in _turns(_read(client, data, "")):
            ensure(turn.id and turn.text.strip() and "\0" not in turn.text, f"{turn!r} of {data!r:.300}")
            turn.text.encode()
            turn.id.encode()
            ensure(not turn.time or turn.time.endswith("Z"), f"the time {turn.time!r} is not in UTC")

    @EXAMPLES
    @given(_transcripts(_lines()))
    def hold(data: bytes) -> None:
        can_be_stored(data)

    hold()
    for recorded in client.transcripts:
        can_be_stored(recorded)


def reading_goes_on_where_it_stopped(client: Client) -> None:
    """A transcript that has grown gives, from its last checkpoint on, what is new and nothing twice.

    If this fails, look at what ``position`` of a checkpoint holds, and at how ``since`` is read.
    """

    def goes_on(data: bytes, end: int) -> None:
        whole = _turns(_read(client, data, ""))
        first = list(_read(client, data[:end], ""))
        since = [item.position for item in first if isinstance(item, Checkpoint)][-1]
        later = _turns(_read(client, data, since))
        ensure(
            [*_turns(iter(first)), *later] == whole,
            f"in two readings there are {len(_turns(iter(first)))} and {len(later)} turns, in one {len(whole)}",
        )

    @EXAMPLES
    @given(_transcripts(_lines()), st.data())
    def hold(data: bytes, draw: st.DataObject) -> None:
        goes_on(data, draw.draw(st.sampled_from(_cuts(data))))

    hold()
    for recorded in client.transcripts:
        for end in _cuts(recorded)[:: max(len(_cuts(recorded)) // 20, 1)]:
            goes_on(recorded, end)


def _ensure_readable(client: Client, data: bytes) -> None:
    items = list(_read(client, data, ""))
    ensure(items and isinstance(items[-1], Checkpoint), f"it does not end with a checkpoint: {data!r:.300}")


def _read(client: Client, data: bytes, since: str) -> Iterator[object]:
    transcript = TranscriptReference(path=HOME.path / "transcript.jsonl")
    read: Iterator[object] = client.handle.call(
        "read_transcript", transcript=transcript, reader=MemoryTranscript(data), since=since
    )
    return read


def _turns(items: Iterator[object]) -> list[Turn]:
    return [item for item in items if isinstance(item, Turn)]


def _cuts(data: bytes) -> list[int]:
    """After every line, and in the middle of the next one."""
    ends = [index + 1 for index, byte in enumerate(data) if byte == 0x0A]
    return sorted({0, len(data), *ends, *(min(end + 7, len(data)) for end in ends)})


@st.composite
def _lines(draw: st.DrawFn) -> bytes:
    """A line as clients write them, with anything in the place of some values."""
    text = draw(st.sampled_from(_TEXTS))
    blocks = [{"type": draw(st.sampled_from(["text", "input_text", "tool_result"])), "text": text}]
    message = {"id": "m", "type": "message", "role": draw(st.sampled_from(["user", "assistant", "developer"]))}
    line: dict[str, object] = {
        "type": draw(st.sampled_from(_TYPES)),
        "uuid": draw(st.sampled_from(["a", "b", "c"])),
        "id": draw(st.sampled_from(["a", "b", "c"])),
        "sessionId": "s",
        "cwd": "/home/somebody/src",
        "timestamp": draw(st.sampled_from(_MOMENTS)),
        "content": text,
        "message": {**message, "content": draw(st.sampled_from([text, blocks]))},
        "payload": {**message, "content": blocks, "cwd": "/home/somebody/src"},
    }
    for key in draw(st.lists(st.sampled_from(sorted(line)), max_size=2)):
        line[key] = draw(_ANYTHING)
    return json.dumps(line, ensure_ascii=draw(st.booleans())).encode("utf-8", "surrogatepass")


def _strange_lines() -> SearchStrategy[bytes]:
    """What is no object."""
    return st.sampled_from([b"", b"null", b"[1]", b'{"type": "user"', b"\xff\xfe", b"[" * 5000, b'"user"'])


def _transcripts(lines: SearchStrategy[bytes]) -> SearchStrategy[bytes]:
    return st.lists(lines, max_size=6).map(lambda lines: b"".join(line + b"\n" for line in lines))
