"""What a client's hook reads from our databases, without making, migrating or waiting for anything."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing

from imprint.domain.session_context import RecentMemory

__all__ = ["read_active_workspace", "read_recent_memories", "read_registry_mark"]

_PATIENCE_SECONDS = 0.2

_DECIDING = """
SELECT name, created_at, active, deleted FROM workspaces
UNION ALL SELECT workspace, path, how, added_at FROM roots UNION ALL SELECT folder, main, '', '' FROM worktrees
"""

_LATEST = """
SELECT s.memory_kind, substr(s.time, 1, 10), (
    SELECT group_concat(text, ' ') FROM (
        SELECT p.text AS text FROM chunks AS c JOIN passages AS p ON p.chunk = c.id
        WHERE c.source = s.id ORDER BY c.ordinal LIMIT 2
    )
)
FROM sources AS s WHERE s.kind = 'memory' AND s.state = 'live' ORDER BY s.time DESC, s.id DESC LIMIT ?
"""


def read_active_workspace(registry_file: str) -> str:
    """The device's active workspace; empty where there is no registry yet, or it cannot be read now."""
    for (name,) in _read(registry_file, "SELECT name FROM workspaces WHERE active"):
        return str(name)
    return ""


def read_registry_mark(registry_file: str) -> str:
    """What is another whenever a directory's workspace could be; empty where nothing can be read now."""
    return "\n".join(str(row) for row in _read(registry_file, _DECIDING))


def read_recent_memories(store_file: str, *, limit: int) -> Sequence[RecentMemory]:
    """The latest memories, the latest first; none where there is no store yet, or it cannot be read now."""
    rows = _read(store_file, _LATEST, limit)
    return [RecentMemory(str(kind or "note"), str(date), str(text)) for kind, date, text in rows if text]


def _read(path: str, query: str, *parameters: int) -> Sequence[tuple[object, ...]]:
    if not os.path.isfile(path):  # noqa: PTH113 (`pathlib` is half a hook's budget)
        return ()
    place = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23").replace("\\", "/")
    uri = f"file://{place if place.startswith('/') else '/' + place}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=_PATIENCE_SECONDS)) as connection:
            return connection.execute(query, parameters).fetchall()
    except sqlite3.Error:
        return ()
