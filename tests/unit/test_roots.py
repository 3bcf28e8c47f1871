"""Roots: overlap, refusal, admission and depth."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.paths import contains, parse_path
from imprint.domain.roots import (
    Admission,
    Root,
    RootRefusal,
    admits,
    deepest_roots,
    explain_root_refusal,
    find_root_refusal,
    overlapping_roots,
)
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.testing.strategies import canonical_paths, roots


def root(workspace: str, path: str) -> Root:
    return Root(workspace=WorkspaceName(workspace), path=parse_path(path))


def test_overlap_is_with_other_workspaces_above_equal_or_below():
    others = (root("lab", "/w"), root("lab", "/w/app"), root("zoo", "/w/app/x"), root("zoo", "/w/app2"))

    overlapping = overlapping_roots(root("acme", "/w/app"), (*others, root("acme", "/w/app/y")))

    assert overlapping == others[:3]


@given(roots(), roots())
def test_overlap_is_mutual(one: Root, other: Root):
    assert bool(overlapping_roots(one, [other])) == bool(overlapping_roots(other, [one]))


@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        ("/", RootRefusal.FILESYSTEM_ROOT),
        ("C:\\", RootRefusal.FILESYSTEM_ROOT),
        ("\\\\wsl$\\Debian", RootRefusal.FILESYSTEM_ROOT),
        ("/home/me", RootRefusal.HOME),
        ("c:\\users\\ME", RootRefusal.HOME),
        ("/home", RootRefusal.ABOVE_HOME),
        ("/home/me/app", None),
        ("/home/me2", None),
    ],
)
def test_a_folder_too_wide_is_refused(path: str, refusal: RootRefusal | None):
    homes = [parse_path("/home/me"), parse_path("C:\\Users\\me")]

    assert find_root_refusal(parse_path(path), homes) is refusal


def test_each_refusal_has_its_own_message():
    assert len({explain_root_refusal(refusal) for refusal in RootRefusal}) == len(RootRefusal)


def test_a_workspace_without_roots_takes_its_first_target():
    assert admits(PurePosixPath("/w/app"), []) is Admission.FIRST


@given(canonical_paths(), st.lists(roots(), min_size=1, max_size=4))
def test_a_target_is_admitted_when_some_root_contains_it(target: CanonicalPath, approved: list[Root]):
    inside = any(contains(each.path, target) for each in approved)

    assert admits(target, approved) is (Admission.INSIDE if inside else Admission.OUTSIDE)


@given(st.data(), canonical_paths())
def test_the_deepest_roots_share_one_folder_and_none_is_deeper(data: st.DataObject, path: CanonicalPath):
    above = st.sampled_from((path, *path.parents))
    approved = data.draw(st.lists(roots(above), min_size=1, max_size=5))

    deepest = deepest_roots(path, approved)

    assert len({each.path for each in deepest}) == 1
    assert all(contains(each.path, deepest[0].path) for each in approved)
    assert {each.workspace for each in deepest} == {each.workspace for each in approved if each.path == deepest[0].path}
