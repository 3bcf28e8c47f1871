"""What every `Registry` promises; the one in memory stands in for the real one in other tests."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path, PurePosixPath, PureWindowsPath

import attrs
import pytest

from imprint.adapters.data_folders import DataFolder
from imprint.adapters.registry_db import open_registry
from imprint.domain.purge import Exclusion
from imprint.domain.roots import Root
from imprint.domain.sources import WorkspaceName
from imprint.domain.worktrees import Worktree
from imprint.errors import ProtectedWorkspaceError, RootOverlapError, UnknownRootError, UnknownWorkspaceError
from imprint.protocols.registry import ProjectAssignment, Registry, RootAddition, WorkspaceRecord
from imprint.testing.fakes import FixedClock, MemoryRegistry

DEFAULT, ACME, LAB = WorkspaceName("default"), WorkspaceName("acme"), WorkspaceName("lab")


@pytest.fixture(params=["memory", "sqlite"])
def registry(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Registry]:
    clock = FixedClock()
    with ExitStack() as closing:
        if request.param == "memory":
            yield MemoryRegistry(clock)
        else:
            yield closing.enter_context(open_registry(DataFolder(tmp_path / "data"), clock))


def root(workspace: WorkspaceName, path: str) -> Root:
    return Root(workspace=workspace, path=PurePosixPath(path), how="roots-add", added_at="2026-01-01T00:00:00.000Z")


def excluded(target: str, *, recursive: bool = False, workspace: WorkspaceName = DEFAULT) -> Exclusion:
    return Exclusion(workspace=workspace, target=target, recursive=recursive, added_at="2026-01-01T00:00:00.000Z")


def names(registry: Registry) -> list[str]:
    return [record.name for record in registry.workspaces()]


def active(registry: Registry) -> list[str]:
    return [record.name for record in registry.workspaces() if record.active]


def test_a_new_device_has_the_default_workspace_and_it_is_active(registry: Registry):
    (record,) = registry.workspaces()

    assert (record.name, record.active) == ("default", True)
    assert registry.is_live(DEFAULT)


def test_creating_a_workspace_again_changes_nothing(registry: Registry):
    assert registry.create_workspace(ACME) is True
    assert registry.create_workspace(ACME) is False

    assert registry.workspaces()[0] == WorkspaceRecord(name=ACME, created_at="2026-01-02T03:04:05.678Z", active=False)
    assert names(registry) == ["acme", "default"]


def test_exactly_one_workspace_is_active(registry: Registry):
    registry.create_workspace(ACME)

    registry.switch_workspace(ACME)
    assert active(registry) == ["acme"]
    registry.switch_workspace(ACME)
    assert active(registry) == ["acme"]
    registry.switch_workspace(DEFAULT)
    assert active(registry) == ["default"]


def test_switching_to_an_unknown_workspace_names_the_nearest(registry: Registry):
    registry.create_workspace(ACME)

    with pytest.raises(UnknownWorkspaceError) as caught:
        registry.switch_workspace(WorkspaceName("acne"))

    assert attrs.astuple(caught.value) == ("acne", ("acme", "default"), "acme")


def test_a_deleted_workspace_loses_its_roots_keeps_its_exclusions_and_is_active_no_more(registry: Registry):
    registry.create_workspace(ACME)
    registry.switch_workspace(ACME)
    registry.add_root(root(ACME, "/w/acme"))
    registry.add_exclusion(excluded("/w/acme/secret", workspace=ACME))

    registry.mark_deleted(ACME)

    assert names(registry) == active(registry) == ["default"]
    assert registry.is_live(ACME) is False
    assert registry.roots() == ()
    assert registry.exclusions(ACME) == (excluded("/w/acme/secret", workspace=ACME),)


def test_a_deleted_workspace_is_unknown_until_it_is_created_again(registry: Registry):
    registry.create_workspace(ACME)
    registry.mark_deleted(ACME)

    with pytest.raises(UnknownWorkspaceError):
        registry.mark_deleted(ACME)
    with pytest.raises(UnknownWorkspaceError):
        registry.add_root(root(ACME, "/w"))
    assert registry.create_workspace(ACME) is True
    assert registry.is_live(ACME) is True


def test_a_workspace_that_is_made_anew_has_another_life(registry: Registry):
    registry.create_workspace(ACME)
    first = registry.life(ACME)
    registry.create_workspace(ACME)
    assert registry.life(ACME) == first is not None

    registry.mark_deleted(ACME)
    assert registry.life(ACME) is None
    registry.create_workspace(ACME)

    assert registry.life(ACME) not in (None, first)


def test_the_default_workspace_cannot_be_deleted(registry: Registry):
    with pytest.raises(ProtectedWorkspaceError):
        registry.mark_deleted(DEFAULT)

    assert registry.is_live(DEFAULT)


def test_a_root_is_added_once(registry: Registry):
    assert registry.add_root(root(DEFAULT, "/w/app")) == RootAddition(root(DEFAULT, "/w/app"), added=True)
    assert registry.add_root(root(DEFAULT, "/w/app")) == RootAddition(root(DEFAULT, "/w/app"), added=False)

    assert registry.roots() == (root(DEFAULT, "/w/app"),)


def test_a_windows_root_is_one_whatever_its_spelling(registry: Registry):
    path = PureWindowsPath("C:\\Work\\App")
    registry.add_root(Root(workspace=DEFAULT, path=path, added_at="2026-01-01T00:00:00.000Z"))

    again = registry.add_root(Root(workspace=DEFAULT, path=PureWindowsPath("\\\\?\\c:\\work\\app")))

    assert again.added is False
    assert [known.path for known in registry.roots()] == [path]
    registry.remove_root(DEFAULT, PureWindowsPath("c:\\WORK\\app"))
    assert registry.roots() == ()


@pytest.mark.parametrize("mine", ["/w/app", "/w/app/inner", "/w"])
def test_an_overlap_with_other_workspaces_is_refused_naming_each(registry: Registry, mine: str):
    registry.create_workspace(ACME)
    registry.create_workspace(LAB)
    registry.add_root(root(ACME, "/w/app"))
    registry.add_root(root(LAB, "/w/app"), allow_overlap=True)

    with pytest.raises(RootOverlapError) as caught:
        registry.add_root(root(DEFAULT, mine))

    assert attrs.astuple(caught.value) == ("default", mine, (("acme", "/w/app"), ("lab", "/w/app")))
    assert len(registry.roots()) == 2
    assert registry.add_root(root(DEFAULT, mine), allow_overlap=True).added is True


@pytest.mark.parametrize("mine", ["/w/app2", "/w/ap", "/v"])
def test_neighbours_do_not_overlap(registry: Registry, mine: str):
    registry.create_workspace(ACME)
    registry.add_root(root(ACME, "/w/app"))

    assert registry.add_root(root(DEFAULT, mine)).added is True


def test_only_the_first_root_is_bound(registry: Registry):
    assert registry.bind_first_root(root(DEFAULT, "/w/app")) == (root(DEFAULT, "/w/app"),)
    assert registry.bind_first_root(root(DEFAULT, "/v")) == (root(DEFAULT, "/w/app"),)


def test_binding_a_first_root_refuses_an_overlap(registry: Registry):
    registry.create_workspace(ACME)
    registry.bind_first_root(root(ACME, "/w"))

    with pytest.raises(RootOverlapError):
        registry.bind_first_root(root(DEFAULT, "/w/app"))

    assert registry.roots() == (root(ACME, "/w"),)
    assert registry.bind_first_root(root(DEFAULT, "/w/app"), allow_overlap=True) == (root(DEFAULT, "/w/app"),)


def test_roots_come_in_path_order(registry: Registry):
    registry.create_workspace(ACME)
    for workspace, path in ((DEFAULT, "/c"), (ACME, "/b"), (DEFAULT, "/a")):
        registry.add_root(root(workspace, path))

    assert [str(known.path) for known in registry.roots()] == ["/a", "/b", "/c"]


def test_removing_an_unknown_root_names_those_there_are(registry: Registry):
    registry.add_root(root(DEFAULT, "/w/app"))

    with pytest.raises(UnknownRootError) as caught:
        registry.remove_root(DEFAULT, PurePosixPath("/w"))

    assert attrs.astuple(caught.value) == ("default", "/w", ("/w/app",), ())


def test_assigning_a_project_creates_its_workspace_and_root_together(registry: Registry):
    assert registry.assign_project(root(ACME, "/w/app")) == ProjectAssignment(created=True, added=True)
    assert registry.assign_project(root(ACME, "/w/app/inner")) == ProjectAssignment(created=False, added=False)

    assert registry.roots() == (root(ACME, "/w/app"),)


def test_an_assignment_refused_for_overlap_creates_nothing(registry: Registry):
    registry.add_root(root(DEFAULT, "/w"))

    with pytest.raises(RootOverlapError):
        registry.assign_project(root(ACME, "/w/app"))

    assert names(registry) == ["default"]
    assert registry.assign_project(root(ACME, "/w/app"), allow_overlap=True) == ProjectAssignment(
        created=True, added=True
    )


def test_an_exclusion_is_added_once_and_removed_by_its_target(registry: Registry):
    assert registry.add_exclusion(excluded("/w/a")) is True
    assert registry.add_exclusion(excluded("/w/a")) is False
    assert registry.add_exclusion(excluded("https://x.org/", recursive=True)) is True
    assert registry.exclusions(DEFAULT) == (excluded("/w/a"), excluded("https://x.org/", recursive=True))
    assert registry.exclusions(ACME) == ()

    assert registry.remove_exclusions(DEFAULT, ["/w/a", "/w/a", "/w"]) == 1

    assert registry.exclusions(DEFAULT) == (excluded("https://x.org/", recursive=True),)


def test_an_exclusion_grows_when_it_is_added_again_as_recursive(registry: Registry):
    registry.add_exclusion(excluded("/w/a"))

    assert registry.add_exclusion(excluded("/w/a", recursive=True)) is True
    assert registry.add_exclusion(excluded("/w/a")) is False

    assert registry.exclusions(DEFAULT) == (excluded("/w/a", recursive=True),)


def worktree(folder: str, main: str) -> Worktree:
    return Worktree(folder=PurePosixPath(folder), main=PurePosixPath(main))


def test_a_worktree_is_recorded_once_and_follows_its_main_one(registry: Registry):
    assert registry.record_worktree(worktree("/w/two", "/w/app")) is True
    assert registry.record_worktree(worktree("/w/two", "/w/app")) is False
    assert registry.record_worktree(worktree("/w/one", "/w/app")) is True
    assert registry.worktrees() == (worktree("/w/one", "/w/app"), worktree("/w/two", "/w/app"))

    assert registry.record_worktree(worktree("/w/two", "/moved/app")) is True

    assert registry.worktrees() == (worktree("/w/one", "/w/app"), worktree("/w/two", "/moved/app"))


def test_a_worktree_is_forgotten_by_its_folder_whatever_its_spelling(registry: Registry):
    registry.record_worktree(Worktree(folder=PureWindowsPath("C:\\Trees\\One"), main=PureWindowsPath("C:\\App")))

    registry.forget_worktree(PureWindowsPath("c:\\trees\\ONE"))
    registry.forget_worktree(PureWindowsPath("c:\\trees\\ONE"))

    assert registry.worktrees() == ()


def test_an_exclusion_keeps_the_conversations_of_every_time_it_is_added_and_goes_with_them(registry: Registry):
    first = attrs.evolve(excluded("/w/a.jsonl"), conversations=frozenset({"conversation:x/1"}))
    later = attrs.evolve(first, conversations=frozenset({"conversation:x/1", "conversation:x/2"}))

    assert [registry.add_exclusion(one) for one in (first, first, later, first)] == [True, False, True, False]
    assert registry.exclusions(DEFAULT) == (later,)
    assert registry.remove_exclusions(DEFAULT, ["/w/a.jsonl"]) == 1
    registry.add_exclusion(excluded("/w/a.jsonl"))

    assert registry.exclusions(DEFAULT) == (excluded("/w/a.jsonl"),)


def test_turns_are_kept_out_as_long_as_any_exclusion_names_them(registry: Registry):
    registry.add_exclusion(excluded("/w/a.jsonl"), turns=[1, 2])
    registry.add_exclusion(excluded("conversation:x/1"), turns=[2, -3])

    assert [registry.add_exclusion(excluded("/w/a.jsonl"), turns=turns) for turns in ([2], [2, 4])] == [False, True]
    assert registry.excluded_turns(DEFAULT, [1, 2, -3, 4, 5]) == {1, 2, -3, 4}
    assert registry.excluded_turns(ACME, [1]) == registry.excluded_turns(DEFAULT, []) == frozenset()
    registry.remove_exclusions(DEFAULT, ["/w/a.jsonl"])

    assert registry.excluded_turns(DEFAULT, [1, 2, -3, 4]) == {2, -3}


def test_an_exclusion_covers_its_place_in_every_recorded_worktree(registry: Registry):
    registry.add_exclusion(excluded("/w/app/secret"))
    registry.add_exclusion(excluded("text:note"))
    registry.record_worktree(worktree("/w/one", "/w/app"))

    path, key = registry.exclusions(DEFAULT)

    assert (path.target, path.elsewhere) == ("/w/app/secret", (PurePosixPath("/w/one/secret"),))
    assert key == excluded("text:note")
    assert registry.remove_exclusions(DEFAULT, ["/w/app/secret"]) == 1


def test_what_is_excluded_is_read_again_only_after_a_change_whoever_made_it(tmp_path: Path):
    """Each write into a store asks; after a purge of a large export there are tens of thousands of conversations."""
    held = attrs.evolve(excluded("/w/old.zip"), conversations=frozenset({"conversation:x/1"}))
    folder = DataFolder(tmp_path / "data")
    with open_registry(folder, FixedClock()) as ours, open_registry(folder, FixedClock()) as others:
        for registry in (ours, others):
            registry.add_exclusion(held)
            assert ours.exclusions(DEFAULT) == others.exclusions(DEFAULT) == (held,)
            assert ours.exclusions(ACME) == ()
            assert ours.exclusions(DEFAULT) is ours.exclusions(DEFAULT)

            registry.record_worktree(worktree("/w-feature", "/w"))
            assert ours.exclusions(DEFAULT) == others.exclusions(DEFAULT) != (held,)

            registry.forget_worktree(PurePosixPath("/w-feature"))
            registry.remove_exclusions(DEFAULT, [held.target])
            assert ours.exclusions(DEFAULT) == others.exclusions(DEFAULT) == ()
