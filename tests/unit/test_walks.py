"""The walk, against a naive model that knows strings only."""

from pathlib import PurePosixPath, PureWindowsPath

from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.paths import parse_path
from imprint.domain.project_files import FoundProjectFile, ProjectFileFault
from imprint.domain.sources import CanonicalPath
from imprint.domain.walks import Surroundings, walk_up
from imprint.testing.strategies import canonical_paths, posix_paths


def walk_naively(start: str, homes: list[str]) -> list[str]:
    """Cut one component after the other off a POSIX path, and stop where the rule says."""
    steps = []
    while start not in ("/", "") and not any((home + "/").startswith(start + "/") for home in homes):
        steps.append(start)
        start = start.rsplit("/", 1)[0]
    return steps


@given(posix_paths(), st.lists(posix_paths(max_depth=3), max_size=3))
def test_the_walk_is_what_the_naive_model_says(start: PurePosixPath, homes: list[PurePosixPath]):
    expected = walk_naively(str(start), [str(home) for home in homes])

    assert [str(step) for step in walk_up(start, homes)] == expected


@given(canonical_paths())
def test_without_a_home_the_walk_ends_before_the_root_only(start: CanonicalPath):
    assert walk_up(start, []) == (start, *start.parents)[:-1]


def test_the_walk_ends_before_a_home_spelt_otherwise():
    start = PureWindowsPath("C:\\Users\\Me\\code\\app")

    steps = walk_up(start, [parse_path("\\\\?\\c:\\users\\me")])

    assert steps == (start, start.parent)


def test_a_home_on_the_other_side_of_the_bridge_ends_the_walk():
    start = parse_path("\\\\wsl$\\Debian\\home\\me\\app")

    steps = walk_up(start, [parse_path("C:\\Users\\me"), parse_path("\\\\wsl.localhost\\Debian\\home\\me")])

    assert steps == (start,)


@given(posix_paths(max_depth=3))
def test_nothing_is_walked_from_a_home_or_above_one(home: PurePosixPath):
    for start in (home, *home.parents):
        assert walk_up(start, [home]) == ()


def test_the_project_is_the_nearest_of_file_and_git_root():
    outer, inner = PurePosixPath("/w/outer"), PurePosixPath("/w/outer/inner")
    here = inner / "src"

    broken = FoundProjectFile(outer, ProjectFileFault.NOT_JSON)

    assert Surroundings(directory=here, project_file=broken, git_root=inner).project == inner
    assert Surroundings(directory=here, project_file=broken).project == outer
    assert Surroundings(directory=here, git_root=outer).project == outer
    assert Surroundings(directory=here).project is None
