"""A registry that an earlier version of the program made is brought up to date, once, with what it holds."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path, PurePosixPath

import attrs
import pytest

from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.registry_db import open_registry
from imprint.adapters.registry_schema import REGISTRY_SCHEMA
from imprint.adapters.sqlite_files import SqliteFile
from imprint.domain.sources import WorkspaceName
from imprint.domain.worktrees import Worktree


@pytest.fixture
def old(tmp_path: Path) -> DataFolder:
    """A data folder whose registry is of the first version, with a workspace and a root."""
    folder = DataFolder(tmp_path / "data")
    folder.make()
    SqliteFile(folder.registry_file, attrs.evolve(REGISTRY_SCHEMA, migrations=REGISTRY_SCHEMA.migrations[:1])).close()
    with closing(sqlite3.connect(folder.registry_file)) as connection, connection:
        connection.execute("INSERT INTO workspaces (name, created_at) VALUES ('acme', '2026-01-01T00:00:00.000Z')")
        connection.execute("INSERT INTO roots VALUES ('acme', '/w/app', 'use', '2026-01-01T00:00:00.000Z')")
    return folder


def test_what_a_registry_holds_stays_and_worktrees_can_be_recorded(old: DataFolder):
    worktree = Worktree(folder=PurePosixPath("/w/feature"), main=PurePosixPath("/w/app"))

    with open_registry(old, SystemClock()) as registry:
        assert registry.worktrees() == ()
        assert registry.record_worktree(worktree)

    with open_registry(old, SystemClock()) as registry:
        assert registry.worktrees() == (worktree,)
        assert [(root.workspace, str(root.path)) for root in registry.roots()] == [("acme", "/w/app")]
        assert registry.is_live(WorkspaceName("acme"))


def test_of_many_programs_that_open_it_at_once_one_migrates_and_all_can_use_it(old: DataFolder):
    def use(number: int) -> bool:
        with open_registry(old, SystemClock()) as registry:
            main = PurePosixPath("/w/app")
            return registry.record_worktree(Worktree(folder=PurePosixPath(f"/w/{number}"), main=main))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(use, range(8))) == [True] * 8

    with open_registry(old, SystemClock()) as registry:
        assert len(registry.worktrees()) == 8
