"""The tables of the device's registry."""

import sqlite3

from imprint.adapters.sqlite_schemas import Schema, split_statements

__all__ = ["REGISTRY_SCHEMA"]

# A deleted workspace keeps its row, which is the mark that writers look for, and its exclusions.
_FIRST = """
CREATE TABLE workspaces (
    name TEXT PRIMARY KEY,
    created_at TEXT NOT NULL,
    active INTEGER NOT NULL DEFAULT 0 CHECK (active IN (0, 1)),
    deleted INTEGER NOT NULL DEFAULT 0 CHECK (deleted IN (0, 1)),
    CHECK (NOT (active AND deleted))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX active_workspace ON workspaces (active) WHERE active;

CREATE TABLE roots (
    workspace TEXT NOT NULL REFERENCES workspaces,
    path TEXT NOT NULL,
    how TEXT NOT NULL,
    added_at TEXT NOT NULL,
    PRIMARY KEY (workspace, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE exclusions (
    workspace TEXT NOT NULL,
    target TEXT NOT NULL,
    recursive INTEGER NOT NULL CHECK (recursive IN (0, 1)),
    added_at TEXT NOT NULL,
    PRIMARY KEY (workspace, target)
) STRICT, WITHOUT ROWID;

INSERT INTO workspaces (name, created_at, active) VALUES ('default', strftime('%Y-%m-%dT%H:%M:%fZ'), 1);
"""

# By folder, so that a worktree that is gone is still known by what it stood for.
_SECOND = """
CREATE TABLE worktrees (
    folder TEXT PRIMARY KEY,
    main TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

# A purged file that held conversations keeps them out whichever file they come from, and their turns, since a session
# that was forked repeats those of another: numbers made of clients' ids, from which nothing can be read.
_THIRD = """
CREATE TABLE excluded_conversations (
    workspace TEXT NOT NULL,
    target TEXT NOT NULL,
    conversation TEXT NOT NULL,
    PRIMARY KEY (workspace, target, conversation),
    FOREIGN KEY (workspace, target) REFERENCES exclusions ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TABLE excluded_turns (
    workspace TEXT NOT NULL,
    turn INTEGER NOT NULL,
    target TEXT NOT NULL,
    PRIMARY KEY (workspace, turn, target),
    FOREIGN KEY (workspace, target) REFERENCES exclusions ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX excluded_turns_by_target ON excluded_turns (workspace, target);
"""


def _create(connection: sqlite3.Connection) -> None:
    for statement in split_statements(_FIRST):
        connection.execute(statement)


def _add_worktrees(connection: sqlite3.Connection) -> None:
    connection.execute(_SECOND)


def _keep_out_conversations(connection: sqlite3.Connection) -> None:
    for statement in split_statements(_THIRD):
        connection.execute(statement)


REGISTRY_SCHEMA = Schema(
    application_id=0x496D7052,
    migrations=(_create, _add_worktrees, _keep_out_conversations),
)
