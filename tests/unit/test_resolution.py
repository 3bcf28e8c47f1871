"""The resolution, against a naive model of the table, and its corners one by one."""

from pathlib import PurePosixPath, PureWindowsPath

import attrs
import pytest
from hypothesis import given

from imprint.domain.paths import parse_path
from imprint.domain.project_files import FoundProjectFile, ProjectFileFault
from imprint.domain.resolution import (
    Facts,
    InvalidFileNote,
    Proposal,
    Reason,
    Resolution,
    TiedRootsNote,
    UnknownSettingNote,
    resolve,
)
from imprint.domain.roots import Root
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import Surroundings
from imprint.errors import InvalidEnvironmentWorkspaceError, UnknownWorkspaceError
from imprint.testing.strategies import facts

APP = PurePosixPath("/w/app")
DEFAULT, ACME, LAB = WorkspaceName("default"), WorkspaceName("acme"), WorkspaceName("lab")


def in_app(*, file: WorkspaceName | ProjectFileFault | None = None, git: bool = True) -> Surroundings:
    found = None if file is None else FoundProjectFile(APP, file)
    return Surroundings(directory=APP / "src", project_file=found, git_root=APP if git else None)


def root(workspace: WorkspaceName, path: str) -> Root:
    return Root(workspace=workspace, path=parse_path(path))


def given_facts(surroundings: Surroundings, **changes: object) -> Facts:
    plain = Facts(surroundings=surroundings, workspaces=(ACME, DEFAULT, LAB), active=DEFAULT)
    return attrs.evolve(plain, **changes)


FILE = APP / ".imprint" / "workspace.json"
EVERY_SOURCE = given_facts(
    in_app(file=ACME),
    explicit="lab",
    environment="acme",
    roots=(root(ACME, "/w"), root(LAB, "/w/app/src")),
    is_session=True,
    unassigned="lab",
)


@pytest.mark.parametrize(
    ("changes", "workspace", "reason", "evidence"),
    [
        ({}, LAB, Reason.EXPLICIT, None),
        ({"explicit": ""}, ACME, Reason.ENVIRONMENT, None),
        ({"explicit": "", "environment": ""}, ACME, Reason.PROJECT_FILE, FILE),
        (
            {"explicit": "", "environment": "", "surroundings": in_app()},
            LAB,
            Reason.ROOT,
            PurePosixPath("/w/app/src"),
        ),
        ({"explicit": "", "environment": "", "roots": ()}, LAB, Reason.UNASSIGNED_SETTING, None),
        ({"explicit": "", "environment": "", "roots": (), "is_session": False}, DEFAULT, Reason.ACTIVE, None),
        ({"explicit": "", "environment": "", "roots": (), "unassigned": ""}, DEFAULT, Reason.ACTIVE, None),
    ],
)
def test_the_first_source_that_gives_a_workspace_decides(
    changes: dict[str, object], workspace: WorkspaceName, reason: Reason, evidence: CanonicalPath | None
):
    resolution = resolve(attrs.evolve(EVERY_SOURCE, **changes))

    assert (resolution.workspace, resolution.reason, resolution.evidence) == (workspace, reason, evidence)


def test_an_unapproved_proposal_assigns_nothing_yet_lets_a_root_decide():
    resolution = resolve(given_facts(in_app(file=ACME), roots=(root(LAB, "/w"),)))

    assert resolution == Resolution(
        workspace=LAB,
        reason=Reason.ROOT,
        evidence=PurePosixPath("/w"),
        project=APP,
        proposal=Proposal(ACME, FILE, approved=False),
        needs_choice=True,
    )


def test_a_root_of_another_workspace_approves_no_file():
    resolution = resolve(given_facts(in_app(file=ACME), roots=(root(LAB, "/w/app"),)))

    assert resolution.workspace == LAB


def test_a_root_below_the_file_approves_it_not():
    resolution = resolve(given_facts(in_app(file=ACME), roots=(root(ACME, "/w/app/src"),)))

    assert resolution.proposal == Proposal(ACME, FILE, approved=False)
    assert (resolution.workspace, resolution.reason) == (ACME, Reason.ROOT)


def test_a_proposal_may_name_a_workspace_that_does_not_exist():
    unknown = WorkspaceName("zoo")

    resolution = resolve(given_facts(in_app(file=unknown)))

    assert resolution.proposal == Proposal(unknown, FILE, approved=False)
    assert resolution.needs_choice


def test_a_root_that_a_workspace_left_behind_approves_no_file():
    """Roots and workspaces are read one after the other; a deletion may lie between."""
    gone = WorkspaceName("gone")

    resolution = resolve(given_facts(in_app(file=gone), roots=(root(gone, "/w/app"),)))

    assert resolution.proposal == Proposal(gone, FILE, approved=False)
    assert (resolution.workspace, resolution.reason) == (DEFAULT, Reason.ACTIVE)


def test_a_broken_file_is_noted_and_lets_the_root_decide():
    resolution = resolve(given_facts(in_app(file=ProjectFileFault.NOT_JSON), roots=(root(ACME, "/w"),)))

    assert resolution == Resolution(
        workspace=ACME,
        reason=Reason.ROOT,
        evidence=PurePosixPath("/w"),
        project=APP,
        notes=(InvalidFileNote(FILE, ProjectFileFault.NOT_JSON),),
    )


