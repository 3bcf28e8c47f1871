"""Linked worktrees as values: what git's files have to say before one directory stands for another."""

from pathlib import PurePosixPath, PureWindowsPath

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.paths import contains, parse_path, same_place
from imprint.domain.sources import CanonicalPath
from imprint.domain.worktrees import (
    Worktree,
    WorktreeFacts,
    counterparts,
    parse_pointer,
    stand_in,
    verify_worktree,
)
from imprint.testing.strategies import canonical_paths, posix_paths, windows_paths, worktrees

MAIN, LINKED = PurePosixPath("/w/app"), PurePosixPath("/w/app-feature")
WORKTREE = Worktree(folder=LINKED, main=MAIN)
SOUND = WorktreeFacts(
    folder=LINKED,
    record=MAIN / ".git" / "worktrees" / "feature",
    repository=MAIN / ".git",
    named_back=LINKED,
)


def facts_of(folder: str, main: str, *, repository: str = "") -> WorktreeFacts:
    git = parse_path(repository) if repository else parse_path(main) / ".git"
    return WorktreeFacts(
        folder=parse_path(folder), record=git / "worktrees" / "x", repository=git, named_back=parse_path(folder)
    )


def test_a_directory_that_both_sides_name_is_a_worktree():
    assert verify_worktree(SOUND) == WORKTREE


@pytest.mark.parametrize(
    "changes",
    [
        {"record": None},
        {"repository": None},
        {"named_back": None},
        {"named_back": PurePosixPath("/w/app-other")},
        {"named_back": LINKED / "inner"},
        {"record": PurePosixPath("/w/app/.git/modules/feature")},
        {"record": PurePosixPath("/w/app/.git/worktrees")},
        {"record": PurePosixPath("/w/app/.git/worktrees/deep/feature")},
        {"record": PurePosixPath("/strangers/.git/worktrees/feature")},
        {"repository": PurePosixPath("/strangers/.git")},
        {"is_bare": True},
    ],
)
def test_what_either_side_does_not_say_makes_none(changes: dict[str, object]):
    assert verify_worktree(attrs.evolve(SOUND, **changes)) is None


def test_a_repository_that_lies_apart_names_its_main_worktree_and_is_named_by_it():
    """Submodules keep theirs in the repository above, with `core.worktree` set."""
    apart = facts_of("/w/linked", "/unused", repository="/w/super/.git/modules/app")
    named = attrs.evolve(apart, work_tree=MAIN)

    assert verify_worktree(apart) is None
    assert verify_worktree(named) is None
    assert verify_worktree(attrs.evolve(named, work_tree_repository=PurePosixPath("/elsewhere/.git"))) is None
    assert verify_worktree(attrs.evolve(named, work_tree_repository=apart.repository)) == Worktree(
        folder=PurePosixPath("/w/linked"), main=MAIN
    )


def test_a_repository_cannot_give_away_a_folder_that_does_not_name_it():
    """Else a downloaded folder with a repository of its own would choose a workspace by `core.worktree`."""
    greedy = attrs.evolve(SOUND, work_tree=PurePosixPath("/home/me/private"))

    assert verify_worktree(greedy) is None
    assert verify_worktree(attrs.evolve(greedy, work_tree_repository=PurePosixPath("/home/me/private/.git"))) is None


def test_a_main_worktree_that_is_named_redundantly_is_the_holder():
    assert verify_worktree(attrs.evolve(SOUND, work_tree=MAIN)) == WORKTREE


def test_nothing_is_a_worktree_of_itself():
    assert verify_worktree(attrs.evolve(SOUND, folder=MAIN, named_back=MAIN)) is None


@pytest.mark.parametrize(
    ("folder", "main", "named_back"),
    [
        ("C:\\Work\\App-Feature", "C:\\Work\\App", "c:/work/app-feature"),
        ("\\\\?\\C:\\Work\\App-Feature", "C:\\Work\\App", "C:\\Work\\App-Feature"),
        ("\\\\host\\share\\feature", "\\\\HOST\\share\\app", "\\\\?\\UNC\\host\\Share\\feature"),
        ("\\\\wsl$\\Debian\\w\\feature", "\\\\wsl.localhost\\Debian\\w\\app", "\\\\wsl.localhost\\debian\\w\\feature"),
    ],
)
def test_windows_may_spell_one_place_in_many_ways(folder: str, main: str, named_back: str):
    facts = attrs.evolve(facts_of(folder, main), named_back=parse_path(named_back))

    found = verify_worktree(facts)

    assert found == Worktree(folder=parse_path(folder), main=parse_path(main))
    assert stand_in(parse_path(folder) / "src", [found]) == parse_path(main) / "src"


@pytest.mark.parametrize(
    ("data", "start", "named"),
    [
        (b"gitdir: /w/app/.git/worktrees/x\n", "/w/feature", "/w/app/.git/worktrees/x"),
        (b"gitdir: ../app/.git/worktrees/x\r\n", "/w/feature", "/w/feature/../app/.git/worktrees/x"),
        (b"gitdir:  /led by a blank", "/w", "/w/ /led by a blank"),
        (b"gitdir: /line\nbreak\n", "/w", "/line\nbreak"),
        ("gitdir: /ü/\udcff".encode("utf-8", "surrogateescape"), "/w", "/ü/\udcff"),
        (b"gitdir: C:/Work/app/.git/worktrees/x", "C:\\Work\\feature", "C:\\Work\\app\\.git\\worktrees\\x"),
        (b"gitdir: D:/app/.git/worktrees/x", "C:\\Work\\feature", "D:\\app\\.git\\worktrees\\x"),
        (b"gitdir: /app/.git", "C:\\Work\\feature", "C:\\app\\.git"),
        (b"gitdir: ../app/.git", "\\\\host\\share\\feature", "\\\\host\\share\\feature\\..\\app\\.git"),
        (b"gitdir: //HOST/share/app/.git", "\\\\host\\share\\feature", "\\\\HOST\\share\\app\\.git"),
        (b"gitdir: //wsl$/Debian/app", "\\\\wsl.localhost\\Debian\\feature", "\\\\wsl.localhost\\Debian\\app"),
    ],
)
def test_a_pointer_names_a_path_of_the_flavour_of_its_place(data: bytes, start: str, named: str):
    flavour = type(parse_path(start))

    assert parse_pointer(data, parse_path(start), prefix=b"gitdir: ") == flavour(named)


