"""Looking around real directories, and writing project files, whatever lies there."""

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import pytest

from imprint.adapters.canonical_paths import canonical_path
from imprint.adapters.project_folders import RealProjectFolders, find_homes, find_working_directory
from imprint.domain.project_files import LARGEST_PROJECT_FILE, FoundProjectFile, ProjectFileFault
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import DirectoryProblem, Surroundings
from imprint.errors import InvalidPathError, ProjectFileRefusedError, ProjectFileUnwritableError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links, named pipes and modes as POSIX has them")

ACME, LAB = WorkspaceName("acme"), WorkspaceName("lab")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def app(home: Path) -> Path:
    app = home / "code" / "app"
    (app / "src").mkdir(parents=True)
    return app


@pytest.fixture
def folders(home: Path) -> RealProjectFolders:
    return RealProjectFolders((pure(home),))


def pure(path: Path) -> CanonicalPath:
    return canonical_path(path)


def project_file(folder: Path, content: bytes = b'{"workspace": "acme"}') -> Path:
    file = folder / ".imprint" / "workspace.json"
    file.parent.mkdir()
    file.write_bytes(content)
    return file


def fault_in(folders: RealProjectFolders, folder: Path) -> ProjectFileFault | None:
    found = folders.look_around(folder / "src").project_file
    assert found is not None
    assert found.folder == pure(folder)
    return found.fault


def test_the_nearest_file_and_git_root_are_found(folders: RealProjectFolders, app: Path):
    project_file(app.parent)
    (app / ".git").mkdir()
    (app / ".git" / "HEAD").write_text("ref: refs/heads/main\n")

    surroundings = folders.look_around(app / "src")

    assert surroundings == Surroundings(
        directory=pure(app / "src"), project_file=FoundProjectFile(pure(app.parent), ACME), git_root=pure(app)
    )
    assert surroundings.project == pure(app)


def test_of_nested_repositories_the_nearest_counts(folders: RealProjectFolders, app: Path):
    for repository in (app, app.parent):
        (repository / ".git").mkdir()
        (repository / ".git" / "HEAD").touch()

    assert folders.look_around(app / "src").git_root == pure(app)


def test_a_file_in_the_home_or_above_is_not_looked_at(folders: RealProjectFolders, home: Path, app: Path):
    project_file(home)
    project_file(home.parent)

    assert folders.look_around(app).project_file is None
    assert folders.look_around(home) == Surroundings(directory=pure(home))


def test_a_file_stands_for_its_folder(folders: RealProjectFolders, app: Path):
    (app / "src" / "main.py").touch()

    assert folders.look_around(app / "src" / "main.py") == folders.look_around(app / "src")


def test_a_linked_directory_is_looked_at_where_it_really_is(folders: RealProjectFolders, home: Path, app: Path):
    project_file(app)
    (home / "link").symlink_to(app / "src")

    assert folders.look_around(home / "link") == folders.look_around(app / "src")


@pytest.mark.parametrize(
    "make",
    [
        lambda git: (git.mkdir(), (git / "HEAD").touch()),
        lambda git: (git.mkdir(), (git / "HEAD").symlink_to("refs/heads/main")),
        lambda git: git.write_text("gitdir: /elsewhere/.git/worktrees/app\n"),
    ],
    ids=["repository", "HEAD as a link", "worktree or submodule"],
)
def test_a_git_root_is_known_without_git(folders: RealProjectFolders, app: Path, make: Callable[[Path], object]):
    make(app / ".git")

    assert folders.look_around(app / "src").git_root == pure(app)


@pytest.mark.parametrize(
    "make",
    [
        lambda git: git.mkdir(),
        lambda git: git.touch(),
        lambda git: git.write_text("gitdir:/no/blank"),
        lambda git: git.symlink_to("nowhere"),
        lambda git: git.symlink_to(".git"),
        lambda git: os.mkfifo(git),
        lambda git: (git.parent / "HEAD").touch(),
    ],
    ids=["empty folder", "empty file", "no blank", "dangling link", "looping link", "named pipe", "bare repository"],
)
def test_what_only_looks_like_git_is_no_root(folders: RealProjectFolders, app: Path, make: Callable[[Path], object]):
    make(app / ".git")

    assert folders.look_around(app / "src").git_root is None


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"\xff\xfe", ProjectFileFault.NOT_UTF8),
        (b"{", ProjectFileFault.NOT_JSON),
        (b" " * (LARGEST_PROJECT_FILE + 1), ProjectFileFault.TOO_LARGE),
        (b'{"workspace": "acme"}' + b" " * 2**20, ProjectFileFault.TOO_LARGE),
        (b'{"workspace": "lab", "workspace": "acme"}', ProjectFileFault.DUPLICATE_KEY),
    ],
)
def test_a_broken_file_ends_the_walk(folders: RealProjectFolders, app: Path, content: bytes, fault: ProjectFileFault):
    project_file(app.parent)
    project_file(app, content)

    assert fault_in(folders, app) is fault


