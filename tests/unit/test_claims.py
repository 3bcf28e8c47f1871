"""Claims, against a naive model, and the inbox."""

from pathlib import PurePosixPath, PureWindowsPath

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprint.domain.claims import Claims, claimants, transcript_allowed
from imprint.domain.project_files import FoundProjectFile, ProjectFileFault
from imprint.domain.roots import Root
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.testing.strategies import canonical_paths, claims

ACME, LAB, ZOO = WorkspaceName("acme"), WorkspaceName("lab"), WorkspaceName("zoo")
APP, DOCS, ELSEWHERE = PurePosixPath("/w/app"), PurePosixPath("/w/docs"), PurePosixPath("/elsewhere")
SHARED = (Root(workspace=ACME, path=PurePosixPath("/w")), Root(workspace=LAB, path=APP))


def test_without_a_file_every_workspace_with_a_root_above_claims():
    assert claimants(APP / "src", Claims(roots=SHARED)) == {ACME, LAB}


def test_an_approved_file_claims_for_the_one_workspace_it_names():
    named = Claims(roots=SHARED, project_files={APP: FoundProjectFile(APP, ACME)})

    assert claimants(APP, named) == {ACME}
    assert not transcript_allowed(LAB, [APP], named)


@pytest.mark.parametrize("content", [ZOO, ProjectFileFault.NOT_JSON])
def test_a_file_that_is_not_approved_claims_nothing_and_roots_still_count(content: WorkspaceName | ProjectFileFault):
    proposed = Claims(roots=SHARED, project_files={APP: FoundProjectFile(APP, content)})

    assert claimants(APP, proposed) == {ACME, LAB}


def test_a_directory_that_nobody_claims_is_open_to_all():
    assert transcript_allowed(ZOO, [ELSEWHERE], Claims(roots=SHARED))


def test_one_directory_claimed_by_another_keeps_the_whole_conversation_out():
    assert transcript_allowed(ACME, [APP, DOCS, ELSEWHERE], Claims(roots=SHARED))
    assert not transcript_allowed(LAB, [APP, DOCS, ELSEWHERE], Claims(roots=SHARED))


@pytest.mark.parametrize(("inbox", "allowed"), [("", {ACME, LAB}), ("lab", {LAB}), ("gone", set())])
def test_a_conversation_without_a_directory_goes_everywhere_or_to_the_inbox_only(inbox: str, allowed: set[str]):
    said = Claims(roots=SHARED, inbox=inbox)

    assert {each for each in (ACME, LAB) if transcript_allowed(each, [], said)} == allowed


def test_a_recorded_directory_that_is_no_place_here_is_claimed_by_none_yet_no_matter_for_the_inbox():
    assert transcript_allowed(ZOO, [None], Claims(roots=SHARED, inbox="lab"))


def test_a_vanished_directory_that_nobody_claims_is_held_back_from_everybody():
    said = Claims(roots=SHARED, vanished=frozenset({ELSEWHERE, APP}))

    assert not any(transcript_allowed(each, [ELSEWHERE], said) for each in (ACME, LAB, ZOO))
    assert not transcript_allowed(ACME, [DOCS, ELSEWHERE], said)
    assert transcript_allowed(LAB, [APP], said), "a root claims it still"


@given(canonical_paths())
def test_the_inbox_changes_nothing_for_a_conversation_with_a_directory(directory: CanonicalPath):
    open_claims, boxed = Claims(roots=SHARED), Claims(roots=SHARED, inbox="zoo")

    for workspace in (ACME, LAB, ZOO):
        allowed = transcript_allowed(workspace, [directory], open_claims)
        assert transcript_allowed(workspace, [directory], boxed) == allowed


def lies_in(outer: CanonicalPath, inner: CanonicalPath) -> bool:
    if type(outer) is not type(inner):
        return False
    separator, fold = ("\\", str.lower) if isinstance(outer, PureWindowsPath) else ("/", str)
    return (fold(str(inner)) + separator).startswith(fold(str(outer)).rstrip(separator) + separator)


def allowed_naively(workspace: str, directories: list[CanonicalPath], said: Claims) -> bool:
    if not directories:
        return said.inbox in ("", workspace)
    for directory in directories:
        file = said.project_files.get(directory)
        approving = {str(each.workspace) for each in said.roots if file and lies_in(each.path, file.folder)}
        if file and str(file.content) in approving:
            owners = {str(file.content)}
        else:
            owners = {str(each.workspace) for each in said.roots if lies_in(each.path, directory)}
        if workspace not in (owners or {workspace}) or (not owners and directory in said.vanished):
            return False
    return True


@given(st.data(), st.lists(canonical_paths(), max_size=3))
def test_a_transcript_is_allowed_where_the_naive_model_says(data: st.DataObject, directories: list[CanonicalPath]):
    said = data.draw(claims(tuple(directories)))

    for workspace in ("default", "acme", "lab", "zoo"):
        allowed = transcript_allowed(WorkspaceName(workspace), directories, said)
        assert allowed == allowed_naively(workspace, directories, said)


@given(st.data(), canonical_paths())
def test_an_approved_file_leaves_exactly_one_claimant(data: st.DataObject, directory: CanonicalPath):
    said = data.draw(claims((directory,)))
    found = FoundProjectFile(directory, ACME)
    approved = attrs.evolve(
        said,
        roots=(*said.roots, Root(workspace=ACME, path=directory)),
        project_files={directory: found},
    )

    assert claimants(directory, approved) == {ACME}
