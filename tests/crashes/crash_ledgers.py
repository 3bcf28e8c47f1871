"""What a program that may be killed at any moment meant to do, and what it was told was done.

A ledger is a file outside the data folder, one JSON line an entry, each written with one system call: what was noted
before a kill is there after it.
"""

import json
import os
from pathlib import Path

import attrs

__all__ = ["Ledger"]


@attrs.frozen
class Ledger:
    """Things by name (``source default memory:1``), each with a value, or `None` where it is to be gone."""

    path: Path

    def intend(self, thing: str, value: str | None) -> None:
        """Note that from now on a thing may have this value."""
        self._note("intend", thing, value)

    def acknowledge(self, thing: str, value: str | None) -> None:
        """Note that the program was told: the thing has this value, and nothing may change that but an intention."""
        self._note("acknowledge", thing, value)

    def allowed(self) -> dict[str, set[str | None]]:
        """The values that each thing may have now; of a program that was killed before it meant anything, none."""
        allowed: dict[str, set[str | None]] = {}
        noted = self.path.read_text("utf-8").splitlines() if self.path.exists() else []
        for kind, thing, value in map(json.loads, noted):
            if kind == "acknowledge":
                allowed[thing] = {value}
            else:
                allowed.setdefault(thing, {None}).add(value)
        return allowed

    def _note(self, kind: str, thing: str, value: str | None) -> None:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, (json.dumps([kind, thing, value]) + "\n").encode())
        finally:
            os.close(descriptor)