def make_pipe(app: Path) -> None:
    (app / ".imprint").mkdir()
    os.mkfifo(app / ".imprint" / "workspace.json")


def make_socket(app: Path) -> None:
    (app / ".imprint").mkdir()
    with tempfile.TemporaryDirectory() as short, socket.socket(socket.AF_UNIX) as server:
        server.bind(f"{short}/s")  # the name of a socket may have a hundred characters, and is kept when it moves
        shutil.move(f"{short}/s", app / ".imprint" / "workspace.json")


def make_folder(app: Path) -> None:
    (app / ".imprint" / "workspace.json").mkdir(parents=True)


def make_linked_file(app: Path) -> None:
    (app / ".imprint").mkdir()
    elsewhere = app / "elsewhere.json"
    elsewhere.write_text('{"workspace": "acme"}')
    (app / ".imprint" / "workspace.json").symlink_to(elsewhere)


def make_dangling_file(app: Path) -> None:
    (app / ".imprint").mkdir()
    (app / ".imprint" / "workspace.json").symlink_to("nowhere")


def make_linked_folder(app: Path) -> None:
    project_file(app / "src")
    (app / ".imprint").symlink_to(app / "src" / ".imprint")
    (app / "src" / ".imprint").rename(app / "elsewhere")


def make_plain_file(app: Path) -> None:
    (app / ".imprint").touch()


IN_THE_WAY = [
    (make_pipe, ProjectFileFault.FILE_NOT_REGULAR),
    (make_socket, ProjectFileFault.FILE_NOT_REGULAR),
    (make_folder, ProjectFileFault.FILE_NOT_REGULAR),
    (make_linked_file, ProjectFileFault.FILE_IS_LINK),
    (make_dangling_file, ProjectFileFault.FILE_IS_LINK),
    (make_linked_folder, ProjectFileFault.FOLDER_IS_LINK),
    (make_plain_file, ProjectFileFault.FOLDER_NOT_DIRECTORY),
]


@pytest.mark.parametrize(("make", "fault"), IN_THE_WAY)
def test_what_lies_in_the_place_of_the_file_has_its_fault_and_never_waits(
    folders: RealProjectFolders, app: Path, make: Callable[[Path], None], fault: ProjectFileFault
):
    project_file(app.parent)
    make(app)

    assert fault_in(folders, app) is fault


@pytest.mark.parametrize(("make", "fault"), IN_THE_WAY)
def test_what_lies_in_the_place_of_the_file_is_not_replaced(
    folders: RealProjectFolders, app: Path, make: Callable[[Path], None], fault: ProjectFileFault
):
    make(app)
    before = sorted((path, path.lstat().st_mode, path.lstat().st_size) for path in app.rglob("*"))

    with pytest.raises(ProjectFileRefusedError):
        folders.write_project_file(pure(app), LAB)

    assert sorted((path, path.lstat().st_mode, path.lstat().st_size) for path in app.rglob("*")) == before


@pytest.mark.parametrize(
    ("directory", "problem"),
    [
        (None, DirectoryProblem.UNDEFINED),
        (Path(), DirectoryProblem.RELATIVE),
        (Path("src"), DirectoryProblem.RELATIVE),
        (Path("/\0"), DirectoryProblem.UNREADABLE),
        (Path("/" + "x" * 300), DirectoryProblem.UNREADABLE),
    ],
)
def test_a_directory_that_is_none_has_no_project(
    folders: RealProjectFolders, directory: Path | None, problem: DirectoryProblem
):
    surroundings = folders.look_around(directory)

    assert (surroundings.problem, surroundings.project) == (problem, None)


def test_a_deleted_directory_keeps_its_place_but_has_no_project(folders: RealProjectFolders, home: Path, app: Path):
    project_file(app)
    (home / "link").symlink_to(app)

    assert folders.look_around(home / "link" / "gone" / "deep") == Surroundings(
        directory=pure(app) / "gone" / "deep", problem=DirectoryProblem.DELETED
    )


def test_a_loop_of_links_is_unreadable(folders: RealProjectFolders, home: Path):
    (home / "loop").symlink_to("loop")

    assert folders.look_around(home / "loop").problem is DirectoryProblem.UNREADABLE


AS_NOBODY = """
import json, os, sys
from pathlib import Path
from imprint.adapters.project_folders import RealProjectFolders
if os.geteuid() == 0:
    os.setuid(65534)
found = RealProjectFolders(()).look_around(Path(sys.argv[1]))
print(json.dumps([found.problem, found.project_file and found.project_file.content]))
"""


