"""Workspaces and roots as use cases, on a real registry, real folders and a real configuration file."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import attrs
import pytest

from imprint.adapters.canonical_paths import canonical_path
from imprint.adapters.config_files import ConfigFile
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.locks import FileLocks
from imprint.adapters.project_folders import RealProjectFolders
from imprint.adapters.registry_db import open_registry
from imprint.adapters.workspace_files import WorkspaceFolders
from imprint.adapters.workspace_settings import ConfiguredWorkspaces
from imprint.domain.resolution import Reason
from imprint.domain.roots import Admission
from imprint.domain.setting_sections import WorkspaceSection
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.errors import (
    InvalidEnvironmentWorkspaceError,
    InvalidPathError,
    InvalidWorkspaceNameError,
    OutsideRootsError,
    ProjectFileRefusedError,
    ProtectedWorkspaceError,
    RefusedRootError,
    RootOverlapError,
    UnknownRootError,
    UnknownWorkspaceError,
)
from imprint.services.workspace_changes import Creation, Deletion, ProjectUse, Switch
from imprint.services.workspace_roots import WorkspaceRoots
from imprint.services.workspaces import Workspaces
from imprint.testing.fakes import FixedClock, MemorySettings

DEFAULT, ACME, LAB = WorkspaceName("default"), WorkspaceName("acme"), WorkspaceName("lab")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def app(home: Path) -> Path:
    """A git repository with a folder in it."""
    app = home / "code" / "app"
    (app / "src").mkdir(parents=True)
    (app / ".git").mkdir()
    (app / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return app


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


def compose(data: DataFolder, home: Path, closing: ExitStack) -> Workspaces:
    clock = FixedClock()
    return Workspaces(
        registry=closing.enter_context(open_registry(data, clock)),
        projects=RealProjectFolders((canonical_path(home),)),
        settings=MemorySettings(),
        files=WorkspaceFolders(data),
        locks=FileLocks(data, clock),
        clock=clock,
    )


@pytest.fixture
def workspaces(data: DataFolder, home: Path) -> Iterator[Workspaces]:
    with ExitStack() as closing:
        yield compose(data, home, closing)


@pytest.fixture
def roots(workspaces: Workspaces) -> WorkspaceRoots:
    return WorkspaceRoots(workspaces)


def pure(path: Path) -> CanonicalPath:
    return canonical_path(path)


def tree(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


def test_a_repeated_creation_or_switch_succeeds_and_says_so(workspaces: Workspaces):
    assert workspaces.create("acme") == Creation(ACME, created=True)
    assert workspaces.create("acme") == Creation(ACME, created=False)
    assert workspaces.switch("acme") == Switch(ACME, changed=True)
    assert workspaces.switch("acme") == Switch(ACME, changed=False)
    assert [(record.name, record.active) for record in workspaces.list()] == [("acme", True), ("default", False)]


def test_an_invalid_name_creates_nothing(workspaces: Workspaces):
    with pytest.raises(InvalidWorkspaceNameError):
        workspaces.create("Acme")

    assert [record.name for record in workspaces.list()] == ["default"]


@pytest.mark.parametrize("name", ["acne", "Acme", "", "../x"])
def test_switching_to_or_deleting_an_unknown_workspace_names_the_known(workspaces: Workspaces, name: str):
    workspaces.create("acme")

    for act in (workspaces.switch, workspaces.delete):
        with pytest.raises(UnknownWorkspaceError) as caught:
            act(name)
        assert caught.value.known == ("acme", "default")


def test_asking_writes_nothing(workspaces: Workspaces, data: DataFolder, app: Path, home: Path):
    workspaces.list()
    before = (tree(home), tree(data.path))

    resolved = workspaces.which(app / "src", is_session=True)

    assert resolved.resolution.needs_choice
    assert (tree(home), tree(data.path)) == before


def test_use_assigns_the_project_around_a_directory(workspaces: Workspaces, app: Path):
    done = workspaces.use(app / "src", "acme")

    assert done == ProjectUse(workspace=ACME, folder=pure(app), created=True, root_added=True, file_written=True)
    resolved = workspaces.which(app / "src")
    assert (resolved.workspace, resolved.resolution.reason) == (ACME, Reason.PROJECT_FILE)
    assert resolved.as_json()["sentence"] == resolved.sentence
    assert resolved.as_json()["directory"] == str(pure(app / "src"))


def test_a_repeated_use_succeeds_and_says_that_nothing_changed(workspaces: Workspaces, app: Path):
    workspaces.use(app, "acme")

    again = workspaces.use(app, "acme")

    assert again == ProjectUse(workspace=ACME, folder=pure(app), created=False, root_added=False, file_written=False)


def test_use_of_a_plain_folder_takes_the_folder_itself(workspaces: Workspaces, home: Path):
    (home / "notes").mkdir()

    assert workspaces.use(home / "notes", "acme").folder == pure(home / "notes")


def test_use_inside_a_root_of_the_workspace_adds_none(workspaces: Workspaces, roots: WorkspaceRoots, app: Path):
    workspaces.create("acme")
    roots.add(app.parent, explicit="acme")

    done = workspaces.use(app, "acme")

    assert (done.root_added, done.file_written) == (False, True)
    assert [root.path for root in roots.list(explicit="acme")] == [pure(app.parent)]


def test_use_that_would_share_changes_nothing_until_confirmed(
    workspaces: Workspaces, roots: WorkspaceRoots, app: Path, home: Path
):
    roots.add(app.parent)
    before = tree(home)

    with pytest.raises(RootOverlapError) as caught:
        workspaces.use(app, "acme")

    assert caught.value.conflicts == (("default", str(pure(app.parent))),)
    assert tree(home) == before
    assert [record.name for record in workspaces.list()] == ["default"]
    assert workspaces.use(app, "acme", allow_overlap=True).created


def test_use_confirms_a_proposal(workspaces: Workspaces, app: Path):
    (app / ".imprint").mkdir()
    (app / ".imprint" / "workspace.json").write_text('{"workspace": "acme"}')
    assert workspaces.which(app).resolution.needs_choice

    done = workspaces.use(app, "acme")

    assert (done.created, done.root_added, done.file_written) == (True, True, False)
    assert workspaces.which(app).workspace == ACME


@pytest.mark.parametrize("where", ["", "..", "../.."])
def test_use_refuses_a_home_and_whatever_is_above(workspaces: Workspaces, home: Path, where: str):
    with pytest.raises(RefusedRootError):
        workspaces.use(home / where, "acme", allow_overlap=True)

    assert [record.name for record in workspaces.list()] == ["default"]


@pytest.mark.skipif(os.name == "nt", reason="names are Unicode there")
def test_a_folder_whose_name_is_not_utf8_is_refused_as_a_root_with_its_reason(
    workspaces: Workspaces, roots: WorkspaceRoots, home: Path
):
    folder = home / os.fsdecode(b"f\xff")
    try:
        (folder / ".git").mkdir(parents=True)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    (folder / ".git" / "HEAD").touch()

    for act in (
        lambda: roots.add(folder),
        lambda: workspaces.use(folder, "acme"),
        lambda: roots.admit(roots.resolve_target(folder)),
    ):
        with pytest.raises(InvalidPathError) as caught:
            act()
        assert str(caught.value).isprintable()
    assert workspaces.registry.roots() == ()
    assert [record.name for record in workspaces.list()] == ["default"]


@pytest.mark.parametrize("directory", [None, Path("relative"), Path("/gone/for/good")])
def test_use_needs_a_directory_that_is_there(workspaces: Workspaces, directory: Path | None):
    with pytest.raises(InvalidPathError):
        workspaces.use(directory, "acme")


def test_use_that_may_not_write_its_file_changes_nothing(workspaces: Workspaces, roots: WorkspaceRoots, app: Path):
    (app / ".imprint").symlink_to("src")

    with pytest.raises(ProjectFileRefusedError):
        workspaces.use(app, "acme")

    assert [record.name for record in workspaces.list()] == ["default"]
    assert workspaces.registry.roots() == ()


def test_the_environment_decides_or_fails_and_an_argument_outranks_it(workspaces: Workspaces, app: Path):
    workspaces.create("acme")

    told = attrs.evolve(workspaces, environment="acme")
    assert told.which(app).resolution.reason is Reason.ENVIRONMENT
    assert told.selected().workspace == ACME

    mistold = attrs.evolve(workspaces, environment="acne")
    for ask in (lambda: mistold.which(app), mistold.selected):
        with pytest.raises(InvalidEnvironmentWorkspaceError) as caught:
            ask()
        assert (caught.value.variable, caught.value.nearest) == ("IMPRINT_WORKSPACE", "acme")
    assert mistold.which(app, explicit="acme").workspace == ACME


def test_commands_that_do_not_look_at_the_directory_use_the_active_workspace(workspaces: Workspaces):
    workspaces.create("acme")
    workspaces.switch("acme")

    assert (workspaces.selected().workspace, workspaces.selected("default").workspace) == (ACME, DEFAULT)


def test_a_deleted_workspace_leaves_nothing_but_its_lock(
    workspaces: Workspaces, roots: WorkspaceRoots, data: DataFolder, app: Path
):
    workspaces.use(app, "acme")
    workspaces.switch("acme")
    data.make_workspace(ACME)
    data.store_file(ACME).write_text("text")
    data.index(ACME).mkdir()
    (data.index(ACME) / "rows").write_text("rows")
    settings = MemorySettings(unassigned="acme", inbox="acme")

    done = attrs.evolve(workspaces, settings=settings).delete("acme")

    assert done == Deletion(workspace=ACME, settings=("workspace.unassigned", "workspace.inbox"), files_removed=True)
    assert settings == MemorySettings()
    assert [(record.name, record.active) for record in workspaces.list()] == [("default", True)]
    assert workspaces.registry.roots() == ()
    assert [path for path in data.workspace(ACME).iterdir() if path.suffix != ".lock"] == []


def test_the_files_of_a_lock_are_neither_left_overs_nor_removed(workspaces: Workspaces, data: DataFolder):
    files = WorkspaceFolders(data)

    with workspaces.locks.hold(ACME, "delete"):
        data.store_file(ACME).write_text("text")
        held = sorted(path.name for path in data.workspace(ACME).iterdir() if path != data.store_file(ACME))
        files.remove(ACME)

        assert sorted(path.name for path in data.workspace(ACME).iterdir()) == held != []
        assert not files.exist(ACME)


def test_the_default_workspace_stays(workspaces: Workspaces, data: DataFolder):
    data.make_workspace(DEFAULT)
    data.store_file(DEFAULT).write_text("text")

    with pytest.raises(ProtectedWorkspaceError):
        workspaces.delete("default")

    assert data.store_file(DEFAULT).exists()


def test_deleting_resets_the_settings_that_name_the_workspace(workspaces: Workspaces, tmp_path: Path):
    config = ConfigFile(tmp_path / "config.toml")
    config.path.write_text('[workspace] # mine\nunassigned = "acme"\ninbox = "lab"\n')
    settings = ConfiguredWorkspaces(config, WorkspaceSection(unassigned="acme", inbox="lab"))
    workspaces.create("acme")

    done = attrs.evolve(workspaces, settings=settings).delete("acme")

    assert done.settings == ("workspace.unassigned",)
    assert config.path.read_text() == '[workspace] # mine\ninbox = "lab"\n'


def test_deleting_resets_a_setting_that_another_process_made_meanwhile(workspaces: Workspaces, tmp_path: Path):
    config = ConfigFile(tmp_path / "config.toml")
    began_before = ConfiguredWorkspaces(config, WorkspaceSection())
    workspaces.create("acme")
    config.set("workspace.inbox", "acme")

    assert attrs.evolve(workspaces, settings=began_before).delete("acme").settings == ("workspace.inbox",)
    assert config.values() == {}


def test_files_that_another_process_holds_go_when_the_deletion_is_repeated(
    workspaces: Workspaces, data: DataFolder, home: Path
):
    impatient = attrs.evolve(workspaces, lock_patience_seconds=0.0)
    impatient.create("acme")
    data.make_workspace(ACME)
    data.store_file(ACME).write_text("text")

    with workspaces.locks.hold(ACME, "ingest"):
        assert not impatient.delete("acme").files_removed
        assert data.store_file(ACME).exists()

    assert impatient.delete("acme") == Deletion(workspace=ACME, settings=(), files_removed=True)
    with pytest.raises(UnknownWorkspaceError):
        impatient.delete("acme")


@pytest.mark.parametrize("way", ["create", "use"])
def test_a_new_workspace_never_inherits_what_a_deleted_one_left(
    workspaces: Workspaces, data: DataFolder, app: Path, way: str
):
    data.make_workspace(ACME)
    data.store_file(ACME).write_text("text")

    if way == "create":
        workspaces.create("acme")
    else:
        workspaces.use(app, "acme")

    assert not data.store_file(ACME).exists()


def test_a_repeated_root_succeeds_and_says_so(roots: WorkspaceRoots, app: Path):
    assert roots.add(app).added
    assert not roots.add(app / "src" / "..").added
    assert [(root.path, root.how) for root in roots.list()] == [(pure(app), "roots-add")]


def test_a_root_inside_a_root_is_recorded(roots: WorkspaceRoots, app: Path):
    roots.add(app)

    assert roots.add(app / "src").added


def test_sharing_a_root_needs_confirmation(workspaces: Workspaces, roots: WorkspaceRoots, app: Path):
    workspaces.create("acme")
    roots.add(app)

    with pytest.raises(RootOverlapError):
        roots.add(app / "src", explicit="acme")

    assert roots.add(app / "src", explicit="acme", allow_overlap=True).added


def test_a_home_is_a_root_only_when_insisted(roots: WorkspaceRoots, home: Path):
    for folder in (home, home.parent, Path("/")):
        with pytest.raises(RefusedRootError) as caught:
            roots.add(folder, allow_overlap=True)
        assert caught.value.overridable

    assert roots.add(home, allow_home=True).added


@pytest.mark.parametrize("name", ["main.py", "gone"])
def test_only_a_directory_that_is_there_becomes_a_root(roots: WorkspaceRoots, app: Path, name: str):
    (app / "main.py").touch()

    with pytest.raises(InvalidPathError):
        roots.add(app / name)

    assert roots.list() == ()


def test_a_root_can_be_removed_though_its_folder_is_gone_or_a_link_now(roots: WorkspaceRoots, home: Path):
    for name in ("gone", "moved"):
        (home / name).mkdir()
        roots.add(home / name)
        (home / name).rmdir()
    (home / "moved").symlink_to("elsewhere")

    assert roots.remove(home / "gone").path == pure(home) / "gone"
    assert roots.remove(Path(pure(home)) / "moved").path == pure(home) / "moved"
    assert roots.list() == ()


def test_removing_what_is_no_root_names_the_roots(roots: WorkspaceRoots, app: Path):
    roots.add(app)

    with pytest.raises(UnknownRootError) as caught:
        roots.remove(app / "src")

    assert caught.value.known == (str(pure(app)),)


def test_a_target_uses_the_workspace_of_its_own_directory(workspaces: Workspaces, roots: WorkspaceRoots, app: Path):
    workspaces.use(app, "acme")
    (app / "src" / "main.py").touch()

    target = roots.resolve_target(app / "src" / "main.py")

    assert (target.path, target.workspace) == (pure(app / "src" / "main.py"), ACME)
    assert roots.admission(target) is Admission.INSIDE
    roots.admit(target)


@pytest.mark.parametrize(("name", "bound"), [("src", "src"), ("src/main.py", "src")])
def test_the_first_target_binds_its_directory(roots: WorkspaceRoots, app: Path, name: str, bound: str):
    (app / "src" / "main.py").touch()
    target = roots.resolve_target(app / name)
    assert roots.admission(target) is Admission.FIRST

    roots.admit(target)

    assert [(root.path, root.how) for root in roots.list()] == [(pure(app / bound), "first-ingest")]


def test_a_later_target_outside_is_refused_even_with_sharing_confirmed(roots: WorkspaceRoots, app: Path):
    roots.add(app / "src")

    with pytest.raises(OutsideRootsError) as caught:
        roots.admit(roots.resolve_target(app), allow_overlap=True)

    assert caught.value.roots == (str(pure(app / "src")),)


def test_a_link_out_of_a_root_is_outside(roots: WorkspaceRoots, app: Path, home: Path):
    (home / "secret").write_text("secret")
    (app / "src" / "link").symlink_to(home / "secret")
    roots.add(app)

    with pytest.raises(OutsideRootsError):
        roots.admit(roots.resolve_target(app / "src" / "link"))


def test_a_home_is_never_bound_by_a_first_target(roots: WorkspaceRoots, home: Path):
    with pytest.raises(RefusedRootError) as caught:
        roots.admit(roots.resolve_target(home))

    assert not caught.value.overridable
    assert roots.list() == ()


def test_a_missing_first_target_binds_nothing(roots: WorkspaceRoots, app: Path):
    with pytest.raises(InvalidPathError):
        roots.admit(roots.resolve_target(app / "gone"))

    assert roots.list() == ()


def test_a_first_target_that_would_share_needs_confirmation(workspaces: Workspaces, roots: WorkspaceRoots, app: Path):
    workspaces.create("acme")
    roots.add(app)
    target = roots.resolve_target(app / "src", explicit="acme")

    with pytest.raises(RootOverlapError):
        roots.admit(target)

    roots.admit(target, allow_overlap=True)
    assert roots.list(explicit="acme")[0].path == pure(app / "src")


def test_of_first_targets_at_once_one_binds_and_the_others_are_outside(data: DataFolder, home: Path):
    folders = [home / f"app{number}" for number in range(8)]
    for folder in folders:
        folder.mkdir()

    def ingest(folder: Path) -> bool:
        with ExitStack() as closing:
            roots = WorkspaceRoots(compose(data, home, closing))
            try:
                roots.admit(roots.resolve_target(folder))
            except OutsideRootsError:
                return False
            return True

    with ThreadPoolExecutor(len(folders)) as pool:
        admitted = list(pool.map(ingest, folders))

    with ExitStack() as closing:
        (bound,) = WorkspaceRoots(compose(data, home, closing)).list()
    assert admitted.count(True) == 1
    assert bound.path == pure(folders[admitted.index(True)])
