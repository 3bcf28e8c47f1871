"""The full text of a store."""

import json
import sqlite3
from collections.abc import Sequence

from imprint.adapters.store_connections import StoreConnection
from imprint.adapters.store_filters import chunk_conditions
from imprint.domain.sources import ChunkId
from imprint.protocols.stores import ChunkFilter, TextHit, TextQuery

__all__ = ["FullText"]

_MARGIN = 20
"""So many more hits are asked for than wanted, since a few may belong to versions that nobody sees."""

# CROSS JOIN keeps SQLite from asking the index anew for every chunk that passes a filter.
_MATCH = """
SELECT hit.id, hit.score
FROM (SELECT rowid AS id, bm25(full_text, ?, ?, ?, ?, ?) AS score
      FROM full_text WHERE full_text MATCH ? ORDER BY score LIMIT ?) AS hit
CROSS JOIN chunks AS c ON c.id = hit.id
CROSS JOIN sources AS s ON s.id = c.source AND s.state = 'live'
ORDER BY hit.score, hit.id
"""
_MATCH_FILTERED = """
SELECT full_text.rowid, bm25(full_text, ?, ?, ?, ?, ?) AS score
FROM full_text
CROSS JOIN chunks AS c ON c.id = full_text.rowid
CROSS JOIN sources AS s ON s.id = c.source AND s.state = 'live'
WHERE full_text MATCH ?{conditions}
ORDER BY score, full_text.rowid LIMIT ?
"""


class FullText(StoreConnection):
    """Meets `imprint.protocols.stores.TextIndex`; `chunk_count` is with the sources."""

    def match(self, query: TextQuery, limit: int, where: ChunkFilter) -> list[TextHit]:
        if limit <= 0 or not (terms := [phrase for term in query.terms if (phrase := _quoted(term))]):
            return []
        with self._file.read() as connection:
            expression = " OR ".join(terms)
            if where.narrows:
                conditions, values = chunk_conditions(where)
                rows = connection.execute(
                    _MATCH_FILTERED.format(conditions=conditions), (*query.weights, expression, *values, limit)
                ).fetchall()
            else:
                rows = _match_all(connection, query, expression, limit)
        return [TextHit(ChunkId(id), -score) for id, score in rows]

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        with self._file.read() as connection:
            return {term: _frequency(connection, term) for term in dict.fromkeys(terms)}

    def select_ids(self, where: ChunkFilter, limit: int) -> list[ChunkId] | None:
        conditions, values = chunk_conditions(where)
        with self._file.read() as connection:
            rows = connection.execute(
                "SELECT c.id FROM sources AS s JOIN chunks AS c ON c.source = s.id "
                f"WHERE s.state = 'live'{conditions} LIMIT ?",
                (*values, limit + 1),
            ).fetchall()
        return None if len(rows) > limit else [ChunkId(id) for (id,) in rows]

    def passing(self, ids: Sequence[ChunkId], where: ChunkFilter) -> list[ChunkId]:
        conditions, values = chunk_conditions(where)
        statement = (
            "SELECT c.id FROM json_each(?) AS asked CROSS JOIN chunks AS c ON c.id = asked.value "
            f"CROSS JOIN sources AS s ON s.id = c.source AND s.state = 'live'{conditions} ORDER BY asked.key"
        )
        with self._file.read() as connection:
            rows = connection.execute(statement, (json.dumps(ids), *values)).fetchall()
        return [ChunkId(id) for (id,) in rows]


def _match_all(
    connection: sqlite3.Connection, query: TextQuery, expression: str, limit: int
) -> list[tuple[int, float]]:
    """Rank first and look at the sources of the best only; again with more if too many of them were not live."""
    asked = limit + _MARGIN
    while True:
        rows = connection.execute(_MATCH, (*query.weights, expression, asked)).fetchall()
        if len(rows) >= limit or not _has_unseen(connection):
            return rows[:limit]
        matches = connection.execute("SELECT count(*) FROM full_text WHERE full_text MATCH ?", (expression,))
        if asked >= matches.fetchone()[0]:
            return rows
        asked *= 4


def _has_unseen(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sources WHERE state <> 'live' LIMIT 1").fetchone() is not None


def _frequency(connection: sqlite3.Connection, term: str) -> int:
    if not (phrase := _quoted(term)):
        return 0
    (count,) = connection.execute("SELECT count(*) FROM full_text WHERE full_text MATCH ?", (phrase,)).fetchone()
    return int(count)


def _quoted(term: str) -> str:
    """A literal phrase; FTS5 takes no word for an operator inside quotes, and ends a text at a NUL."""
    cleaned = term.replace("\0", " ").replace('"', '""')
    return f'"{cleaned}"' if cleaned.strip() else ""
