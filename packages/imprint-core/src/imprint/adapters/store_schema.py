"""The tables of a workspace's store.

A row of ``sources`` is one version of a source: ``staged`` while a large one is being written, ``live`` for readers,
``dropped`` until its rows are swept. Only chunks of live sources exist for anybody; the view ``unseen`` has the others,
which are few, so that ``NOT IN unseen`` costs a scan less than a join with every source. Its
CROSS JOIN keeps SQLite from looking for them among all chunks.

``chunks`` is narrow, so that filters and joins stay in memory; the text lies in ``passages``, together with what is
derived from it, so that a delete can tell the full-text index exactly what to forget. Triggers keep the index and the
tombstones in step with the tables, whichever statement deletes from them. Who inserts a passage inserts it into the
index too: from a trigger, SQLite has FTS5 write each row to the file by itself, at four times the cost.
"""

import sqlite3

from imprint.adapters.sqlite_schemas import Schema, split_statements

__all__ = ["STORE_SCHEMA"]

_FIRST = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('epoch', lower(hex(randomblob(8))));

CREATE TABLE sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL CHECK (state IN ('staged', 'live', 'dropped')),
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    path TEXT,
    origin TEXT NOT NULL,
    project TEXT NOT NULL,
    language TEXT NOT NULL,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    memory_kind TEXT,
    mtime_ns INTEGER,
    size INTEGER,
    digest TEXT NOT NULL,
    time TEXT NOT NULL,
    indexed_at TEXT NOT NULL,
    chunks INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX live_sources ON sources (key) WHERE state = 'live';
CREATE INDEX unseen_sources ON sources (state) WHERE state <> 'live';

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL REFERENCES sources ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    start_line INTEGER,
    end_line INTEGER,
    symbol TEXT NOT NULL,
    role TEXT NOT NULL,
    time TEXT NOT NULL,
    UNIQUE (source, ordinal)
) STRICT;

CREATE VIEW unseen (chunk) AS
    SELECT chunks.id FROM sources CROSS JOIN chunks ON chunks.source = sources.id WHERE sources.state <> 'live';

CREATE TABLE passages (
    chunk INTEGER PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
    text TEXT NOT NULL,
    words TEXT NOT NULL,
    names TEXT NOT NULL,
    place TEXT NOT NULL,
    context TEXT NOT NULL
) STRICT;

CREATE VIRTUAL TABLE full_text USING fts5 (
    text, words, names, place, context,
    content = 'passages', content_rowid = 'chunk', tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TRIGGER passage_removed AFTER DELETE ON passages BEGIN
    INSERT INTO full_text (full_text, rowid, text, words, names, place, context)
    VALUES ('delete', old.chunk, old.text, old.words, old.names, old.place, old.context);
END;

CREATE TABLE models (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    width INTEGER NOT NULL,
    dropped INTEGER NOT NULL DEFAULT 0 CHECK (dropped IN (0, 1))
) STRICT;
CREATE UNIQUE INDEX live_models ON models (name, digest, width) WHERE NOT dropped;

CREATE TABLE sequence (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    last INTEGER NOT NULL
) STRICT;
INSERT INTO sequence VALUES (1, 0);

CREATE TABLE vectors (
    seq INTEGER PRIMARY KEY,
    chunk INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
    model INTEGER NOT NULL REFERENCES models,
    f16 BLOB NOT NULL,
    UNIQUE (chunk, model)
) STRICT;

CREATE TABLE tombstones (
    seq INTEGER PRIMARY KEY,
    chunk INTEGER NOT NULL,
    model INTEGER NOT NULL
) STRICT;

CREATE TRIGGER vector_removed AFTER DELETE ON vectors BEGIN
    UPDATE sequence SET last = last + 1;
    INSERT INTO tombstones (seq, chunk, model) SELECT last, old.chunk, old.model FROM sequence;
END;

CREATE TABLE vectorless (
    chunk INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
    model INTEGER NOT NULL REFERENCES models,
    PRIMARY KEY (chunk, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE generations (
    model INTEGER NOT NULL REFERENCES models,
    backend TEXT NOT NULL,
    number INTEGER NOT NULL,
    file TEXT NOT NULL,
    digest TEXT NOT NULL,
    position INTEGER NOT NULL,
    epoch TEXT NOT NULL,
    rows INTEGER NOT NULL,
    PRIMARY KEY (model, backend)
) STRICT, WITHOUT ROWID;

CREATE TABLE facts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subject TEXT NOT NULL COLLATE NOCASE,
    predicate TEXT NOT NULL COLLATE NOCASE,
    object TEXT NOT NULL,
    valid_from TEXT NOT NULL,
    valid_until TEXT NOT NULL,
    source TEXT NOT NULL,
    recorded_at TEXT NOT NULL
) STRICT;
CREATE INDEX facts_by_subject ON facts (subject, predicate);
CREATE INDEX facts_by_source ON facts (source) WHERE source <> '';
"""

# The record of a transcript goes with its conversation, by whichever statement that goes.
_THIRD = """
CREATE TABLE transcripts (
    client TEXT NOT NULL,
    path TEXT NOT NULL,
    conversation TEXT NOT NULL,
    size INTEGER,
    mtime_ns INTEGER,
    fingerprint TEXT NOT NULL,
    mark TEXT NOT NULL,
    source TEXT NOT NULL,
    session TEXT NOT NULL,
    parent TEXT NOT NULL,
    directories TEXT NOT NULL,
    position TEXT NOT NULL,
    PRIMARY KEY (client, path, conversation)
) STRICT, WITHOUT ROWID;
CREATE INDEX transcripts_by_source ON transcripts (source);

CREATE TABLE turns (
    turn INTEGER NOT NULL,
    source INTEGER NOT NULL REFERENCES sources ON DELETE CASCADE,
    digest INTEGER NOT NULL,
    PRIMARY KEY (turn, source)
) STRICT, WITHOUT ROWID;
CREATE INDEX turns_by_source ON turns (source);

CREATE TRIGGER conversation_removed AFTER DELETE ON sources
WHEN old.kind = 'conversation' AND old.state = 'live' BEGIN
    DELETE FROM transcripts WHERE source = old.key;
END;

CREATE TRIGGER conversation_dropped AFTER UPDATE OF state ON sources
WHEN old.kind = 'conversation' AND old.state = 'live' AND new.state <> 'live' BEGIN
    DELETE FROM transcripts WHERE source = old.key;
END;
"""

_FOURTH = """
ALTER TABLE transcripts ADD COLUMN is_part INTEGER NOT NULL DEFAULT 0 CHECK (is_part IN (0, 1));
ALTER TABLE transcripts ADD COLUMN former TEXT NOT NULL DEFAULT '[]';
"""


def _create(connection: sqlite3.Connection) -> None:
    for statement in split_statements(_FIRST):
        connection.execute(statement)


def _leave_insertion_to_writers(connection: sqlite3.Connection) -> None:
    """Stores of version 1 were given a trigger for it."""
    connection.execute("DROP TRIGGER IF EXISTS passage_added")


def _add_transcripts(connection: sqlite3.Connection) -> None:
    for statement in split_statements(_THIRD):
        connection.execute(statement)


def _tell_parts_and_places(connection: sqlite3.Connection) -> None:
    for statement in split_statements(_FOURTH):
        connection.execute(statement)


STORE_SCHEMA = Schema(
    application_id=0x496D7053,
    migrations=(_create, _leave_insertion_to_writers, _add_transcripts, _tell_parts_and_places),
    needs_full_text=True,
)