@pytest.mark.parametrize(
    ("data", "start"),
    [
        (b"", "/w"),
        (b"gitdir: ", "/w"),
        (b"gitdir: \n", "/w"),
        (b"gitdir:/no/blank", "/w"),
        (b"ref: refs/heads/main", "/w"),
        (b"gitdir: /nul\0byte", "/w"),
        (b"gitdir: //evil/share/.git/worktrees/x", "C:\\Work"),
        (b"gitdir: \\\\evil\\share\\x", "\\\\host\\share\\w"),
        (b"gitdir: \\\\?\\UNC\\evil\\share\\x", "C:\\Work"),
        (b"gitdir: \\\\.\\pipe\\x", "C:\\Work"),
        (b"gitdir: D:drive-relative", "C:\\Work"),
    ],
)
def test_a_pointer_that_names_nothing_or_another_machine_is_none(data: bytes, start: str):
    assert parse_pointer(data, parse_path(start), prefix=b"gitdir: ") is None


@given(st.binary(max_size=60), canonical_paths())
def test_no_pointer_makes_it_fail_or_leaves_its_flavour(data: bytes, start: CanonicalPath):
    named = parse_pointer(b"gitdir: " + data, start, prefix=b"gitdir: ")

    assert named is None or (type(named) is type(start) and named.is_absolute())


def test_only_what_lies_in_the_worktree_stands_for_something():
    assert stand_in(LINKED, [WORKTREE]) == MAIN
    assert stand_in(LINKED / "src" / "x", [WORKTREE]) == MAIN / "src" / "x"
    for other in (PurePosixPath("/w/app-feature2"), MAIN / "src", PurePosixPath("/w")):
        assert stand_in(other, [WORKTREE]) == other


def test_of_worktrees_in_each_other_the_inner_counts():
    inner = Worktree(folder=LINKED / "inner", main=PurePosixPath("/other"))

    assert stand_in(LINKED / "inner" / "x", [WORKTREE, inner]) == PurePosixPath("/other/x")


def test_a_place_lies_in_the_main_worktree_and_in_every_linked_one():
    second = Worktree(folder=MAIN / ".trees" / "second", main=MAIN)

    for path in (MAIN / "x", LINKED / "x", second.folder / "x"):
        everywhere = {path, *counterparts(path, [WORKTREE, second])}
        assert everywhere == {MAIN / "x", LINKED / "x", MAIN / ".trees" / "second" / "x"}
    assert counterparts(PurePosixPath("/w/other"), [WORKTREE, second]) == ()


def test_a_folder_around_a_main_worktree_has_its_linked_ones_as_counterparts():
    apart = Worktree(folder=PurePosixPath("/trees/feature"), main=MAIN)

    assert counterparts(PurePosixPath("/w"), [WORKTREE, apart]) == (PurePosixPath("/trees/feature"),)


def starts_with(path: CanonicalPath, folder: CanonicalPath) -> bool:
    """Containment as a comparison of texts."""
    separator, fold = ("\\", str.lower) if isinstance(folder, PureWindowsPath) else ("/", str)
    same_flavour = type(path) is type(folder)
    return same_flavour and (fold(str(path)) + separator).startswith(fold(str(folder)).rstrip(separator) + separator)


@given(st.data(), canonical_paths())
def test_a_stand_in_is_what_cutting_texts_gives(data: st.DataObject, path: CanonicalPath):
    worktree = data.draw(worktrees(near=path))

    found = stand_in(path, [worktree])

    if not starts_with(path, worktree.folder):
        assert found == path
        return
    rest = str(path)[len(str(worktree.folder)) :].strip("/\\")
    assert str(found) == str(worktree.main / rest)
    assert contains(worktree.main, found)


@given(st.data(), posix_paths() | windows_paths())
def test_counterparts_agree_whichever_of_them_is_asked(data: st.DataObject, rest: CanonicalPath):
    """Worktrees and main lie side by side here; where one holds another, the outer covers the inner already."""
    anchor = data.draw(canonical_paths(max_depth=2))
    main, *folders = (anchor / name for name in ("main", "one", "two"))
    linked = [Worktree(folder=folder, main=main) for folder in folders]
    places = [place.joinpath(*rest.parts[1:]) for place in (main, *folders)]

    for place in places:
        assert {place, *counterparts(place, linked)} == set(places)


@given(st.data(), canonical_paths())
def test_no_directory_gains_a_stand_in_by_its_own_word(data: st.DataObject, folder: CanonicalPath):
    """Whatever the directory's own file names: without a record that names it back there is nothing."""
    record, repository = data.draw(canonical_paths()), data.draw(canonical_paths())
    named_back = data.draw(st.none() | canonical_paths())
    facts = WorktreeFacts(folder=folder, record=record, repository=repository, named_back=named_back)

    found = verify_worktree(facts)

    if found is not None:
        assert named_back is not None
        assert same_place(named_back, folder)
        assert contains(found.main, record)
