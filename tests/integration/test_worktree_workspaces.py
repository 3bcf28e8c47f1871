"""Workspaces of linked git worktrees: assigning, approving and remembering, on a real registry, with the real git."""

import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from imprint.adapters.canonical_paths import canonical_path
from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.locks import FileLocks
from imprint.adapters.project_folders import RealProjectFolders
from imprint.adapters.registry_db import open_registry
from imprint.adapters.workspace_files import WorkspaceFolders
from imprint.domain.resolution import Reason
from imprint.domain.sources import WorkspaceName
from imprint.domain.worktrees import Worktree
from imprint.errors import InvalidPathError, UnknownRootError
from imprint.services.workspace_changes import ProjectUse
from imprint.services.workspace_roots import WorkspaceRoots
from imprint.services.workspaces import Workspaces
from imprint.testing.fakes import MemorySettings

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

ACME = WorkspaceName("acme")


def git(folder: Path, *words: str | Path) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, check=True)


@pytest.fixture
def main(tmp_path: Path) -> Path:
    main = tmp_path / "home" / "app"
    (main / "src").mkdir(parents=True)
    (main / "src" / "x.py").touch()
    git(main, "init", "--quiet")
    git(main, "add", ".")
    git(main, "commit", "--quiet", "-m", "begin")
    return main


@pytest.fixture
def linked(main: Path) -> Path:
    linked = main.parent / "feature"
    git(main, "worktree", "add", "--quiet", linked)
    return linked


@pytest.fixture
def workspaces(tmp_path: Path, main: Path) -> Iterator[Workspaces]:
    clock, data = SystemClock(), DataFolder(tmp_path / "data")
    with open_registry(data, clock) as registry:
        yield Workspaces(
            registry=registry,
            projects=RealProjectFolders((canonical_path(main.parent),)),
            settings=MemorySettings(),
            files=WorkspaceFolders(data),
            locks=FileLocks(data, clock),
            clock=clock,
        )


@pytest.fixture
def roots(workspaces: Workspaces) -> WorkspaceRoots:
    return WorkspaceRoots(workspaces)


def test_a_worktree_uses_the_workspace_of_its_main_one(workspaces: Workspaces, main: Path, linked: Path):
    workspaces.use(main, "acme")

    resolved = workspaces.which(linked / "src", is_session=True)

    assert (resolved.workspace, resolved.resolution.reason) == (ACME, Reason.PROJECT_FILE)
    assert resolved.resolution.project == canonical_path(main)
    assert resolved.as_json()["directory"] == str(canonical_path(linked / "src"))
    assert str(linked) in resolved.sentence


def test_a_root_decides_for_the_same_place_in_a_worktree(
    workspaces: Workspaces, roots: WorkspaceRoots, main: Path, linked: Path
):
    workspaces.create("acme")
    roots.add(main / "src", explicit="acme")

    assert workspaces.which(linked / "src").workspace == ACME
    assert workspaces.which(linked).resolution.reason is Reason.ACTIVE


def test_use_in_a_worktree_assigns_the_main_folder(workspaces: Workspaces, main: Path, linked: Path):
    done = workspaces.use(linked / "src", "acme")

    assert done == ProjectUse(
        workspace=ACME, folder=canonical_path(main), created=True, root_added=True, file_written=True
    )
    assert (main / ".imprint" / "workspace.json").exists()
    assert not (linked / ".imprint").exists()
    assert workspaces.which(main).workspace == workspaces.which(linked).workspace == ACME


def test_a_root_in_a_worktree_is_the_main_folder_and_is_removed_from_either(
    roots: WorkspaceRoots, main: Path, linked: Path
):
    added = roots.add(linked)

    assert added.root.path == canonical_path(main)
    assert not roots.add(main).added
    assert roots.remove(linked).path == canonical_path(main)
    with pytest.raises(UnknownRootError):
        roots.remove(linked)


def test_asking_records_nothing(workspaces: Workspaces, main: Path, linked: Path):
    workspaces.which(linked, is_session=True)

    assert workspaces.registry.worktrees() == ()


