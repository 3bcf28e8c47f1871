"""The full text of a store."""

import json
import sqlite3
from collections.abc import Sequence

from imprint.adapters.store_connections import StoreConnection
from imprint.adapters.store_filters import chunk_conditions
from imprint.domain.sources import ChunkId
from imprint.protocols.stores import ChunkFilter, TextHit, TextQuery

__all__ = ["FullText"]

# CROSS JOIN keeps SQLite from asking the index anew for every chunk that passes a filter.
_MATCH = """
SELECT full_text.rowid, bm25(full_text, ?, ?, ?, ?, ?) AS score
FROM full_text{joins}
WHERE full_text MATCH ? AND full_text.rowid NOT IN unseen{conditions}
ORDER BY score, full_text.rowid LIMIT ?
"""
_JOINS = """
CROSS JOIN chunks AS c ON c.id = full_text.rowid
CROSS JOIN sources AS s ON s.id = c.source
"""


class FullText(StoreConnection):
    """Meets `imprint.protocols.stores.TextIndex`; `chunk_count` is with the sources."""

    def match(self, query: TextQuery, limit: int, where: ChunkFilter) -> list[TextHit]:
        if limit <= 0 or not (terms := [phrase for term in query.terms if (phrase := _quoted(term))]):
            return []
        conditions, values = chunk_conditions(where)
        statement = _MATCH.format(joins=_JOINS if where.narrows else "", conditions=conditions)
        with self._file.read() as connection:
            rows = connection.execute(statement, (*query.weights, " OR ".join(terms), *values, limit)).fetchall()
        return [TextHit(ChunkId(id), -score) for id, score in rows]

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        with self._file.read() as connection:
            return {term: _frequency(connection, term) for term in dict.fromkeys(terms)}

    def select_ids(self, where: ChunkFilter, limit: int) -> list[ChunkId] | None:
        conditions, values = chunk_conditions(where)
        with self._file.read() as connection:
            rows = connection.execute(
                "SELECT c.id FROM sources AS s CROSS JOIN chunks AS c ON c.source = s.id "
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


def _frequency(connection: sqlite3.Connection, term: str) -> int:
    if not (phrase := _quoted(term)):
        return 0
    (count,) = connection.execute("SELECT count(*) FROM full_text WHERE full_text MATCH ?", (phrase,)).fetchone()
    return int(count)


def _quoted(term: str) -> str:
    """A literal phrase; FTS5 takes no word for an operator inside quotes, and ends a text at a NUL."""
    cleaned = term.replace("\0", " ").replace('"', '""')
    return f'"{cleaned}"' if cleaned.strip() else ""
