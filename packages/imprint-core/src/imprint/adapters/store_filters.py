"""Filters in SQL."""

import re
from collections.abc import Sequence

from imprint.protocols.text_indexes import ChunkFilter

__all__ = ["chunk_conditions", "in_list", "source_conditions"]

_GLOB_PREFIX = re.compile(r"[^*?\[\U0010ffff]*")
_TIME = "CASE c.time WHEN '' THEN s.time ELSE c.time END"


def in_list(values: Sequence[object]) -> str:
    """The condition that something is one of these values, which are to be bound."""
    return f"IN ({', '.join('?' * len(values))})"


def source_conditions(*, kinds: Sequence[str], glob: str, project: str) -> tuple[str, tuple[str, ...]]:
    """Conditions on ``sources AS s``, each beginning with ``AND``, and the values to bind."""
    sql, values = "", []
    if project:
        sql += " AND s.project = ?"
        values.append(project)
    if kinds:
        sql += f" AND (s.kind {in_list(kinds)} OR s.memory_kind {in_list(kinds)})"
        values += [*kinds, *kinds]
    if glob:
        sql += " AND s.key GLOB ?"
        values.append(glob)
        # A bound pattern is none that SQLite looks up in an index by itself.
        if (found := _GLOB_PREFIX.match(glob)) and (prefix := found[0]):
            sql += " AND s.key >= ? AND s.key < ?"
            values += [prefix, prefix[:-1] + _next(prefix[-1])]
    return sql, tuple(values)


def chunk_conditions(where: ChunkFilter) -> tuple[str, tuple[str, ...]]:
    """Conditions on ``chunks AS c`` and ``sources AS s``; what has no time passes no bound in time."""
    sql, values = source_conditions(kinds=where.kinds, glob=where.source_glob, project=where.project)
    if where.since:
        sql += f" AND {_TIME} >= ?"
        values += (where.since,)
    if where.until:
        sql += f" AND {_TIME} < ? AND {_TIME} <> ''"
        values += (where.until,)
    return sql, values


def _next(letter: str) -> str:
    """The letter after this one, surrogates left out, which no key holds."""
    following = ord(letter) + 1
    return chr(0xE000 if 0xD800 <= following <= 0xDFFF else following)
