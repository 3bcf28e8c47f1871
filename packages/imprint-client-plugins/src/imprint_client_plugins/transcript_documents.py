"""Transcripts that are one JSON document, rewritten at every turn."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from imprint.domain.conversations import Checkpoint, Turn

__all__ = ["Message", "json_object", "json_value", "read_messages"]


class Message(NamedTuple):
    """An entry of the list of messages; ``number`` is 1-based."""

    number: int
    value: Mapping[str, object]


def json_value(data: bytes) -> object:
    """What a document holds; `None` where it is torn or strange."""
    try:
        value: object = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value


def json_object(value: object) -> Mapping[str, object]:
    """A value as an object; without members where it is none."""
    return value if isinstance(value, dict) else {}


def read_messages(
    messages: object, since: str, turn_of: Callable[[Message], Turn | None]
) -> Iterator[Turn | Checkpoint]:
    """The turns after those that were read before.

    A document in which anything but its end was changed is read anew by whoever gives ``since``, so that the number of
    messages tells where to go on.

    Args:
        messages: What stands in the place of the list; anything else than a list has none.
        turn_of: What somebody said in a message; `None`: nothing.
    """
    done = int(since) if since.isdecimal() and len(since) < 18 else 0
    for number, value in enumerate(messages if isinstance(messages, list) else (), start=1):
        if number > done:
            done = number
            turn = turn_of(Message(number, json_object(value)))
            if turn is not None:
                yield turn
    yield Checkpoint(str(done) if done else "")