def test_a_worktree_that_is_gone_is_known_by_its_record(workspaces: Workspaces, main: Path, linked: Path):
    """A client's hook may run after the worktree of its session was removed."""
    workspaces.use(main, "acme")
    workspaces.note_worktree(workspaces.which(linked).surroundings)
    git(main, "worktree", "remove", "--force", linked)

    resolved = workspaces.which(linked / "src", is_session=True)

    assert (resolved.workspace, resolved.resolution.reason) == (ACME, Reason.PROJECT_FILE)
    with pytest.raises(InvalidPathError):
        workspaces.use(linked / "src", "acme")


def test_a_session_that_begins_in_a_worktree_records_it(workspaces: Workspaces, main: Path, linked: Path):
    assert workspaces.begin_session(linked / "src") == workspaces.which(linked / "src", is_session=True)
    assert workspaces.registry.worktrees() == (Worktree(folder=canonical_path(linked), main=canonical_path(main)),)


def test_a_registry_that_is_busy_keeps_no_session_from_starting(workspaces: Workspaces, tmp_path: Path, linked: Path):
    workspaces.list()
    with closing(sqlite3.connect(tmp_path / "data" / "registry.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        begun = time.monotonic()

        assert workspaces.begin_session(linked).resolution.needs_choice
        assert time.monotonic() - begun < 4, "it does not wait as long as others do"
        assert workspaces.registry.worktrees() == ()


def test_a_worktree_that_is_gone_without_a_record_is_nobodys(workspaces: Workspaces, main: Path, linked: Path):
    workspaces.use(main, "acme")
    git(main, "worktree", "remove", "--force", linked)

    assert workspaces.which(linked, is_session=True).resolution.reason is Reason.ACTIVE


def test_a_record_never_speaks_for_a_folder_that_is_there(workspaces: Workspaces, main: Path, linked: Path):
    workspaces.use(main, "acme")
    workspaces.note_worktree(workspaces.which(linked).surroundings)
    git(main, "worktree", "remove", "--force", linked)
    (linked / "src").mkdir(parents=True)

    assert workspaces.which(linked / "src").resolution.reason is Reason.ACTIVE


def test_a_folder_that_cannot_be_read_is_not_forgotten(workspaces: Workspaces, main: Path, linked: Path):
    workspaces.note_worktree(workspaces.which(linked).surroundings)
    git(main, "worktree", "remove", "--force", linked)
    linked.symlink_to(linked.name)

    workspaces.note_worktree(workspaces.which(linked).surroundings)

    assert len(workspaces.registry.worktrees()) == 1


def test_a_folder_that_is_no_worktree_any_more_is_forgotten(workspaces: Workspaces, main: Path, linked: Path):
    workspaces.note_worktree(workspaces.which(linked).surroundings)
    assert workspaces.registry.worktrees() == (Worktree(folder=canonical_path(linked), main=canonical_path(main)),)
    (linked / "nested" / ".git").mkdir(parents=True)
    (linked / "nested" / ".git" / "HEAD").touch()

    workspaces.note_worktree(workspaces.which(linked / "nested").surroundings)
    assert len(workspaces.registry.worktrees()) == 1, "a repository of its own inside does not unmake the worktree"

    git(main, "worktree", "remove", "--force", linked)
    workspaces.note_worktree(workspaces.which(linked).surroundings)
    assert len(workspaces.registry.worktrees()) == 1, "that it is gone is what the record is for"

    linked.mkdir()
    workspaces.note_worktree(workspaces.which(linked).surroundings)
    assert workspaces.registry.worktrees() == ()


def test_use_in_a_worktree_of_a_deleted_main_repository_takes_the_worktree_itself(
    workspaces: Workspaces, main: Path, linked: Path
):
    shutil.rmtree(main)

    assert workspaces.use(linked / "src", "acme").folder == canonical_path(linked)


def test_a_stranger_who_names_anothers_record_uses_none_of_its_workspace(
    workspaces: Workspaces, roots: WorkspaceRoots, main: Path, linked: Path
):
    workspaces.use(main, "acme")
    strange = main.parent / "strange"
    strange.mkdir()
    shutil.copy(linked / ".git", strange / ".git")

    resolved = workspaces.which(strange, is_session=True)

    assert (resolved.workspace, resolved.resolution.needs_choice) == ("default", True)
    assert roots.add(strange).root.path == canonical_path(strange)
