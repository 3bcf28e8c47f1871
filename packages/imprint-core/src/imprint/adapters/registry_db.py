"""The device's registry in one SQLite file: workspaces, the active one, roots, exclusions, git worktrees."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs

from imprint.adapters.data_folders import DataFolder
from imprint.adapters.registry_adoption import RegistryContent, adopt_content, begin_life, read_content
from imprint.adapters.registry_exclusions import (
    ExclusionCache,
    delete_exclusions,
    insert_exclusion,
    select_exclusions,
    select_turns,
)
from imprint.adapters.registry_schema import REGISTRY_SCHEMA
from imprint.adapters.sqlite_files import SqliteFile
from imprint.domain.names import DEFAULT_WORKSPACE, nearest_name
from imprint.domain.paths import normalize_path, parse_path, same_place
from imprint.domain.purge import Exclusion, extend_exclusion
from imprint.domain.roots import Root, overlapping_roots, roots_containing
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.worktrees import Worktree
from imprint.errors import ProtectedWorkspaceError, RootOverlapError, UnknownRootError, UnknownWorkspaceError
from imprint.protocols.clocks import Clock
from imprint.protocols.registry import ProjectAssignment, RootAddition, WorkspaceRecord

__all__ = ["SqliteRegistry", "open_registry"]


@contextmanager
def open_registry(folder: DataFolder, clock: Clock) -> "Iterator[SqliteRegistry]":
    """Open the device's registry, making it where it does not exist yet.

    Raises:
        DataFolderError: The data folder cannot be made.
        StoreError: The file cannot be used; the leaf says why.
    """
    folder.make()
    file = SqliteFile(folder.registry_file, REGISTRY_SCHEMA)
    try:
        yield SqliteRegistry(file, clock)
    finally:
        file.close()


class SqliteRegistry:
    """Meets `imprint.protocols.registry.Registry`. Used by one thread; open another for another."""

    def __init__(self, file: SqliteFile, clock: Clock) -> None:
        self._file = file
        self._clock = clock
        self._exclusions = ExclusionCache()

    def workspaces(self) -> tuple[WorkspaceRecord, ...]:
        with self._file.read() as connection:
            rows = connection.execute(
                "SELECT name, created_at, active FROM workspaces WHERE NOT deleted ORDER BY name"
            ).fetchall()
        return tuple(
            WorkspaceRecord(name=WorkspaceName(name), created_at=created_at, active=bool(active))
            for name, created_at, active in rows
        )

    def create_workspace(self, name: WorkspaceName) -> bool:
        with self._file.write() as connection:
            return self._create_workspace(connection, name)

    def switch_workspace(self, name: WorkspaceName) -> None:
        with self._file.write() as connection:
            _require_live(connection, name)
            _activate(connection, name)

    def mark_deleted(self, name: WorkspaceName) -> None:
        if name == DEFAULT_WORKSPACE:
            raise ProtectedWorkspaceError(name)
        with self._file.write() as connection:
            _require_live(connection, name)
            (active,) = connection.execute("SELECT active FROM workspaces WHERE name = ?", (name,)).fetchone()
            if active:
                _activate(connection, DEFAULT_WORKSPACE)
            connection.execute("UPDATE workspaces SET deleted = 1 WHERE name = ?", (name,))
            connection.execute("DELETE FROM roots WHERE workspace = ?", (name,))

    def life(self, name: WorkspaceName) -> str | None:
        with self._file.read() as connection:
            found = connection.execute(
                "SELECT created_at FROM workspaces WHERE name = ? AND NOT deleted", (name,)
            ).fetchone()
        return None if found is None else str(found[0])

    def is_live(self, name: WorkspaceName) -> bool:
        with self._file.read() as connection:
            return _is_live(connection, name)

    def roots(self) -> tuple[Root, ...]:
        with self._file.read() as connection:
            return _roots(connection)

    def add_root(self, root: Root, *, allow_overlap: bool = False) -> RootAddition:
        with self._file.write() as connection:
            return self._add_root(connection, root, allow_overlap=allow_overlap)

    def bind_first_root(self, root: Root, *, allow_overlap: bool = False) -> tuple[Root, ...]:
        with self._file.write() as connection:
            _require_live(connection, root.workspace)
            if not _roots_of(connection, root.workspace):
                self._add_root(connection, root, allow_overlap=allow_overlap)
            return _roots_of(connection, root.workspace)

    def assign_project(self, root: Root, *, allow_overlap: bool = False) -> ProjectAssignment:
        with self._file.write() as connection:
            created = self._create_workspace(connection, root.workspace)
            if roots_containing(root.path, _roots_of(connection, root.workspace)):
                return ProjectAssignment(created=created, added=False)
            return ProjectAssignment(
                created=created, added=self._add_root(connection, root, allow_overlap=allow_overlap).added
            )

    def remove_root(self, workspace: WorkspaceName, path: CanonicalPath) -> None:
        with self._file.write() as connection:
            known = _roots_of(connection, workspace)
            found = [root for root in known if same_place(root.path, path)]
            if not found:
                raise UnknownRootError(workspace, str(path), tuple(str(root.path) for root in known))
            connection.executemany(
                "DELETE FROM roots WHERE workspace = ? AND path = ?",
                [(workspace, str(root.path)) for root in found],
            )

    def exclusions(self, workspace: WorkspaceName) -> tuple[Exclusion, ...]:
        def read(connection: sqlite3.Connection) -> tuple[Exclusion, ...]:
            found = select_exclusions(connection, workspace)
            worktrees = _worktrees(connection) if found else ()
            return tuple(extend_exclusion(exclusion, worktrees) for exclusion in found)

        with self._file.read() as connection:
            return self._exclusions.find(connection, workspace, read)

    def excluded_turns(self, workspace: WorkspaceName, numbers: Collection[int]) -> frozenset[int]:
        with self._file.read() as connection:
            return select_turns(connection, workspace, tuple(numbers))

    def add_exclusion(self, exclusion: Exclusion, *, turns: Collection[int] = ()) -> bool:
        dated = attrs.evolve(exclusion, added_at=exclusion.added_at or self._clock.now())
        with self._file.write() as connection:
            return insert_exclusion(connection, dated, turns)

    def remove_exclusions(self, workspace: WorkspaceName, targets: Sequence[str]) -> int:
        with self._file.write() as connection:
            return delete_exclusions(connection, workspace, targets)

    def worktrees(self) -> tuple[Worktree, ...]:
        with self._file.read() as connection:
            return _worktrees(connection)

    def record_worktree(self, worktree: Worktree, *, patience_seconds: float = 5.0) -> bool:
        if worktree in self.worktrees():
            return False
        with self._file.patience(patience_seconds), self._file.write() as connection:
            connection.execute(
                "INSERT INTO worktrees (folder, main) VALUES (?, ?) "
                "ON CONFLICT (folder) DO UPDATE SET main = excluded.main",
                (str(normalize_path(worktree.folder)), str(normalize_path(worktree.main))),
            )
        return True

    def forget_worktree(self, folder: CanonicalPath) -> None:
        with self._file.write() as connection:
            connection.executemany(
                "DELETE FROM worktrees WHERE folder = ?",
                [(str(known.folder),) for known in _worktrees(connection) if same_place(known.folder, folder)],
            )

    def copy_to(self, path: Path) -> None:
        """Write a copy into a new file, while others go on writing."""
        self._file.copy_to(path)

    def content(self) -> RegistryContent:
        """All that another registry may take over."""
        with self._file.read() as connection:
            return read_content(connection)

    def adopt(self, content: RegistryContent) -> None:
        """Take over what another registry says, in one transaction."""
        with self._file.write() as connection:
            adopt_content(connection, content, now=self._clock.now())

    def _create_workspace(self, connection: sqlite3.Connection, name: WorkspaceName) -> bool:
        if _is_live(connection, name):
            return False
        begin_life(connection, name, self._clock.now())
        return True

    def _add_root(self, connection: sqlite3.Connection, root: Root, *, allow_overlap: bool) -> RootAddition:
        _require_live(connection, root.workspace)
        roots = _roots(connection)
        for known in roots:
            if known.workspace == root.workspace and same_place(known.path, root.path):
                return RootAddition(known, added=False)
        if not allow_overlap and (conflicts := overlapping_roots(root, roots)):
            raise RootOverlapError(
                root.workspace, str(root.path), tuple((other.workspace, str(other.path)) for other in conflicts)
            )
        added = Root(
            workspace=root.workspace,
            path=normalize_path(root.path),
            how=root.how,
            added_at=root.added_at or self._clock.now(),
        )
        connection.execute(
            "INSERT INTO roots (workspace, path, how, added_at) VALUES (?, ?, ?, ?)",
            (added.workspace, str(added.path), added.how, added.added_at),
        )
        return RootAddition(added, added=True)


def _is_live(connection: sqlite3.Connection, name: WorkspaceName) -> bool:
    return connection.execute("SELECT 1 FROM workspaces WHERE name = ? AND NOT deleted", (name,)).fetchone() is not None


def _require_live(connection: sqlite3.Connection, name: WorkspaceName) -> None:
    if not _is_live(connection, name):
        rows = connection.execute("SELECT name FROM workspaces WHERE NOT deleted ORDER BY name").fetchall()
        known = tuple(known for (known,) in rows)
        raise UnknownWorkspaceError(name, known, nearest_name(name, known))


def _activate(connection: sqlite3.Connection, name: WorkspaceName) -> None:
    connection.execute("UPDATE workspaces SET active = 0 WHERE active")
    connection.execute("UPDATE workspaces SET active = 1 WHERE name = ?", (name,))


def _roots(connection: sqlite3.Connection) -> tuple[Root, ...]:
    rows = connection.execute("SELECT workspace, path, how, added_at FROM roots ORDER BY path, workspace").fetchall()
    return tuple(
        Root(workspace=WorkspaceName(workspace), path=parse_path(path), how=how, added_at=added_at)
        for workspace, path, how, added_at in rows
    )


def _worktrees(connection: sqlite3.Connection) -> tuple[Worktree, ...]:
    rows = connection.execute("SELECT folder, main FROM worktrees ORDER BY folder").fetchall()
    return tuple(Worktree(folder=parse_path(folder), main=parse_path(main)) for folder, main in rows)


def _roots_of(connection: sqlite3.Connection, workspace: WorkspaceName) -> tuple[Root, ...]:
    return tuple(root for root in _roots(connection) if root.workspace == workspace)
