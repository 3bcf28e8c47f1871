"""One resolution answers everywhere: the same directories, asked of commands, of ingest, of a session, of claims.

Each situation is made of real folders, with the real commands, as a person comes into it.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import attrs
import pytest
from real_program import PROGRAM, Program

from imprint.bootstrap import open_application
from imprint.domain.sources import WorkspaceName
from imprint.domain.walks import Surroundings
from imprint.domain.worktrees import Worktree
from imprint.errors import InvalidEnvironmentWorkspaceError
from imprint.protocols.projects import ProjectFolders
from imprint.services.claims import ConversationClaims
from imprint_mcp.session import Session

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
posix_only = pytest.mark.skipif(os.name == "nt", reason="links as POSIX has them")


@attrs.frozen(kw_only=True)
class Expected:
    """What every surface has to say of a directory.

    Attributes:
        reason: For a command; a session gives `unassigned-setting` where a command gives `active`.
        project: Below the home; `None`: none.
    """

    workspace: str = "default"
    reason: str = "active"
    project: str | None = None
    needs_choice: bool = False
    proposal: str | None = None
    notes: int = 0


ASSIGNED = Expected(workspace="acme", reason="project-file", project="app", proposal="acme")


@attrs.frozen
class Person:
    """Somebody with three workspaces and `workspace.unassigned` set to one of them."""

    program: Program

    @property
    def home(self) -> Path:
        return self.program.home

    def run(self, *words: str | Path, cwd: Path | None = None) -> None:
        done = self.program.run(*map(str, words), cwd=cwd)
        assert done.code == 0, done.stderr

    def project(self, name: str, proposes: str = "") -> Path:
        folder = self.program.project(name)
        (folder / "src").mkdir()
        if proposes:
            self.propose(folder, proposes)
        return folder

    def propose(self, folder: Path, name: str) -> None:
        (folder / ".imprint").mkdir(exist_ok=True)
        (folder / ".imprint" / "workspace.json").write_text(f'{{"workspace": "{name}"}}')

    def assigned(self, name: str = "app", workspace: str = "acme") -> Path:
        folder = self.project(name)
        self.run("workspace", "use", workspace, cwd=folder)
        return folder

    def approve(self, folder: Path, workspace: str, *options: str) -> None:
        self.run("roots", "add", folder, "--workspace", workspace, *options)

    def git(self, folder: Path, *words: str | Path) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
        subprocess.run(["git", *who, *words], cwd=folder, env=self.program.environ, capture_output=True, check=True)

    def repository(self, name: str) -> Path:
        """One that git itself made."""
        folder = self.home / name
        (folder / "src").mkdir(parents=True)
        (folder / "src" / "x.py").write_text("x = 1\n")
        self.git(folder, "init", "--quiet")
        self.git(folder, "add", ".")
        self.git(folder, "commit", "--quiet", "-m", "begin")
        return folder

    def linked(self, main: Path, name: str) -> Path:
        self.git(main, "worktree", "add", "--quiet", "--detach", self.home / name)
        return self.home / name


@pytest.fixture
def person(program: Program, monkeypatch: pytest.MonkeyPatch) -> Person:
    for name in ("HOME", "USERPROFILE", "XDG_CONFIG_HOME", "IMPRINT_DATA_DIR"):
        monkeypatch.setenv(name, program.environ[name])  # A session and claims are asked in this process.
    for name in ("acme", "lab", "desk"):
        program.run("workspace", "create", name)
    program.run("config", "set", "workspace.unassigned", "desk")
    return Person(program)


SITUATIONS: list[object] = []


def situation(
    expected: Expected, *marks: pytest.MarkDecorator
) -> Callable[[Callable[[Person], Path]], Callable[[Person], Path]]:
    def add(make: Callable[[Person], Path]) -> Callable[[Person], Path]:
        SITUATIONS.append(pytest.param(make, expected, marks=marks, id=make.__name__.replace("_", " ")))
        return make

    return add


@situation(Expected())
def a_plain_folder(person: Person) -> Path:
    (person.home / "plain").mkdir()
    return person.home / "plain"


@situation(Expected(project="app", needs_choice=True))
def a_project_nobody_assigned(person: Person) -> Path:
    return person.project("app") / "src"


@situation(ASSIGNED)
def an_assigned_project(person: Person) -> Path:
    return person.assigned()


@situation(ASSIGNED)
def a_folder_deep_in_an_assigned_project(person: Person) -> Path:
    deep = person.assigned() / "src" / "a" / "b"
    deep.mkdir(parents=True)
    return deep


@situation(ASSIGNED)
def a_file_in_an_assigned_project(person: Person) -> Path:
    file = person.assigned() / "src" / "x.md"
    file.write_text("# X\n\nx\n")
    return file


@situation(ASSIGNED)
def a_path_spelt_with_dots(person: Person) -> Path:
    return person.assigned() / "src" / ".." / "." / "src"


@situation(Expected())
def a_neighbour_whose_name_begins_alike(person: Person) -> Path:
    person.assigned("app")
    (person.home / "app2").mkdir()
    return person.home / "app2"


@situation(Expected(project="else/app", needs_choice=True))
def another_project_of_the_same_folder_name(person: Person) -> Path:
    person.assigned("app")
    return person.project("else/app")


@situation(attrs.evolve(ASSIGNED, project="app/inner"))
def a_repository_nested_in_an_assigned_project(person: Person) -> Path:
    person.assigned()
    return person.project("app/inner") / "src"


@situation(Expected(workspace="lab", reason="project-file", project="app/inner", proposal="lab"))
def a_nested_project_with_an_approved_file_of_its_own(person: Person) -> Path:
    person.assigned()
    inner = person.project("app/inner")
    person.run("workspace", "use", "lab", "--allow-overlap", cwd=inner)
    return inner / "src"


@situation(Expected(workspace="acme", reason="root", project="app/inner", proposal="lab", needs_choice=True))
def a_nested_clone_that_proposes_another_workspace(person: Person) -> Path:
    person.assigned()
    return person.project("app/inner", proposes="lab") / "src"


@situation(Expected(project="app", proposal="acme", needs_choice=True))
def a_project_whose_root_was_removed(person: Person) -> Path:
    app = person.assigned()
    person.run("roots", "remove", app, "--workspace", "acme")
    return app


@situation(Expected(workspace="acme", reason="root", project="app", proposal="lab", needs_choice=True))
def a_project_file_edited_after_its_approval(person: Person) -> Path:
    app = person.assigned()
    person.propose(app, "lab")
    return app / "src"


@situation(Expected(workspace="lab", reason="project-file", project="app", proposal="lab"))
def a_project_file_edited_to_a_workspace_that_shares_the_folder(person: Person) -> Path:
    app = person.assigned()
    person.approve(app, "lab", "--allow-overlap")
    person.propose(app, "lab")
    return app


@situation(Expected(workspace="acme", reason="root", project="app", notes=1))
def a_project_file_that_was_broken(person: Person) -> Path:
    app = person.assigned()
    (app / ".imprint" / "workspace.json").write_text("{")
    return app / "src"


@situation(Expected(workspace="acme", reason="root", project="app/inner", notes=1))
def a_broken_file_below_a_good_one(person: Person) -> Path:
    person.assigned()
    inner = person.project("app/inner", proposes="lab")
    (inner / ".imprint" / "workspace.json").write_text('{"workspace": "lab", "more": 1}')
    return inner


@situation(Expected(workspace="acme", reason="root", project="app", notes=1), posix_only)
def a_project_file_behind_a_link(person: Person) -> Path:
    app = person.assigned()
    (app / ".imprint").rename(person.home / "elsewhere")
    (app / ".imprint").symlink_to(person.home / "elsewhere")
    return app


@situation(Expected(project="clone", proposal="acme", needs_choice=True))
def a_clone_with_a_file_that_nobody_approved(person: Person) -> Path:
    person.assigned("app")
    return person.project("clone", proposes="acme") / "src"


@situation(Expected(project="clone", proposal="unheard-of", needs_choice=True))
def a_clone_that_proposes_a_workspace_which_does_not_exist(person: Person) -> Path:
    return person.project("clone", proposes="unheard-of")


@situation(Expected(workspace="acme", reason="root"))
def a_plain_folder_that_was_approved(person: Person) -> Path:
    folder = a_plain_folder(person)
    person.approve(folder, "acme")
    return folder


@situation(Expected(workspace="lab", reason="root"))
def roots_in_each_other(person: Person) -> Path:
    folder = a_plain_folder(person) / "inner"
    folder.mkdir()
    person.approve(folder.parent, "acme")
    person.approve(folder, "lab", "--allow-overlap")
    return folder


@situation(Expected(notes=1))
def a_root_of_two_workspaces(person: Person) -> Path:
    folder = a_plain_folder(person)
    person.approve(folder, "acme")
    person.approve(folder, "lab", "--allow-overlap")
    return folder


@situation(Expected(project="app", needs_choice=True))
def a_project_whose_workspace_was_deleted(person: Person) -> Path:
    app = person.assigned("app")
    (app / ".imprint" / "workspace.json").unlink()
    person.run("workspace", "delete", "acme", "--yes")
    return app


@situation(Expected(project="app", proposal="acme", needs_choice=True))
def a_project_that_names_a_workspace_which_was_deleted_and_made_anew(person: Person) -> Path:
    app = person.assigned("app")
    person.run("workspace", "delete", "acme", "--yes")
    person.run("workspace", "create", "acme")
    return app


@situation(ASSIGNED, posix_only)
def a_link_to_a_project(person: Person) -> Path:
    (person.home / "link").symlink_to(person.assigned())
    return person.home / "link" / "src"


@situation(Expected(), posix_only)
def a_link_out_of_a_project(person: Person) -> Path:
    app = person.assigned()
    (app / "out").symlink_to(a_plain_folder(person))
    return app / "out"


@situation(Expected())
def a_home_that_is_a_repository_with_a_project_file(person: Person) -> Path:
    (person.home / ".git").mkdir()
    (person.home / ".git" / "HEAD").touch()
    person.propose(person.home, "acme")
    return person.home


@situation(Expected())
def a_folder_below_a_home_that_has_a_project_file(person: Person) -> Path:
    a_home_that_is_a_repository_with_a_project_file(person)
    return a_plain_folder(person)


@situation(Expected(workspace="acme", reason="root"))
def a_folder_below_a_home_that_is_a_root(person: Person) -> Path:
    person.approve(person.home, "acme", "--allow-home")
    return a_plain_folder(person)


@situation(Expected())
def the_root_of_the_file_system(person: Person) -> Path:
    return Path(person.home.anchor)


@situation(Expected())
def a_directory_that_is_gone(person: Person) -> Path:
    return person.home / "gone"


@situation(Expected(workspace="acme", reason="root"))
def a_directory_that_is_gone_from_a_root(person: Person) -> Path:
    return person.assigned() / "gone" / "deep"


@situation(Expected(), posix_only)
def a_loop_of_links(person: Person) -> Path:
    (person.home / "loop").symlink_to("loop")
    return person.home / "loop"


@situation(Expected(project="app", needs_choice=True), needs_git)
def a_bare_repository_in_a_project(person: Person) -> Path:
    app = person.project("app")
    person.git(app, "init", "--quiet", "--bare", "store.git")
    return app / "store.git"


@situation(ASSIGNED, needs_git)
def a_linked_worktree(person: Person) -> Path:
    app = person.repository("app")
    linked = person.linked(app, "trees/feature")
    person.run("workspace", "use", "acme", cwd=app)
    return linked / "src"


@situation(ASSIGNED, needs_git)
def a_linked_worktree_that_the_project_was_assigned_in(person: Person) -> Path:
    linked = person.linked(person.repository("app"), "feature")
    person.run("workspace", "use", "acme", cwd=linked)
    return linked


@situation(ASSIGNED, needs_git)
def a_linked_worktree_whose_branch_proposes_another_workspace(person: Person) -> Path:
    linked = a_linked_worktree(person).parent
    person.propose(linked, "lab")
    return linked


@situation(ASSIGNED, needs_git)
def a_linked_worktree_in_the_root_of_another_workspace(person: Person) -> Path:
    app = person.repository("app")
    linked = person.linked(app, "trees/feature")
    person.run("workspace", "use", "acme", cwd=app)
    person.approve(person.home / "trees", "lab")
    return linked


@situation(Expected(project="app", needs_choice=True), needs_git)
def a_linked_worktree_of_a_project_nobody_assigned(person: Person) -> Path:
    return person.linked(person.repository("app"), "feature") / "src"


@situation(ASSIGNED, needs_git)
def a_linked_worktree_that_is_gone_and_was_used(person: Person) -> Path:
    linked = a_linked_worktree_that_the_project_was_assigned_in(person)
    person.git(person.home / "app", "worktree", "remove", "--force", linked)
    return linked / "src"


@situation(Expected(project="strange", needs_choice=True), needs_git)
def a_strangers_folder_that_names_anothers_worktree(person: Person) -> Path:
    linked = a_linked_worktree_that_the_project_was_assigned_in(person)
    (person.home / "strange").mkdir()
    shutil.copy(linked / ".git", person.home / "strange" / ".git")
    return person.home / "strange"


@situation(attrs.evolve(ASSIGNED, project="app/lib"), needs_git)
def a_submodule(person: Person) -> Path:
    person.repository("library")
    app = person.repository("app")
    person.git(app, "submodule", "--quiet", "add", person.home / "library", "lib")
    person.run("workspace", "use", "acme", cwd=app)
    return app / "lib" / "src"


def seen_by_a_person(person: Person, place: Path, *options: str) -> Expected:
    done = person.program.run("workspace", "which", "--json", str(place), *options)
    assert done.code == 0, done.stderr
    return read(person, done.json)


def read(person: Person, shown: dict[str, object]) -> Expected:
    project, proposal = shown["project"], shown["proposal"]
    assert shown["sentence"]
    return Expected(
        workspace=str(shown["workspace"]),
        reason=str(shown["reason"]),
        project=None if project is None else os.path.relpath(str(project), person.home.resolve()).replace(os.sep, "/"),
        needs_choice=bool(shown["needs_choice"]),
        proposal=proposal["workspace"] if isinstance(proposal, dict) else None,
        notes=len(shown["notes"]) if isinstance(shown["notes"], list) else -1,
    )


def seen_by_a_session(person: Person, variables: dict[str, str], cwd: Path | None) -> Expected:
    session = Session.start({**person.program.environ, **variables}, cwd=cwd)
    try:
        return read(person, session.resolved.as_json())
    finally:
        session.close()


def seen_by_ingest(person: Person, place: Path) -> tuple[str, str]:
    with open_application(environ=person.program.environ) as application:
        resolution = application.roots.resolve_target(place).resolved.resolution
    done = person.program.run("ingest", "--dry-run", "--json", str(place))
    if done.code == 0:
        assert (done.json["workspace"], done.json["reason"]) == (resolution.workspace, resolution.reason.value)
    elif done.error["type"] == "OutsideRootsError":
        assert done.error["workspace"] == resolution.workspace
    else:
        assert done.error["type"] in {"RefusedRootError", "MissingPathError", "InvalidPathError", "SkippedPathError"}
    return resolution.workspace, resolution.reason.value


@pytest.mark.parametrize(("make", "expected"), SITUATIONS)
def test_every_surface_gives_the_same_answer(person: Person, make: Callable[[Person], Path], expected: Expected):
    place = make(person)
    for_sessions = expected
    if expected.reason == "active":
        for_sessions = attrs.evolve(expected, workspace="desk", reason="unassigned-setting")

    assert seen_by_a_person(person, place) == expected
    assert seen_by_ingest(person, place) == (expected.workspace, expected.reason)
    assert seen_by_a_person(person, place, "--session") == for_sessions
    assert seen_by_a_session(person, {}, place) == for_sessions
    assert seen_by_a_session(person, {"CLAUDE_PROJECT_DIR": str(place)}, person.home) == for_sessions
    if place.is_dir() and os.name != "nt":
        done = person.program.run("workspace", "which", "--json", cwd=place)
        assert read(person, done.json) == expected


@pytest.mark.parametrize(("make", "expected"), SITUATIONS)
def test_learning_takes_a_conversation_where_a_session_would_put_it(
    person: Person, make: Callable[[Person], Path], expected: Expected
):
    place = make(person)

    with open_application(environ=person.program.environ) as application:
        claims = ConversationClaims(application.workspaces)
        known = [record.name for record in application.workspaces.list()]
        allowed = {name for name in known if claims.allow(name, [str(place)])}
        roots = application.workspaces.registry.roots()

    if expected.reason == "project-file":
        assert allowed == {expected.workspace}
    elif expected.reason == "root":
        assert expected.workspace in allowed
        assert allowed <= {root.workspace for root in roots}
    elif expected.notes:
        assert allowed == {"acme", "lab"}, "the workspaces that share the folder share its conversations"
    elif os.path.lexists(place):
        assert allowed == set(known), "nobody claims it"
    else:
        assert allowed == set(), "what vanished is held back"


@pytest.mark.parametrize(("make", "expected"), SITUATIONS)
def test_the_environment_outranks_every_situation(person: Person, make: Callable[[Person], Path], expected: Expected):
    place = make(person)
    decided = attrs.evolve(expected, workspace="lab", reason="environment", needs_choice=False)
    variable = {"IMPRINT_WORKSPACE": "lab"}

    shown = person.program.run("workspace", "which", "--json", str(place), environ=variable)
    session = seen_by_a_session(person, variable, place)

    for seen in (read(person, shown.json), session):
        assert (seen.workspace, seen.reason, seen.project, seen.needs_choice, seen.proposal) == (
            decided.workspace,
            decided.reason,
            decided.project,
            decided.needs_choice,
            decided.proposal,
        )


def test_an_unknown_workspace_in_the_environment_is_an_error_everywhere(person: Person):
    variable, app = {"IMPRINT_WORKSPACE": "acne"}, person.assigned()

    asked = person.program.run("workspace", "which", "--json", str(app), environ=variable)
    ingested = person.program.run("ingest", "--json", str(app), environ=variable)

    for done in (asked, ingested):
        assert (done.code, done.error["type"], done.error["nearest"]) == (3, "InvalidEnvironmentWorkspaceError", "acme")
    with pytest.raises(InvalidEnvironmentWorkspaceError):
        seen_by_a_session(person, variable, app)


@posix_only
def test_a_working_directory_that_was_deleted_has_no_project(person: Person):
    gone = person.home / "gone"
    gone.mkdir()
    script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
    words = [*PROGRAM, "workspace", "which", "--json"]

    done = subprocess.run(
        ["sh", "-c", script, "sh", gone, *words], env=person.program.environ, capture_output=True, text=True, check=True
    )

    assert '"reason": "active"' in done.stdout
    assert '"directory": null' in done.stdout
    assert seen_by_a_session(person, {}, None) == Expected(workspace="desk", reason="unassigned-setting")


def test_another_case_of_a_name_is_the_same_folder_only_where_the_file_system_says_so(person: Person):
    app = person.assigned("app")
    other = app.with_name("APP")

    seen = seen_by_a_person(person, other)

    assert seen == (ASSIGNED if other.exists() else Expected())


def test_a_session_keeps_what_it_resolved_and_the_next_one_sees_what_changed(person: Person):
    app = person.project("app")
    session = Session.start(dict(person.program.environ), cwd=app)

    person.run("workspace", "use", "acme", cwd=app)
    person.run("workspace", "switch", "lab")

    try:
        assert (session.resolved.workspace, session.resolved.resolution.reason.value) == ("desk", "unassigned-setting")
    finally:
        session.close()
    assert seen_by_a_session(person, {}, app) == ASSIGNED


@pytest.mark.parametrize("named", ["app", "./app", "~/app"])
def test_a_relative_directory_that_a_client_names_is_no_project(person: Person, named: str):
    person.assigned()

    assert seen_by_a_session(person, {"CLAUDE_PROJECT_DIR": named}, person.home / "app") == Expected(
        workspace="desk", reason="unassigned-setting"
    )


def test_each_directory_of_many_conversations_is_looked_at_once(person: Person):
    app = person.assigned()
    with open_application(environ=person.program.environ) as application:
        looking = CountedFolders(application.workspaces.projects)
        claims = ConversationClaims(attrs.evolve(application.workspaces, projects=looking))

        for _ in range(100):
            assert claims.allow(WorkspaceName("acme"), [str(app), str(app / "src")])
            assert not claims.allow(WorkspaceName("lab"), [str(app)])

    assert looking.asked == [app, app / "src"]


@attrs.define
class CountedFolders:
    """`ProjectFolders` that remember what was looked at."""

    folders: ProjectFolders
    asked: list[Path | None] = attrs.field(factory=list)

    def look_back(self, directory: Path | None, worktrees: Iterable[Worktree]) -> Surroundings:
        self.asked.append(directory)
        return self.folders.look_back(directory, worktrees)

    def __getattr__(self, name: str) -> object:
        return getattr(self.folders, name)


@needs_git
def test_a_worktree_that_is_gone_is_held_back_only_while_nothing_is_known_of_it(person: Person):
    """Its main one is nobody's here: whoever knows that may learn from it, whoever does not may not."""
    app = person.repository("app")
    for name in ("known", "unknown"):
        person.linked(app, name)
    Session.start(dict(person.program.environ), cwd=person.home / "known").close()
    for name in ("known", "unknown"):
        person.git(app, "worktree", "remove", "--force", person.home / name)

    with open_application(environ=person.program.environ) as application:
        claims = ConversationClaims(application.workspaces)

        assert claims.allow(WorkspaceName("acme"), [str(person.home / "known" / "src")])
        assert not claims.allow(WorkspaceName("acme"), [str(person.home / "unknown" / "src")])
