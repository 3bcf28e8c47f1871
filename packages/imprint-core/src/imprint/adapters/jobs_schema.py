"""The tables of the queue's file, version by version. Hooks load this."""

import sqlite3

from imprint.adapters.sqlite_journals import enter_wal_mode

__all__ = ["prepare_jobs"]

_APPLICATION_ID = 0x496D704A

# Each brings a file of the version before up to its own.
_STEPS = (
    # A job that waits does for every call about its transcript: one row a transcript among those that are queued.
    f"""
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    client TEXT NOT NULL,
    source TEXT NOT NULL,
    cwd TEXT NOT NULL,
    environment TEXT NOT NULL,
    active TEXT NOT NULL,
    workspace TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL DEFAULT 'queued',
    attempts INTEGER NOT NULL DEFAULT 0,
    due REAL NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    created TEXT NOT NULL,
    changed TEXT NOT NULL
);
CREATE UNIQUE INDEX waiting_jobs ON jobs (kind, client, source, cwd, environment, active) WHERE state = 'queued';
CREATE INDEX jobs_by_state ON jobs (state);
CREATE TABLE statements (
    directory TEXT PRIMARY KEY, mark TEXT NOT NULL, workspace TEXT NOT NULL, statement TEXT NOT NULL, at REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE calls (key TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;
PRAGMA application_id = {_APPLICATION_ID};
PRAGMA user_version = 1;
""",
    """
CREATE TABLE begun (session TEXT PRIMARY KEY, at REAL NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 2;
""",
)
_VERSION = len(_STEPS)


def prepare_jobs(connection: sqlite3.Connection, path: str, *, patience_seconds: float) -> None:
    """Make the tables of a new file, or bring an older one up.

    Raises:
        StoreTooNewError: A newer program made it.
    """
    version = _version(connection)
    if version == 0:
        # A hook would rather wait for another than for the disk: a job that a power cut loses comes with the next call.
        enter_wal_mode(connection, patience_seconds=patience_seconds)
    if version < _VERSION:
        connection.execute("BEGIN IMMEDIATE")
        for step in _STEPS[_version(connection) :]:
            for statement in step.split(";"):
                connection.execute(statement)
        connection.execute("COMMIT")
    elif version > _VERSION:
        from imprint.errors import StoreTooNewError

        raise StoreTooNewError(path, version, _VERSION)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA secure_delete = ON")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)
