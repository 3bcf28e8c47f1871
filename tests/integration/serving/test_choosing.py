"""Which workspace a session uses, what it is told about it, and what `use_workspace` changes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from conversations import Conversation
from mcp_types import ElicitRequestParams, ElicitResult

from imprint.domain.sources import WorkspaceName
from imprint_mcp.session import Session

Meet = Callable[..., Conversation]

ASKS = "Ask the user once"


def roots(person) -> set[tuple[str, str]]:
    with person.application() as application:
        return {(root.workspace, str(root.path)) for root in application.workspaces.registry.roots()}


def names(person) -> list[str]:
    with person.application() as application:
        return [str(record.name) for record in application.workspaces.list()]


def project_file(folder: Path) -> object:
    return json.loads((folder / ".imprint" / "workspace.json").read_text("utf-8"))


# --- the pin


def test_the_workspace_is_pinned_for_the_process_before_anything_is_answered(person, begin):
    environ = {**person.environ}

    session = Session.start(environ, cwd=person.project("acme"))
    session.close()

    assert environ["IMPRINT_WORKSPACE"] == "default"


def test_a_switch_in_another_window_redirects_nothing(person, meet: Meet):
    person.create("other")
    here = meet(person.folder("plain"))
    with person.application() as application:
        application.workspaces.switch("other")

    said = here.do("remember", content="Releases are cut on Mondays.")

    assert 'in workspace "default"' in said
    with person.application() as application:
        assert application.overview.of(WorkspaceName("default")).counts.chunks == 1
        assert application.overview.of(WorkspaceName("other")).counts.chunks == 0


@pytest.mark.parametrize("era", ["legacy"])
@pytest.mark.parametrize("directory", ["none", "root", "home", "plain", "deleted", "relative"])
def test_a_session_without_a_project_is_never_asked_and_uses_the_active_workspace(person, meet: Meet, directory: str):
    person.create("busy")
    with person.application() as application:
        application.workspaces.switch("busy")
    places = {
        "none": None,
        "root": Path(person.home.anchor),
        "home": person.home,
        "plain": person.folder("plain"),
        "deleted": person.home / "gone",
        "relative": Path("somewhere"),
    }
    here = meet(places[directory])

    said = here.do("device_context")

    assert ASKS not in said
    assert 'This session uses workspace "busy" — the active workspace of this device' in said
    assert "Project: none." in said


def test_a_client_that_names_the_project_in_the_environment_is_believed(person, meet: Meet):
    person.create("acme")
    project = person.project("acme")
    with person.application() as application:
        application.workspaces.use(project, "acme")
    here = meet(Path(person.home.anchor), environ={"CLAUDE_PROJECT_DIR": str(project)})

    said = here.do("device_context")

    assert f"Project: {project}." in said
    assert 'workspace "acme"' in said


def test_what_device_context_tells_is_the_directorys_resolution_and_not_the_pin(person, meet: Meet):
    project = person.project("acme")
    with person.application() as application:
        application.workspaces.use(project, "acme")

    said = meet(project).do("device_context")

    assert 'uses workspace "acme" — named by .imprint/workspace.json' in said
    assert "environment variable" not in said


# --- the notice


def test_the_first_result_asks_for_a_choice_and_later_ones_do_not(person, meet: Meet):
    person.create("work")
    here = meet(person.project("acme"))

    first, second = here.do("sources"), here.do("sources")

    assert first.startswith('This session uses workspace "default"')
    assert ASKS in first
    assert '"default", "work"' in first
    assert first.endswith(second)
    assert ASKS not in second


def test_an_error_does_not_use_up_the_notice(person, meet: Meet):
    here = meet(person.project("acme"))
    here.fail("read", ref="999")

    assert ASKS in here.do("sources")
    assert ASKS not in here.do("sources")


def test_a_note_is_stated_without_a_question(person, meet: Meet):
    here = meet(person.folder("plain", {".imprint/workspace.json": "{broken"}))
    with person.application() as application:
        application.roots.add(person.home / "plain")
    meanwhile = meet(person.home / "plain")

    stated = meanwhile.do("sources")

    assert "is ignored" in stated
    assert ASKS not in stated
    assert ASKS in here.do("sources")  # the session that began before the folder was approved


def test_a_workspace_that_the_environment_decides_is_stated_once(person, meet: Meet):
    person.create("work")
    here = meet(person.project("acme"), environ={"IMPRINT_WORKSPACE": "work"})

    first, second = here.do("sources"), here.do("sources")

    assert first.startswith('This session uses workspace "work" — set by the environment variable IMPRINT_WORKSPACE.')
    assert ASKS not in first
    assert second == 'No sources in workspace "work".'


def test_an_unknown_workspace_in_the_environment_is_every_tools_answer_and_changes_nothing(person, meet: Meet):
    project = person.project("acme")
    here = meet(project, environ={"IMPRINT_WORKSPACE": "wrok"})

    for tool, arguments in [
        ("device_context", {}),
        ("use_workspace", {"name": "work"}),
        ("use_workspace", {}),
        ("remember", {"content": "x", "workspace": "default"}),
        ("search", {"query": "x"}),
    ]:
        said = here.fail(tool, **arguments)
        assert 'IMPRINT_WORKSPACE names no workspace of this device: "wrok"' in said
        assert "restart the session" in said
    assert names(person) == ["default"]
    assert not (project / ".imprint").exists()


# --- use_workspace in a project


def test_using_a_workspace_makes_approves_writes_and_pins(person, meet: Meet):
    project = person.project("acme", {"src/app.py": ""})
    here = meet(project / "src")

    said = here.do("use_workspace", name="acme")

    assert said.startswith(f'This session uses workspace "acme" — named by .imprint/workspace.json in {project}')
    assert ASKS not in said
    assert "The workspace is new." in said
    assert "committing it is the user's choice" in said
    assert project_file(project) == {"workspace": "acme"}
    assert roots(person) == {("acme", str(project))}
    assert 'in workspace "acme"' in here.do("remember", content="One thing.")
    assert ASKS not in meet(project).do("sources")


def test_a_choice_is_pinned_in_the_processs_environment(person):
    environ = {**person.environ}
    session = Session.start(environ, cwd=person.project("acme"))
    with session.application() as application:
        application.workspaces.use(session.directory, "acme")
        session.pin(application)
    session.close()

    assert environ["IMPRINT_WORKSPACE"] == "acme"


def test_git_is_never_touched(person, meet: Meet):
    project = person.project("acme", {".git/info/exclude": "", ".gitignore": "*.o\n"})
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}

    meet(project).do("use_workspace", name="acme")

    after = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert {path: after.get(path) for path in before} == before
    assert after.keys() - before.keys() == {project / ".imprint" / "workspace.json"}


def test_choosing_the_same_again_says_that_nothing_changed(person, meet: Meet):
    here = meet(person.project("acme"))
    here.do("use_workspace", name="acme")

    assert "Nothing changed: it was so already." in here.do("use_workspace", name="acme")


def test_an_unapproved_clone_changes_nothing_until_the_user_confirms(person, meet: Meet):
    person.create("client")
    clone = person.project("clone", proposes="client")
    before = (clone / ".imprint" / "workspace.json").read_bytes()
    here = meet(clone)

    first = here.do("remember", content="Seen in the clone.")

    assert f'The project {clone} proposes the workspace "client", which this device has not approved.' in first
    assert 'in workspace "default"' in first
    assert roots(person) == set()
    assert (clone / ".imprint" / "workspace.json").read_bytes() == before

    here.do("use_workspace", name="client")

    assert roots(person) == {("client", str(clone))}
    assert 'in workspace "client"' in here.do("remember", content="Now in the client's.")


def test_a_folder_of_other_workspaces_is_shared_only_after_it_was_refused(person, meet: Meet):
    project = person.project("shared/acme")
    with person.application() as application:
        application.workspaces.create("team")
        application.roots.add(person.home / "shared", explicit="team")
    here = meet(project)

    unasked = here.fail("use_workspace", name="acme", allow_overlap=True)
    assert 'of workspace "team"' in unasked
    assert roots(person) == {("team", str(person.home / "shared"))}
    assert names(person) == ["default", "team"]
    assert not (project / ".imprint").exists()
    assert "allow_overlap=true" in unasked

    other = here.fail("use_workspace", name="another", allow_overlap=True)
    assert "overlaps" in other

    said = here.do("use_workspace", name="acme", allow_overlap=True)
    assert 'uses workspace "acme"' in said
    assert ("acme", str(project)) in roots(person)


def test_a_confirmation_of_another_process_does_not_count(person, meet: Meet):
    project = person.project("shared/acme")
    with person.application() as application:
        application.workspaces.create("team")
        application.roots.add(person.home / "shared", explicit="team")
    meet(project).fail("use_workspace", name="acme")

    assert "overlaps" in meet(project).fail("use_workspace", name="acme", allow_overlap=True)
    assert names(person) == ["default", "team"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Acme", 'Did you mean "acme"?'),
        ("a b", "letters from a to z"),
        ("../etc", "begin with a letter"),
        ("con", "Windows reserves it"),
        ("x" * 41, "longer than 40"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_with_the_reason(person, meet: Meet, name: str, says: str):
    project = person.project("acme")

    assert says in meet(project).fail("use_workspace", name=name)
    assert names(person) == ["default"]
    assert not (project / ".imprint").exists()


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_what_is_no_regular_project_file_is_neither_read_nor_replaced(person, meet: Meet, is_posix: bool, kind: str):
    if not is_posix:
        pytest.skip("links and pipes are POSIX's")
    import os

    project = person.project("acme")
    file = project / ".imprint" / "workspace.json"
    file.parent.mkdir()
    elsewhere = person.folder("elsewhere", {"workspace.json": '{"workspace": "default"}'}) / "workspace.json"
    {"link": lambda: file.symlink_to(elsewhere), "fifo": lambda: os.mkfifo(file), "folder": file.mkdir}[kind]()
    here = meet(project)

    assert "is ignored" in here.do("device_context")
    assert "was not written" in here.fail("use_workspace", name="acme")
    assert elsewhere.read_text() == '{"workspace": "default"}'
    assert names(person) == ["default"]
    assert roots(person) == set()


def test_a_workspace_that_was_deleted_meanwhile_is_said_and_another_can_be_chosen(person, meet: Meet):
    project = person.project("acme")
    here = meet(project)
    here.do("use_workspace", name="acme")
    with person.application() as application:
        application.workspaces.delete("acme")

    said = here.fail("remember", content="Lost?")

    assert 'Workspace "acme" was deleted' in said
    assert "use_workspace" in said
    assert names(person) == ["default"]
    assert 'uses workspace "default"' in here.do("use_workspace", name="default")


def test_in_a_linked_worktree_the_main_folder_is_chosen_for(person, meet: Meet):
    main, linked = person.project("acme"), person.home / "acme-fix"
    person.folder("acme-fix", {".git": f"gitdir: {main}/.git/worktrees/fix\n"})
    person.folder(
        "acme/.git/worktrees/fix",
        {"gitdir": f"{linked}/.git\n", "commondir": "../..\n", "HEAD": "ref: refs/heads/fix\n"},
    )
    here = meet(linked)

    assert f"Project: {main}." in here.do("device_context")
    assert 'uses workspace "acme"' in here.do("use_workspace", name="acme")
    assert project_file(main) == {"workspace": "acme"}
    assert not (linked / ".imprint").exists()
    assert roots(person) == {("acme", str(main))}


# --- use_workspace without a project


def test_without_a_project_the_workspace_is_made_and_nothing_is_switched(person, meet: Meet):
    plain = person.folder("plain")
    here = meet(plain)

    said = here.do("use_workspace", name="chat")

    assert said == (
        'Made the new workspace "chat". Nothing was switched, since this session has no project: pass '
        'workspace="chat" on every Imprint call of this conversation.'
    )
    assert names(person) == ["chat", "default"]
    assert roots(person) == set()
    assert not (plain / ".imprint").exists()
    assert 'in workspace "default"' in here.do("remember", content="Unnamed.")
    assert here.do("remember", content="Named.", workspace="chat").startswith('In workspace "chat":')
    assert here.do("use_workspace", name="chat").startswith('There is a workspace "chat". Nothing was switched')


# --- use_workspace without a name


def test_without_a_name_and_without_forms_the_choices_are_listed_and_nothing_changes(person, meet: Meet):
    person.create("work")
    project = person.project("acme", proposes="client")
    here = meet(project)
    here.do("sources")

    said = here.do("use_workspace")

    assert said.startswith("No workspace was chosen, and nothing was changed")
    assert 'The project proposes "client".' in said
    assert '"default" (active), "work"' in said
    assert roots(person) == set()


def test_without_a_name_the_user_is_asked_where_the_client_has_forms(person, meet: Meet):
    person.create("work")
    asked: list[ElicitRequestParams] = []

    def pick(params: ElicitRequestParams) -> ElicitResult:
        asked.append(params)
        return ElicitResult(action="accept", content={"existing": "client"})

    project = person.project("acme", proposes="client")
    here = meet(project, elicit=pick)

    said = here.do("use_workspace")

    assert 'uses workspace "client"' in said
    assert project_file(project) == {"workspace": "client"}
    (question,) = asked
    assert str(project) in question.message
    assert 'proposes "client"' in question.message
    schema = question.requested_schema
    assert schema["properties"]["existing"]["enum"] == ["client", "default", "work"]
    assert schema.keys() & {"title", "description"} == set(), "Codex cancels a form with either, unseen"


def test_the_form_takes_the_name_of_a_new_workspace(person, meet: Meet):
    """Codex fills in a choice that nobody meant to make: a name that was typed counts before it."""
    project = person.project("acme")
    answer = ElicitResult(action="accept", content={"existing": "default", "new": " acme "})
    here = meet(project, elicit=lambda _: answer)

    said = here.do("use_workspace")

    assert 'uses workspace "acme"' in said
    assert project_file(project) == {"workspace": "acme"}


def test_a_form_that_was_left_blank_changes_nothing(person, meet: Meet):
    project = person.project("acme")
    here = meet(project, elicit=lambda _: ElicitResult(action="accept", content={"existing": "", "new": ""}))

    said = here.do("use_workspace")

    assert "No workspace was chosen, and nothing was changed" in said
    assert not (project / ".imprint").exists()


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_question_that_nobody_saw_is_no_refusal(person, meet: Meet, action):
    project = person.project("acme")
    here = meet(project, elicit=lambda _: ElicitResult(action=action))

    said = here.do("use_workspace")

    assert "No workspace was chosen, and nothing was changed" in said
    assert "refused" not in said
    assert not (project / ".imprint").exists()
    assert 'uses workspace "acme"' in here.do("use_workspace", name="acme")


def test_a_call_that_names_the_workspace_asks_nobody(person, meet: Meet):
    def fail(_: ElicitRequestParams) -> ElicitResult:
        raise AssertionError("the user was asked")

    assert 'uses workspace "acme"' in meet(person.project("acme"), elicit=fail).do("use_workspace", name="acme")
