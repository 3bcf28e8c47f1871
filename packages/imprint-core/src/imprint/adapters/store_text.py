"""The full text of a store."""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence

from imprint.adapters.store_connections import StoreConnection
from imprint.adapters.store_filters import chunk_conditions
from imprint.domain.misspellings import COMMON_START, may_be_stem_of
from imprint.domain.sources import ChunkId
from imprint.protocols.text_indexes import ChunkFilter, TextHit, TextQuery

__all__ = ["FullText"]

_MOST_STEMS = 6
_TEXTS_A_STEM = 8
_WORD = re.compile(r"[^\W\d_]+")

# CROSS JOIN keeps SQLite from asking the index anew for every chunk that passes a filter.
_MATCH = """
SELECT full_text.rowid, bm25(full_text, ?, ?, ?, ?, ?) AS score
FROM full_text{joins}
WHERE full_text MATCH ?{conditions}
ORDER BY score, full_text.rowid LIMIT ?
"""
_WRITTEN = """
SELECT p.text, p.words, p.names FROM instance_vocabulary AS v CROSS JOIN passages AS p ON p.chunk = v.doc
WHERE v.term = ? AND v.col <> 'context' AND v.doc NOT IN unseen LIMIT ?
"""
# The plus keeps SQLite from asking the index anew for every such chunk; only chunks that pass are scored.
_OUTSTANDING = " AND +full_text.rowid IN (SELECT rowid FROM full_text WHERE full_text MATCH ?)"
_SEEN = " AND full_text.rowid NOT IN unseen"
_JOINS = """
CROSS JOIN chunks AS c ON c.id = full_text.rowid
CROSS JOIN sources AS s ON s.id = c.source
"""


class FullText(StoreConnection):
    """Meets `imprint.protocols.stores.TextIndex`; `chunk_count` is with the sources."""

    def match(self, query: TextQuery, limit: int, where: ChunkFilter) -> list[TextHit]:
        if limit <= 0 or not (terms := _phrases(query.terms)):
            return []
        asked = [_any_of(terms)]
        conditions = _SEEN
        if common := _phrases(query.common):
            asked.append(_outstanding([term for term in terms if term not in common], common))
            conditions = _OUTSTANDING + _SEEN
        filters, values = chunk_conditions(where)
        statement = _MATCH.format(joins=_JOINS if where.narrows else "", conditions=conditions + filters)
        with self._file.read() as connection:
            rows = connection.execute(statement, (*query.weights, *asked, *values, limit)).fetchall()
        return [TextHit(ChunkId(id), -score) for id, score in rows]

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        with self._file.read() as connection:
            return {term: _frequency(connection, term) for term in dict.fromkeys(terms)}

    def words_like(self, word: str) -> list[str]:
        """Finds the stems that may be meant, and for each a text to see how it is written."""
        start = word[:COMMON_START]
        with self._file.read() as connection:
            for kind in ("row", "instance"):
                connection.execute(
                    f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{kind}_vocabulary "
                    f"USING fts5vocab ('main', 'full_text', '{kind}')"
                )
            known = connection.execute(
                "SELECT term, doc FROM row_vocabulary WHERE term >= ? AND term < ?", (start, _next_start(start))
            ).fetchall()
            stems = [(stem, chunks) for stem, chunks in known if may_be_stem_of(stem, word)]
            stems.sort(key=lambda known: (-len(known[0]), -known[1]))
            texts = [
                text
                for stem, _ in stems[:_MOST_STEMS]
                for text in connection.execute(_WRITTEN, (stem, _TEXTS_A_STEM)).fetchall()
            ]
        written = Counter(word for text in texts for word in _WORD.findall(" ".join(text).lower()))
        return [word for word, _ in written.most_common() if word.startswith(start)]

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


def _next_start(start: str) -> str:
    """The text that follows all that begin with another."""
    return start[:-1] + chr(ord(start[-1]) + 1)


def _phrases(terms: Iterable[str]) -> list[str]:
    return [phrase for term in terms if (phrase := _quoted(term))]


def _any_of(phrases: Iterable[str]) -> str:
    return " OR ".join(phrases)


def _outstanding(others: Sequence[str], common: Sequence[str]) -> str:
    """Any of the others, or two of the common ones."""
    pairs = [f"({term} AND ({_any_of(common[place:])}))" for place, term in enumerate(common[:-1], start=1)]
    return _any_of([*others, *pairs])


def _quoted(term: str) -> str:
    """A literal phrase; FTS5 takes no word for an operator inside quotes, and ends a text at a NUL."""
    cleaned = term.replace("\0", " ").replace('"', '""')
    return f'"{cleaned}"' if cleaned.strip() else ""