def test_a_folder_that_workspaces_share_decides_nothing_and_no_farther_root_does():
    shared = (root(LAB, "/w/app"), root(ACME, "/w/app"), root(DEFAULT, "/w"))

    resolution = resolve(given_facts(in_app(), roots=shared, active=LAB))

    assert (resolution.workspace, resolution.reason) == (LAB, Reason.ACTIVE)
    assert resolution.notes == (TiedRootsNote(APP, (ACME, LAB)),)
    assert resolution.needs_choice


def test_an_approved_file_settles_a_shared_folder_without_a_note():
    resolution = resolve(given_facts(in_app(file=ACME), roots=(root(ACME, "/w/app"), root(LAB, "/w/app"))))

    assert (resolution.workspace, resolution.notes, resolution.needs_choice) == (ACME, (), False)


def test_a_setting_that_names_no_workspace_is_noted():
    resolution = resolve(given_facts(Surroundings(directory=APP), is_session=True, unassigned="gone"))

    assert resolution.reason is Reason.ACTIVE
    assert resolution.notes == (UnknownSettingNote("workspace.unassigned", "gone"),)


def test_a_session_without_a_project_is_never_asked():
    for directory in (None, PurePosixPath("/"), PureWindowsPath("C:\\Windows\\System32")):
        resolution = resolve(given_facts(Surroundings(directory=directory), is_session=True, unassigned="lab"))

        assert (resolution.workspace, resolution.project, resolution.needs_choice) == (LAB, None, False)


@pytest.mark.parametrize("changes", [{"explicit": "acme"}, {"environment": "acme"}])
def test_who_was_told_is_not_asked(changes: dict[str, object]):
    resolution = resolve(given_facts(in_app(file=LAB), **changes))

    assert not resolution.needs_choice
    assert resolution.proposal == Proposal(LAB, FILE, approved=False)


def test_an_unknown_argument_names_the_known_and_the_nearest():
    with pytest.raises(UnknownWorkspaceError) as caught:
        resolve(given_facts(in_app(), explicit="Acme"))

    assert (caught.value.name, caught.value.known, caught.value.nearest) == ("Acme", (ACME, DEFAULT, LAB), "acme")


@pytest.mark.parametrize("value", ["gone", "No Name", "\0", "a" * 100_000])
def test_an_environment_that_names_none_is_an_error_and_falls_through_to_nothing(value: str):
    with pytest.raises(InvalidEnvironmentWorkspaceError) as caught:
        resolve(attrs.evolve(EVERY_SOURCE, explicit="", environment=value))

    assert (caught.value.variable, caught.value.value) == ("IMPRINT_WORKSPACE", value)
    assert len(str(caught.value)) < 400


def lies_in(outer: CanonicalPath, inner: CanonicalPath) -> bool:
    if type(outer) is not type(inner):
        return False
    separator, fold = ("\\", str.lower) if isinstance(outer, PureWindowsPath) else ("/", str)
    return (fold(str(inner)) + separator).startswith(fold(str(outer)).rstrip(separator) + separator)


def resolve_naively(facts: Facts) -> tuple[str, str]:
    """The table, row by row, as one would write it on a napkin: (workspace, reason), or (error, reason)."""
    around = facts.surroundings
    if facts.explicit:
        return (facts.explicit if facts.explicit in facts.workspaces else "error"), "explicit"
    if facts.environment:
        return (facts.environment if facts.environment in facts.workspaces else "error"), "environment"
    live = [each for each in facts.roots if each.workspace in facts.workspaces]
    file = around.project_file
    if file and any(each.workspace == file.content and lies_in(each.path, file.folder) for each in live):
        return str(file.content), "project-file"
    place = around.directory
    if place and around.worktree and lies_in(around.worktree.folder, place):
        place = around.worktree.main / str(place)[len(str(around.worktree.folder)) :].strip("/\\")
    if place:
        holding = [each for each in live if lies_in(each.path, place)]
        longest = max((len(str(each.path)) for each in holding), default=0)
        owners = {each.workspace for each in holding if len(str(each.path)) == longest}
        if len(owners) == 1:
            return owners.pop(), "root"
    if facts.is_session and facts.unassigned in facts.workspaces:
        return facts.unassigned, "unassigned-setting"
    return facts.active, "active"


@given(facts())
def test_the_resolution_is_what_the_naive_model_says(facts: Facts):
    try:
        resolution = resolve(facts)
    except UnknownWorkspaceError:
        answer = ("error", "explicit")
    except InvalidEnvironmentWorkspaceError:
        answer = ("error", "environment")
    else:
        answer = (resolution.workspace, resolution.reason.value)

    assert answer == resolve_naively(facts)


@given(facts())
def test_whatever_decides_is_known_and_shown(facts: Facts):
    facts = attrs.evolve(facts, explicit="", environment="")

    resolution = resolve(facts)

    around = facts.surroundings
    assert resolution.workspace in facts.workspaces
    assert (resolution.evidence is not None) == (resolution.reason in (Reason.PROJECT_FILE, Reason.ROOT))
    assert resolution.project == around.project
    undecided = resolution.reason in (Reason.UNASSIGNED_SETTING, Reason.ACTIVE)
    unapproved = resolution.proposal is not None and not resolution.proposal.approved
    assert resolution.needs_choice == (resolution.project is not None and (undecided or unapproved))


@given(facts())
def test_the_order_of_roots_and_workspaces_does_not_matter(facts: Facts):
    facts = attrs.evolve(facts, explicit="", environment="")
    turned = attrs.evolve(facts, roots=facts.roots[::-1], workspaces=facts.workspaces[::-1])

    assert resolve(turned) == resolve(facts)
