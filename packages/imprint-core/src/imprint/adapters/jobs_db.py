"""The queue of background work in one SQLite file; beside it, what hooks have answered lately.

A client's hook opens it on every call: hence `sqlite3` alone, and errors that are loaded when they are needed.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from imprint.adapters.jobs_schema import prepare_jobs
from imprint.adapters.sqlite_errors import translated
from imprint.domain.jobs import MOST_ATTEMPTS, Job, JobRequest, JobState

__all__ = ["JOBS_FILE", "SqliteJobQueue", "open_jobs"]

JOBS_FILE = "jobs.sqlite3"

_BUSY_SECONDS = 5.0
_DOUBLE_SECONDS = 10.0
"""Two configurations that name the same hook call it within moments; a session that begins again takes longer."""

_START = "a worker starts"
_MOST_STATEMENTS = 200
_MOST_BEGUN = 2000

_CANCELLABLE = (JobState.QUEUED, JobState.RUNNING, JobState.FAILED)

_COLUMNS = (
    "id, kind, client, source, cwd, environment, active, workspace, state, attempts, due, error, created, changed"
)
_SAME = "(kind, client, source, cwd, environment, active) = (?, ?, ?, ?, ?, ?)"
_NOW = "strftime('%Y-%m-%dT%H:%M:%fZ')"


@contextmanager
def open_jobs(folder: str, *, patience_seconds: float = _BUSY_SECONDS) -> "Iterator[SqliteJobQueue]":
    """Open the queue of a data folder, making both where they do not exist.

    Args:
        patience_seconds: How long other processes are waited for.

    Raises:
        StoreError: The file cannot be used; the leaf says why.
        DataFolderError: The data folder cannot be made.
    """
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103 (`pathlib` is half a hook's budget)
    except OSError as error:
        from imprint.errors import DataFolderError

        raise DataFolderError(folder, error.strerror or str(error)) from error
    path = os.path.join(folder, JOBS_FILE)  # noqa: PTH118
    with translated(path):
        connection = sqlite3.connect(path, timeout=patience_seconds, isolation_level=None)
        try:
            prepare_jobs(connection, path, patience_seconds=patience_seconds)
            yield SqliteJobQueue(connection)
        finally:
            connection.close()


class SqliteJobQueue:
    """Meets `imprint.protocols.jobs.JobQueue`. Used by one thread."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def is_first_call(self, key: str) -> bool:
        """Whether a hook's call is none that came moments ago; asking notes it."""
        now = time.time()
        with self._write() as connection:
            connection.execute("DELETE FROM calls WHERE at NOT BETWEEN ? AND ?", (now - _DOUBLE_SECONDS, now))
            done = connection.execute("INSERT OR IGNORE INTO calls VALUES (?, ?)", (key, now))
            return done.rowcount == 1

    def claim_start(self) -> bool:
        """Whether whoever asks is to start a worker: none was started that has not begun yet.

        One that does not come is waited for no longer than a few seconds.
        """
        return self.is_first_call(_START)

    def begin_work(self) -> None:
        self._connection.execute("DELETE FROM calls WHERE key = ?", (_START,))

    def begin(self, session: str) -> bool:
        """Whether a session has not begun before; asking begins it. Those that began long ago are forgotten."""
        if self._connection.execute("SELECT 1 FROM begun WHERE session = ?", (session,)).fetchone():
            return False
        with self._write() as connection:
            done = connection.execute("INSERT OR IGNORE INTO begun VALUES (?, ?)", (session, time.time()))
            connection.execute(
                "DELETE FROM begun WHERE session NOT IN (SELECT session FROM begun ORDER BY at DESC LIMIT ?)",
                (_MOST_BEGUN,),
            )
            return done.rowcount == 1

    def add(self, request: JobRequest, kind: str) -> bool:
        done = self._connection.execute(
            "INSERT OR IGNORE INTO jobs (kind, client, source, cwd, environment, active, created, changed) "
            f"VALUES (?, ?, ?, ?, ?, ?, {_NOW}, {_NOW})",
            (kind, *request),
        )
        if done.rowcount == 0:
            # What failed rests, and its attempts count, whoever calls.
            self._connection.execute(
                "UPDATE jobs SET attempts = 0, due = 0 WHERE state = 'queued' AND error = '' AND attempts > 0 "
                f"AND {_SAME}",
                (kind, *request),
            )
        return done.rowcount == 1

    def find_statement(self, directory: str, mark: str) -> tuple[str, str] | None:
        """What sessions in a directory are told and the workspace they use, if it was said under the same mark."""
        row = self._connection.execute(
            "SELECT statement, workspace FROM statements WHERE directory = ? AND mark = ?", (directory, mark)
        ).fetchone()
        return None if row is None else (str(row[0]), str(row[1]))

    def keep_statement(self, directory: str, mark: str, statement: str, workspace: str) -> None:
        """Keep it for the next session there; those of directories that were not used for long are forgotten."""
        with self._write() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO statements VALUES (?, ?, ?, ?, ?)",
                (directory, mark, workspace, statement, time.time()),
            )
            connection.execute(
                "DELETE FROM statements WHERE directory NOT IN "
                "(SELECT directory FROM statements ORDER BY at DESC LIMIT ?)",
                (_MOST_STATEMENTS,),
            )

    def has_waiting(self) -> bool:
        """Whether anything is left to be done."""
        found = self._connection.execute("SELECT 1 FROM jobs WHERE state IN ('queued', 'running') LIMIT 1").fetchone()
        return found is not None

    def list(self, *states: JobState) -> Sequence[Job]:
        marks = ", ".join("?" * len(states))
        where = f"WHERE state IN ({marks})" if states else ""
        return [
            _job(row) for row in self._connection.execute(f"SELECT {_COLUMNS} FROM jobs {where} ORDER BY id", states)
        ]

    def unplaced(self) -> Sequence[Job]:
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM jobs WHERE state = 'queued' AND workspace = '' ORDER BY id"
        )
        return [_job(row) for row in rows]

    def find(self, id: int) -> Job | None:
        row = self._connection.execute(f"SELECT {_COLUMNS} FROM jobs WHERE id = ?", (id,)).fetchone()
        return None if row is None else _job(row)

    def fix_workspace(self, id: int, workspace: str) -> None:
        self._connection.execute("UPDATE jobs SET workspace = ? WHERE id = ? AND workspace = ''", (workspace, id))

    def take(self) -> Job | None:
        row = self._connection.execute(
            f"UPDATE jobs SET state = 'running', attempts = attempts + 1, changed = {_NOW} WHERE id = "
            "(SELECT id FROM jobs WHERE state = 'queued' AND workspace <> '' AND due <= ? ORDER BY id LIMIT 1) "
            f"RETURNING {_COLUMNS}",
            (time.time(),),
        ).fetchall()
        return _job(row[0]) if row else None

    def settle(self, id: int, state: JobState, *, error: str = "", rest_seconds: float = 0) -> None:
        with self._write() as connection:
            # Where the same job was queued again meanwhile, this one does for both.
            (is_called_again,) = connection.execute(
                "SELECT EXISTS (SELECT 1 FROM jobs AS one JOIN jobs AS other "
                "USING (kind, client, source, cwd, environment, active) WHERE one.id = ? AND other.state = 'queued' "
                "AND other.id <> one.id)",
                (id,),
            ).fetchone()
            begins_anew = is_called_again and state is JobState.QUEUED and not error
            connection.execute(
                f"UPDATE OR REPLACE jobs SET state = ?, error = ?, due = ?, attempts = iif(?, 0, attempts), "
                f"changed = {_NOW} WHERE id = ? AND state IN ('queued', 'running')",
                (state, error, time.time() + rest_seconds if rest_seconds and not begins_anew else 0, begins_anew, id),
            )

    def cancel(self, select: Callable[[Job], bool]) -> Sequence[Job]:
        with self._write() as connection:
            chosen = [job for job in self.list(*_CANCELLABLE) if select(job)]
            connection.executemany(
                f"UPDATE jobs SET state = 'cancelled', changed = {_NOW} WHERE id = ?", [(job.id,) for job in chosen]
            )
        return [job._replace(state=JobState.CANCELLED) for job in chosen]

    def recover(self) -> int:
        with self._write() as connection:
            # Where the same job was queued again meanwhile, the older one stays, with its attempts.
            done = connection.execute(
                "UPDATE OR REPLACE jobs SET state = CASE WHEN attempts >= ? THEN 'failed' ELSE 'queued' END, "
                f"error = 'WorkerDied', changed = {_NOW} WHERE state = 'running'",
                (MOST_ATTEMPTS,),
            )
            return done.rowcount

    def prune(self, *, keep: int) -> None:
        self._connection.execute(
            "DELETE FROM jobs WHERE state IN ('done', 'failed', 'cancelled') AND id NOT IN (SELECT id FROM jobs "
            "WHERE state IN ('done', 'failed', 'cancelled') ORDER BY id DESC LIMIT ?)",
            (keep,),
        )

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")


def _job(row: tuple[object, ...]) -> Job:
    id, kind, client, source, cwd, environment, active, workspace, state, attempts, due, error, created, changed = row
    return Job(
        id=int(str(id)),
        kind=str(kind),
        request=JobRequest(str(client), str(source), str(cwd), str(environment), str(active)),
        workspace=str(workspace),
        state=JobState(str(state)),
        attempts=int(str(attempts)),
        due=float(str(due)),
        error=str(error),
        created=str(created),
        changed=str(changed),
    )
