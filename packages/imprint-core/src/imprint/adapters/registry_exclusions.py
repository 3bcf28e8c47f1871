"""A registry's exclusions as rows: what was purged, and the conversations and turns that went with it."""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence

import attrs

from imprint.adapters.store_filters import in_list
from imprint.domain.purge import Exclusion
from imprint.domain.sources import WorkspaceName

__all__ = [
    "ExclusionCache",
    "delete_exclusions",
    "insert_conversations",
    "insert_exclusion",
    "insert_turns",
    "select_exclusions",
    "select_turns",
]


@attrs.define
class ExclusionCache:
    """What was read last, for as long as nobody has changed the registry.

    Every write into a store asks what is excluded, and a purged export may have held tens of thousands of
    conversations.
    """

    _state: tuple[int, int] = attrs.field(init=False, default=(0, 0))
    _read: dict[WorkspaceName, tuple[Exclusion, ...]] = attrs.field(init=False, factory=dict)

    def find(
        self,
        connection: sqlite3.Connection,
        workspace: WorkspaceName,
        read: Callable[[sqlite3.Connection], tuple[Exclusion, ...]],
    ) -> tuple[Exclusion, ...]:
        """A workspace's exclusions as of the transaction that the connection is in, read only where they may be others.

        Args:
            connection: The same one each time: its numbers of changes say nothing about another's.
        """
        (by_others,) = connection.execute("PRAGMA data_version").fetchone()
        state = (by_others, connection.total_changes)
        if state != self._state:
            self._read.clear()
            self._state = state
        if workspace not in self._read:
            self._read[workspace] = read(connection)
        return self._read[workspace]


def select_exclusions(connection: sqlite3.Connection, workspace: WorkspaceName) -> tuple[Exclusion, ...]:
    """A workspace's, in the order of their targets; other worktrees are not told of here."""
    rows = connection.execute(
        "SELECT target, recursive, added_at, (SELECT json_group_array(conversation) FROM excluded_conversations AS c "
        "WHERE c.workspace = x.workspace AND c.target = x.target) "
        "FROM exclusions AS x WHERE workspace = ? ORDER BY target",
        (workspace,),
    )
    return tuple(
        Exclusion(
            workspace=workspace,
            target=target,
            recursive=bool(recursive),
            added_at=added_at,
            conversations=frozenset(json.loads(conversations)),
        )
        for target, recursive, added_at, conversations in rows
    )


def insert_exclusion(connection: sqlite3.Connection, exclusion: Exclusion, turns: Collection[int]) -> bool:
    """Add one, or what it has more than the one of the same target; whether there was anything."""
    added = connection.execute(
        "INSERT INTO exclusions (workspace, target, recursive, added_at) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (workspace, target) DO UPDATE SET recursive = 1 WHERE excluded.recursive AND NOT recursive",
        (exclusion.workspace, exclusion.target, exclusion.recursive, exclusion.added_at),
    ).rowcount
    added += insert_conversations(
        connection, ((exclusion.workspace, exclusion.target, key) for key in sorted(exclusion.conversations))
    )
    added += insert_turns(connection, ((exclusion.workspace, turn, exclusion.target) for turn in turns))
    return added > 0


def select_turns(connection: sqlite3.Connection, workspace: WorkspaceName, numbers: Sequence[int]) -> frozenset[int]:
    """Those of some turns that a workspace keeps out."""
    rows = connection.execute(
        f"SELECT DISTINCT turn FROM excluded_turns WHERE workspace = ? AND turn {in_list(numbers)}",
        (workspace, *numbers),
    )
    return frozenset(turn for (turn,) in rows)


def insert_conversations(connection: sqlite3.Connection, rows: Iterable[tuple[str, str, str]]) -> int:
    """Add those that are not there yet: workspace, target, key; how many."""
    statement = "INSERT OR IGNORE INTO excluded_conversations (workspace, target, conversation) VALUES (?, ?, ?)"
    return max(connection.executemany(statement, rows).rowcount, 0)


def insert_turns(connection: sqlite3.Connection, rows: Iterable[tuple[str, int, str]]) -> int:
    """Add those that are not there yet: workspace, number, target; how many."""
    statement = "INSERT OR IGNORE INTO excluded_turns (workspace, turn, target) VALUES (?, ?, ?)"
    return max(connection.executemany(statement, rows).rowcount, 0)


def delete_exclusions(connection: sqlite3.Connection, workspace: WorkspaceName, targets: Sequence[str]) -> int:
    """How many there were."""
    return connection.executemany(
        "DELETE FROM exclusions WHERE workspace = ? AND target = ?",
        [(workspace, target) for target in dict.fromkeys(targets)],
    ).rowcount
