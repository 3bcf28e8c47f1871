"""What others have open while a workspace is deleted, made anew under its name, or brought back by a backup."""

from collections.abc import Callable
from pathlib import Path

import pytest
from desks import ACME, Desk, open_desk, version

from imprint.adapters.workspace_files import WorkspaceFolders
from imprint.errors import WorkspaceDeletedError


def delete(desk: Desk) -> None:
    """As `imprint workspace delete` does."""
    desk.registry.mark_deleted(ACME)
    with desk.locks.hold(ACME, "delete"):
        WorkspaceFolders(desk.folder).remove(ACME)


def make_anew(desk: Desk, backup: Path) -> None:
    del backup
    desk.registry.create_workspace(ACME)


def restore(desk: Desk, backup: Path) -> None:
    desk.restore(backup)


@pytest.mark.parametrize("bring_back", [make_anew, restore])
def test_a_store_that_was_open_all_the_while_takes_nothing_for_the_new_one(
    desk: Desk, tmp_path: Path, bring_back: Callable[[Desk, Path], None]
):
    """Its file is gone from the folder; what was written to it would be acknowledged and lost."""
    desk.write(version("/w/a.md", ["before"]), workspace=ACME)
    desk.backup(tmp_path / "a.backup")
    with desk.stores.open(ACME) as store:
        with open_desk(desk.folder.path) as other:
            delete(other)
            bring_back(other, tmp_path / "a.backup")

        with pytest.raises(WorkspaceDeletedError):
            store.merge_sources([version("/w/b.md", ["after"])])

    assert "/w/b.md" not in desk.dump(ACME)["sources"]
    desk.write(version("/w/b.md", ["after"]), workspace=ACME)
    assert "/w/b.md" in desk.dump(ACME)["sources"]


def test_a_store_that_was_open_while_it_was_restored_goes_on(desk: Desk, tmp_path: Path):
    desk.write(version("/w/a.md", ["before"]), workspace=ACME)
    desk.backup(tmp_path / "a.backup")
    with desk.stores.open(ACME) as store:
        with open_desk(desk.folder.path) as other:
            other.restore(tmp_path / "a.backup")

        store.merge_sources([version("/w/b.md", ["after"])])

    assert set(desk.dump(ACME)["sources"]) == {"/w/a.md", "/w/b.md"}
