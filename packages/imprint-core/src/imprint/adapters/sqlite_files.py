"""One SQLite file of ours: opened with care, written in immediate transactions, its errors told in our words."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from imprint.adapters.sqlite_errors import translated
from imprint.adapters.sqlite_journals import enter_wal_mode
from imprint.adapters.sqlite_schemas import Schema, check_sqlite
from imprint.errors import StoreBusyError, StoreDamagedError, StoreTooNewError
from imprint.failpoints import reach

__all__ = ["SqliteFile"]

_BUSY_SECONDS = 5.0
_JOURNAL_PAGES = 4_000
"""Four times the default: a page written often in bulk work is written back, and synced, less often."""

_CACHE_KIBIBYTES = 8_000
"""Four times the default: what a search read of a large store stays for the next, which takes a tenth less time."""

_IDENTITY = """
SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
       EXISTS (SELECT 1 FROM sqlite_schema)
"""
"""One statement, so one snapshot: another process may commit the first version between two."""


class SqliteFile:
    """An open file. Used by one thread; nothing is kept between two transactions."""

    def __init__(self, path: Path, schema: Schema) -> None:
        """Open the file, making or migrating it where needed.

        Raises:
            StoreError: It cannot be used; the leaf says why.
            StoreBusyError: Others kept it locked.
        """
        check_sqlite(schema)
        self.path = path
        with translated(path), ExitStack() as undo:
            self._connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)
            undo.callback(self._connection.close)
            self._prepare(schema)
            undo.pop_all()

    def close(self) -> None:
        """Close it; the journal of the last connection is written back."""
        with translated(self.path):
            self._connection.close()

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """Give a snapshot: all that is read inside belongs together. Fetch all rows before leaving."""
        with translated(self.path), _transaction(self._connection, "BEGIN"):
            yield self._connection

    @contextmanager
    def write(self, *, durable: bool = True) -> Iterator[sqlite3.Connection]:
        """Hold the write lock; commit at the end, undo on any error.

        Args:
            durable: Whether it must survive a power cut; a crash of the program it survives in any case.
        """
        with translated(self.path):
            self._connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            reach("database.begin")
            with _transaction(self._connection, "BEGIN IMMEDIATE"):
                yield self._connection
                reach("database.commit")
            reach("database.committed")

    def tidy(self) -> None:
        """Refresh the planner's statistics and write the journal back as far as readers allow."""
        with translated(self.path):
            self._connection.execute("PRAGMA optimize")
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    @contextmanager
    def patience(self, seconds: float) -> Iterator[None]:
        """Wait this long for other processes, instead of as usual."""
        self._connection.execute(f"PRAGMA busy_timeout = {round(seconds * 1000)}")
        try:
            yield
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {round(_BUSY_SECONDS * 1000)}")

    def rewrite(self) -> None:
        """Write the whole file anew: no page, and no gap in a page, keeps what was deleted."""
        with translated(self.path):
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA temp_store = FILE")  # the copy is as large as the store
            reach("database.rewrite")
            try:
                self._connection.execute("VACUUM")
                reach("database.rewritten")
            finally:
                self._connection.execute("PRAGMA temp_store = MEMORY")

    def empty_journal(self) -> bool:
        """Write the journal back and cut it to nothing; false where a reader's snapshot still needs it."""
        reach("database.empty-journal")
        with translated(self.path):
            (busy, _, _) = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def copy_to(self, path: Path) -> None:
        """Write a copy of all there is at one moment into a new file, while others go on writing."""
        with translated(path), closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a journal beside it

    def replace_content(self, image: Path) -> None:
        """Put what another database holds in the place of what is here: for readers and writers, one transaction.

        Raises:
            StoreBusyError: Others kept the file locked.
        """
        deadline = time.monotonic() + 2 * _BUSY_SECONDS

        def watch(status: int, remaining: int, total: int) -> None:
            del remaining, total
            if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > deadline:
                raise StoreBusyError(str(self.path))

        with translated(self.path), closing(sqlite3.connect(image)) as source:
            self._connection.execute("PRAGMA synchronous = FULL")
            reach("database.replace")
            source.backup(self._connection, progress=watch, sleep=0.02)
            reach("database.replaced")

    @contextmanager
    def clearance(self) -> Iterator[None]:
        """Let whole tables be emptied page by page: no reference is followed, no freed page is overwritten."""
        self._connection.execute("PRAGMA foreign_keys = OFF")
        self._connection.execute("PRAGMA secure_delete = OFF")
        try:
            yield
        finally:
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.execute("PRAGMA secure_delete = ON")

    def find_full_text_fault(self, table: str) -> str:
        """What differs between a full-text index and its content; empty where nothing does. Nothing is changed."""
        with translated(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.execute(f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)")
            except sqlite3.DatabaseError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CORRUPT:
                    raise
                return str(error)
            finally:
                self._connection.execute("ROLLBACK")
        return ""

    def _prepare(self, schema: Schema) -> None:
        connection = self._connection
        if self._version(schema) != schema.version:
            enter_wal_mode(connection, patience_seconds=_BUSY_SECONDS)
            connection.execute("PRAGMA synchronous = FULL")
            reach("database.new")
            with _transaction(connection, "BEGIN IMMEDIATE"):
                found = self._version(schema)
                for migrate in schema.migrations[found:]:
                    migrate(connection)
                connection.execute(f"PRAGMA application_id = {schema.application_id}")
                connection.execute(f"PRAGMA user_version = {schema.version}")
                reach("database.migrate")
            reach("database.migrated")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_JOURNAL_PAGES}")

    def _version(self, schema: Schema) -> int:
        """The file's version; 0 for an empty file."""
        application_id, version, has_tables = self._connection.execute(_IDENTITY).fetchone()
        if application_id == schema.application_id:
            if version > schema.version:
                self._leave_untouched()
                raise StoreTooNewError(str(self.path), version, schema.version)
            return int(version)
        if application_id or version or has_tables:
            raise StoreDamagedError(str(self.path), "it is not a database of Imprint, or not the one that belongs here")
        return 0

    def _leave_untouched(self) -> None:
        """Close without writing back the other program's journal, as closing the last connection would."""
        with closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)) as last:
            last.execute("PRAGMA user_version").fetchone()
            self._connection.close()


@contextmanager
def _transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:  # neither committed nor undone already, as on a full disk
            connection.execute("ROLLBACK")
