"""What was said in a chat that VS Code itself keeps."""

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from imprint.domain.conversations import Checkpoint, ConversationFacts, Role, TranscriptItem, Turn
from imprint.protocols.clients import TranscriptReader
from imprint_client_plugins.transcript_lines import Position, identify, spoken, utc_of_epoch
from imprint_client_plugins.vscode_copilot.chat_journals import ChatRequest, Journal, read_entry

__all__ = ["read_document", "read_journal"]

_LINES_A_CHECKPOINT = 500


def read_journal(reader: TranscriptReader, since: str, *, session: str, path: PurePath) -> Iterator[TranscriptItem]:
    """Give what each line adds, in one reading or in several.

    The document is made from its first line on each time. A prompt counts with its answer, and when that is over: until
    then VS Code may put another in its place. One that was changed after that comes again under its id.
    """
    known, journal, told = Position.parse(since), Journal(), _Told(session, path)
    position = Position()
    for number, end, data in reader.lines():
        position = Position(end, number)
        entry = read_entry(data)
        items = told.items(journal, journal.apply(entry, number)) if entry is not None else ()
        for item in items:
            if number > known.number:
                yield item
        if number % _LINES_A_CHECKPOINT == 0 and number > known.number:
            yield position.checkpoint()
    yield position.checkpoint()


def read_document(reader: TranscriptReader, *, session: str, path: PurePath) -> Iterator[TranscriptItem]:
    """Give everything in a chat of an older version, which was written anew each time.

    Raises:
        TranscriptTooLargeError: It is too large to be read whole.
    """
    data, journal, told = reader.document(), Journal(), _Told(session, path)
    try:
        document = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        document = None
    yield from told.items(journal, journal.apply({"kind": 0, "v": document}, 0))
    yield Checkpoint(f"{len(data)}:0:")


class _Told:
    """What was given of a chat so far."""

    def __init__(self, session: str, path: PurePath) -> None:
        self._session = session
        self._path = path
        self._title: str | None = None
        self._texts: dict[str, str] = {}

    def items(self, journal: Journal, changed: list[ChatRequest]) -> list[TranscriptItem]:
        """What a change has to tell."""
        found: list[TranscriptItem] = []
        if self._title != journal.title:
            self._title = journal.title
            found.append(ConversationFacts(session_id=self._session, title=spoken(journal.title)))
        for request in changed:
            if request.is_over or request is not journal.requests[-1]:
                turns = filter(None, (_prompt(request), _answer(request)))
                found += filter(None, map(self._tell, turns))
        return found

    def _tell(self, named: tuple[object, Turn]) -> Turn | None:
        """A turn, unless it was given as it is."""
        turn = identify(named[0], self._path.stem, named[1])
        if self._texts.get(turn.id) == turn.text:
            return None
        self._texts[turn.id] = turn.text
        return turn


def _prompt(request: ChatRequest) -> tuple[object, Turn] | None:
    text = spoken(request.prompt)
    time = utc_of_epoch(request.value.get("timestamp"), units=1000)
    return (request.id, Turn(id="", role=Role.USER, text=text, time=time, line=request.line)) if text else None


def _answer(request: ChatRequest) -> tuple[object, Turn] | None:
    text = spoken(request.answer)
    value: Mapping[str, object] = request.value
    time = utc_of_epoch(value.get("responseTimestamp", value.get("timestamp")), units=1000)
    turn = Turn(id="", role=Role.ASSISTANT, text=text, time=time, line=request.answer_line)
    named = value.get("responseId") or (f"{request.id} answer" if isinstance(request.id, str) else None)
    return (named, turn) if text else None
