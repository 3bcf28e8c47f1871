"""What a registry takes over from another, when a backup is restored."""

import sqlite3

import attrs

from imprint.adapters.registry_exclusions import insert_conversations, insert_turns
from imprint.domain.names import DEFAULT_WORKSPACE
from imprint.domain.paths import parse_path
from imprint.domain.roots import Root
from imprint.domain.sources import WorkspaceName
from imprint.domain.times import shift

__all__ = ["RegistryContent", "adopt_content", "begin_life", "read_content"]


@attrs.frozen(kw_only=True)
class RegistryContent:
    """What one registry says, as another can take it over.

    Attributes:
        workspaces: Those that live, by name, with the moment they were made.
        roots: Workspace, path, how, when.
        exclusions: Workspace, target, recursive, when; also those of workspaces that were deleted.
        conversations: Workspace, target, the key of a conversation that is excluded with it.
        turns: Workspace, number, target.
        worktrees: Folder, main folder.
    """

    workspaces: dict[WorkspaceName, str]
    active: WorkspaceName
    roots: tuple[tuple[str, str, str, str], ...]
    exclusions: tuple[tuple[str, str, int, str], ...]
    conversations: tuple[tuple[str, str, str], ...]
    turns: tuple[tuple[str, int, str], ...]
    worktrees: tuple[tuple[str, str], ...]

    @property
    def approved(self) -> tuple[Root, ...]:
        """The roots, as values."""
        return tuple(
            Root(workspace=WorkspaceName(workspace), path=parse_path(path), how=how, added_at=added_at)
            for workspace, path, how, added_at in self.roots
        )


def read_content(connection: sqlite3.Connection) -> RegistryContent:
    """Read what a registry says."""
    rows = connection.execute("SELECT name, created_at, active FROM workspaces WHERE NOT deleted").fetchall()
    return RegistryContent(
        workspaces={WorkspaceName(name): created_at for name, created_at, _ in rows},
        active=next((WorkspaceName(name) for name, _, active in rows if active), DEFAULT_WORKSPACE),
        roots=tuple(
            connection.execute(
                "SELECT workspace, path, how, added_at FROM roots "
                "WHERE workspace IN (SELECT name FROM workspaces WHERE NOT deleted)"
            )
        ),
        exclusions=tuple(connection.execute("SELECT workspace, target, recursive, added_at FROM exclusions")),
        conversations=tuple(connection.execute("SELECT workspace, target, conversation FROM excluded_conversations")),
        turns=tuple(connection.execute("SELECT workspace, turn, target FROM excluded_turns")),
        worktrees=tuple(connection.execute("SELECT folder, main FROM worktrees")),
    )


def begin_life(connection: sqlite3.Connection, name: WorkspaceName, moment: str) -> None:
    """Make a workspace. One that was deleted lives again, and its beginning is never that of an earlier life."""
    found = connection.execute("SELECT created_at FROM workspaces WHERE name = ?", (name,)).fetchone()
    if found == (moment,):
        moment = shift(moment, seconds=0.001)
    connection.execute(
        "INSERT INTO workspaces (name, created_at) VALUES (?, ?) "
        "ON CONFLICT (name) DO UPDATE SET created_at = excluded.created_at, deleted = 0",
        (name, moment),
    )


def adopt_content(connection: sqlite3.Connection, content: RegistryContent, *, now: str) -> None:
    """Take over: workspaces live again, with the roots they had; exclusions are united; what is not told of stays.

    One that was deleted begins a new life, so that nobody writes to the files of the old.
    """
    for name, created_at in content.workspaces.items():
        found = connection.execute("SELECT deleted FROM workspaces WHERE name = ?", (name,)).fetchone()
        if found is None or found[0]:
            begin_life(connection, name, now if found else created_at)
        connection.execute("DELETE FROM roots WHERE workspace = ?", (name,))
    connection.executemany("INSERT INTO roots (workspace, path, how, added_at) VALUES (?, ?, ?, ?)", content.roots)
    connection.executemany(
        "INSERT INTO exclusions (workspace, target, recursive, added_at) VALUES (?, ?, ?, ?) "
        "ON CONFLICT (workspace, target) DO UPDATE SET recursive = max(recursive, excluded.recursive)",
        content.exclusions,
    )
    insert_conversations(connection, content.conversations)
    insert_turns(connection, content.turns)
    connection.executemany("INSERT OR IGNORE INTO worktrees (folder, main) VALUES (?, ?)", content.worktrees)
    connection.execute("UPDATE workspaces SET active = 0 WHERE active")
    connection.execute("UPDATE workspaces SET active = 1 WHERE name = ?", (content.active,))