@pytest.mark.parametrize(
    ("locked", "answer"),
    [("code/app", ["unreadable", None]), ("code", ["unreadable", None]), ("code/app/.imprint", [None, "unreadable"])],
)
def test_a_directory_without_permission_has_no_project(home: Path, app: Path, locked: str, answer: list[object]):
    project_file(app)
    for folder in [*app.parents, app]:
        if folder != Path(tempfile.gettempdir()) and folder.is_relative_to(tempfile.gettempdir()):
            folder.chmod(0o755)
    (home / locked).chmod(0o600)

    try:
        done = subprocess.run([sys.executable, "-c", AS_NOBODY, app], capture_output=True, text=True, check=True)
    finally:
        (home / locked).chmod(0o755)

    assert json.loads(done.stdout) == answer


def test_a_deleted_working_directory_is_undefined(tmp_path: Path):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = (
        "import os, sys; os.rmdir(os.getcwd())\n"
        "from imprint.adapters.project_folders import find_working_directory\n"
        "from imprint.adapters.canonical_paths import canonical_path\n"
        "from imprint.errors import InvalidPathError\n"
        "assert find_working_directory() is None\n"
        "try: canonical_path('x')\n"
        "except InvalidPathError: print('refused')\n"
    )

    done = subprocess.run([sys.executable, "-c", script], cwd=gone, capture_output=True, text=True, check=True)

    assert done.stdout == "refused\n"


def test_the_working_directory_is_absolute():
    assert find_working_directory() == Path.cwd()


def test_a_new_file_is_written_with_the_modes_of_new_files(folders: RealProjectFolders, app: Path):
    assert folders.write_project_file(pure(app), ACME) is True

    written = app / ".imprint" / "workspace.json"
    plain = app / "plain"
    plain.touch()
    assert written.read_bytes() == b'{"workspace": "acme"}\n'
    assert written.stat().st_mode == plain.stat().st_mode
    assert [entry.name for entry in written.parent.iterdir()] == ["workspace.json"]


@pytest.mark.parametrize("content", [b'{"workspace": "acme"}', b'\xef\xbb\xbf{ "workspace":"acme"}\r\n'])
def test_a_file_that_says_so_already_is_left_alone(folders: RealProjectFolders, app: Path, content: bytes):
    file = project_file(app, content)

    assert folders.write_project_file(pure(app), ACME) is False
    assert file.read_bytes() == content


@pytest.mark.parametrize("content", [b'{"workspace": "lab"}', b"", b"\xff", b" " * 2**20])
def test_another_or_invalid_file_is_replaced_and_keeps_its_mode(folders: RealProjectFolders, app: Path, content: bytes):
    file = project_file(app, content)
    file.chmod(0o640)

    assert folders.write_project_file(pure(app), ACME) is True
    assert file.read_bytes() == b'{"workspace": "acme"}\n'
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_writing_never_follows_a_hard_link(folders: RealProjectFolders, app: Path):
    file = project_file(app, b"{}")
    os.link(file, app / "kept")

    folders.write_project_file(pure(app), ACME)

    assert (app / "kept").read_bytes() == b"{}"


def test_a_folder_that_went_away_is_an_error_that_says_so(folders: RealProjectFolders, app: Path):
    with pytest.raises(ProjectFileUnwritableError):
        folders.write_project_file(pure(app) / "gone", ACME)


def test_readers_see_one_whole_file_or_the_other_while_it_is_replaced(folders: RealProjectFolders, app: Path):
    project_file(app)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            folders.write_project_file(pure(app), LAB)
            folders.write_project_file(pure(app), ACME)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        seen = {folders.look_around(app).project_file for _ in range(300)}
    finally:
        stop.set()
        writer.join()

    assert seen <= {FoundProjectFile(pure(app), ACME), FoundProjectFile(pure(app), LAB)}


def test_homes_are_the_configured_one_its_real_place_and_the_bridged_one(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "home").symlink_to("real")
    environ = {"HOME": str(tmp_path / "home"), "IMPRINT_WSL_HOME": "\\\\wsl$\\Debian\\home\\me"}

    homes = find_homes(environ)

    assert [str(home) for home in homes] == [
        str(tmp_path / "home"),
        str(pure(tmp_path / "real")),
        "\\\\wsl.localhost\\Debian\\home\\me",
    ]


@pytest.mark.parametrize("bridged", ["", "relative", "C:"])
def test_a_bridged_home_that_is_no_path_is_none(tmp_path: Path, bridged: str):
    environ = {"HOME": str(tmp_path), "IMPRINT_WSL_HOME": bridged}

    assert find_homes(environ) == (pure(tmp_path),)


def test_the_canonical_form_resolves_links_and_dots(tmp_path: Path):
    (tmp_path / "real" / "deep").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real/deep")

    assert canonical_path(tmp_path / "link" / ".." / "x") == PurePosixPath(pure(tmp_path), "real", "x")


def test_a_nul_in_a_path_is_a_typed_error():
    with pytest.raises(InvalidPathError):
        canonical_path("/a\0b")
