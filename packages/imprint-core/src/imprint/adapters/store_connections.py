"""What every part of an open store has: the file, the registry it asks before it writes, and the pace of bulk work."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

import attrs

from imprint.adapters.sqlite_files import SqliteFile
from imprint.domain.purge import Exclusion
from imprint.domain.sources import WorkspaceName
from imprint.errors import WorkspaceDeletedError
from imprint.protocols.clocks import Clock
from imprint.protocols.registry import Registry

__all__ = ["ROWS_A_TRANSACTION", "Permit", "StoreConnection"]

ROWS_A_TRANSACTION = 200
"""Bulk work holds the write lock for so many rows; those who write little wait for 1 ms then, not for seconds."""

_LONGEST_PAUSE_SECONDS = 0.01
"""Between two transactions, bulk work leaves the lock to others as long as it held it itself, at most so long."""


@attrs.frozen
class Permit:
    """An open write transaction, and what the registry said after its lock was taken."""

    connection: sqlite3.Connection
    exclusions: tuple[Exclusion, ...]


class StoreConnection:
    """The parts of a store share one connection, and so one transaction at a time."""

    def __init__(
        self, file: SqliteFile, workspace: WorkspaceName, registry: Registry, clock: Clock, *, life: str
    ) -> None:
        """Take over an open file.

        Args:
            life: Of the workspace, from before the file was opened.
        """
        self._file = file
        self._life = life
        self._workspace = workspace
        self._registry = registry
        self._clock = clock
        self._next_bulk_write = 0.0

    @property
    def workspace(self) -> WorkspaceName:
        return self._workspace

    def over(self, file: SqliteFile) -> Self:
        """This store with another file, such as an image that is to take its file's place."""
        return type(self)(file, self._workspace, self._registry, self._clock, life=self._life)

    def close(self) -> None:
        self._file.close()

    @contextmanager
    def _write(self, *, durable: bool) -> Iterator[Permit]:
        """Take the write lock, and only then ask whether the workspace lives and what is excluded.

        A purge commits its exclusion before it waits for this lock, and a deletion its mark: whichever order the two
        arrive in, nothing returns that was forgotten.

        Raises:
            WorkspaceDeletedError: The workspace was deleted.
        """
        with self._file.write(durable=durable) as connection:
            if self._registry.life(self._workspace) != self._life:
                raise WorkspaceDeletedError(self._workspace)
            yield Permit(connection, self._registry.exclusions(self._workspace))

    @contextmanager
    def _write_bulk(self, *, durable: bool = False) -> Iterator[Permit]:
        """Like `_write`, leaving the lock to others for a moment since the last time.

        Work that the caller does between two transactions counts as that moment.
        """
        remaining = self._next_bulk_write - self._clock.monotonic()
        if remaining > 0:
            time.sleep(remaining)
        with self._write(durable=durable) as permit:
            begun = self._clock.monotonic()
            yield permit
        ended = self._clock.monotonic()
        self._next_bulk_write = ended + min(ended - begun, _LONGEST_PAUSE_SECONDS)
