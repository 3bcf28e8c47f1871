"""Logs of what went wrong where nobody could be told at once: one line a fault, without anything that was said."""

import os
import time
from collections.abc import Sequence

__all__ = ["HOOK_LOG", "MODEL_LOG", "note_fault", "read_faults"]

HOOK_LOG = "hooks.log"
MODEL_LOG = "language-model.log"

_MOST_BYTES = 100_000
_SHOWN_SECONDS = 24 * 3600


def note_fault(folder: str, log: str, words: Sequence[str], error: BaseException) -> None:
    """Add a fault to a log of a data folder; where it cannot be written there is nobody to tell.

    Args:
        words: What it befell, such as a client and its event.
    """
    line = " ".join([str(int(time.time())), *map(_word, words), _describe(error)]) + "\n"
    try:
        logs = os.path.join(folder, "logs")  # noqa: PTH118 (`pathlib` is half a hook's budget)
        for place in (folder, logs):  # one by one: what is made on the way to another is open to everybody
            os.makedirs(place, mode=0o700, exist_ok=True)  # noqa: PTH103
        path = os.path.join(logs, log)  # noqa: PTH118
        is_full = os.path.exists(path) and os.path.getsize(path) > _MOST_BYTES  # noqa: PTH110, PTH202
        with open(path, "w" if is_full else "a", encoding="utf-8") as file:  # noqa: PTH123
            file.write(line)
    except OSError:
        return


def read_faults(folder: str, log: str) -> tuple[str, ...]:
    """The faults of the last day, oldest first: the words, what it was and where."""
    try:
        with open(os.path.join(folder, "logs", log), encoding="utf-8", errors="replace") as file:  # noqa: PTH118, PTH123
            lines = file.read().splitlines()
    except OSError:
        return ()
    since = time.time() - _SHOWN_SECONDS
    parted = [line.partition(" ") for line in lines]
    return tuple(rest for moment, _, rest in parted if moment.isdigit() and int(moment) >= since)


def _describe(error: BaseException) -> str:
    """Its type and where it arose: its words may hold text of the user's."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f" {os.path.basename(code.co_filename)}:{trace.tb_lineno}"  # noqa: PTH119
        trace = trace.tb_next
    return type(error).__name__ + place


def _word(text: str) -> str:
    """A client's, an event's or a plugin's name, which comes from a configuration."""
    return "".join(char if char.isalnum() or char in "-_" else "_" for char in text[:40]) or "_"
