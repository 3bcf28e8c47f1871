"""Linked worktrees as git makes, moves and forgets them, and as a stranger might fake them."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from imprint.adapters.canonical_paths import canonical_path
from imprint.adapters.project_folders import RealProjectFolders
from imprint.adapters.worktrees import find_worktree
from imprint.domain.project_files import FoundProjectFile
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import DirectoryProblem, Surroundings
from imprint.domain.worktrees import Worktree

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
posix_only = pytest.mark.skipif(os.name == "nt", reason="links and named pipes as POSIX has them")

ACME = WorkspaceName("acme")


@attrs.frozen
class Git:
    """The real git, with a home of its own."""

    home: Path

    def __call__(self, *arguments: str | Path, cwd: Path) -> str:
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
        environ = {**kept, "HOME": str(self.home), "USERPROFILE": str(self.home), "GIT_CONFIG_NOSYSTEM": "1"}
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
        done = subprocess.run(["git", *who, *arguments], cwd=cwd, env=environ, capture_output=True, check=True)
        return done.stdout.decode()

    def repository(self, folder: Path, *options: str | Path) -> Path:
        folder.mkdir(parents=True)
        self("init", "--quiet", "--initial-branch=main", *options, cwd=folder)
        (folder / "src").mkdir()
        (folder / "src" / "x.py").write_text("x = 1\n")
        self("add", ".", cwd=folder)
        self("commit", "--quiet", "-m", "begin", cwd=folder)
        return folder

    def link(self, main: Path, folder: Path, *options: str) -> Path:
        self("worktree", "add", "--quiet", "--detach", *options, folder, cwd=main)
        return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    return home


@pytest.fixture
def git(home: Path) -> Git:
    return Git(home)


@pytest.fixture
def main(git: Git, home: Path) -> Path:
    return git.repository(home / "code" / "app")


@pytest.fixture
def folders(home: Path) -> RealProjectFolders:
    return RealProjectFolders((canonical_path(home),))


def pure(path: Path) -> CanonicalPath:
    return canonical_path(path)


def worktree_of(folder: Path, main: Path) -> Worktree:
    return Worktree(folder=pure(folder), main=pure(main))


def found(folders: RealProjectFolders, directory: Path) -> Worktree | None:
    return folders.look_around(directory).worktree


def project_file(folder: Path, name: str = "acme") -> None:
    (folder / ".imprint").mkdir(exist_ok=True)
    (folder / ".imprint" / "workspace.json").write_text(f'{{"workspace": "{name}"}}')


def fake_worktree(folder: Path, record: Path | str) -> Path:
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {record}\n")
    return folder


def test_a_linked_worktree_stands_for_the_main_one(folders: RealProjectFolders, git: Git, main: Path, home: Path):
    linked = git.link(main, home / "trees" / "feature")

    assert folders.look_around(linked / "src") == Surroundings(
        directory=pure(linked / "src"), worktree=worktree_of(linked, main), git_root=pure(main)
    )
    assert folders.look_around(linked / "src").place == pure(main / "src")
    assert found(folders, main / "src") is None


def test_the_project_file_of_the_main_worktree_is_read_and_never_the_copy_on_a_branch(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    project_file(main)
    git("add", ".", cwd=main)
    git("commit", "--quiet", "-m", "name it", cwd=main)
    linked = git.link(main, home / "feature")
    project_file(linked, "elsewhere")
    project_file(linked / "src", "elsewhere")

    surroundings = folders.look_around(linked / "src")

    assert surroundings.project_file == FoundProjectFile(pure(main), ACME)
    assert surroundings.project == pure(main)


def test_a_folder_that_only_the_branch_has_stands_for_its_place(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    project_file(main)
    linked = git.link(main, home / "feature")
    (linked / "new" / "deep").mkdir(parents=True)

    surroundings = folders.look_around(linked / "new" / "deep")

    assert surroundings.place == pure(main) / "new" / "deep"
    assert surroundings.project_file == FoundProjectFile(pure(main), ACME)


def test_a_worktree_inside_its_main_one_stands_for_it_too(folders: RealProjectFolders, git: Git, main: Path):
    linked = git.link(main, main / ".trees" / "feature")

    assert folders.look_around(linked / "src").place == pure(main / "src")
    assert folders.look_around(linked).git_root == pure(main)


def test_a_worktree_is_known_through_a_link_to_it(folders: RealProjectFolders, git: Git, main: Path, home: Path):
    linked = git.link(main, home / "feature")
    (home / "shortcut").symlink_to(linked / "src")

    assert folders.look_around(home / "shortcut").place == pure(main / "src")


def test_a_main_repository_behind_a_link_is_known_where_it_is(git: Git, home: Path, folders: RealProjectFolders):
    (home / "disk").mkdir()
    (home / "code").symlink_to("disk")
    main = git.repository(home / "code" / "app")

    linked = git.link(main, home / "feature")

    assert found(folders, linked) == worktree_of(linked, home / "disk" / "app")


def test_moving_with_git_keeps_a_worktree_and_moving_it_otherwise_takes_a_repair(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    linked = git.link(main, home / "one")
    git("worktree", "move", linked, home / "two", cwd=main)
    assert found(folders, home / "two") == worktree_of(home / "two", main)

    (home / "two").rename(home / "three")
    assert found(folders, home / "three") is None

    git("worktree", "repair", home / "three", cwd=main)
    assert found(folders, home / "three") == worktree_of(home / "three", main)


def test_a_moved_main_repository_takes_a_repair(folders: RealProjectFolders, git: Git, main: Path, home: Path):
    linked = git.link(main, home / "feature")
    main.rename(home / "moved")
    assert found(folders, linked) is None

    git("worktree", "repair", linked, cwd=home / "moved")

    assert found(folders, linked) == worktree_of(linked, home / "moved")


def test_a_locked_worktree_is_one_and_a_pruned_one_is_none(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    linked = git.link(main, home / "feature")
    git("worktree", "lock", linked, cwd=main)
    assert found(folders, linked) == worktree_of(linked, main)

    linked.rename(home / "away")
    git("worktree", "unlock", linked, cwd=main)
    git("worktree", "prune", cwd=main)
    (home / "away").rename(linked)

    assert found(folders, linked) is None
    assert folders.look_around(linked).project == pure(linked)


def test_a_copy_of_a_worktree_is_none(folders: RealProjectFolders, git: Git, main: Path, home: Path):
    linked = git.link(main, home / "feature")
    shutil.copytree(linked, home / "copy")

    assert found(folders, home / "copy") is None


def test_a_deleted_main_repository_leaves_the_worktree_to_itself(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    linked = git.link(main, home / "feature")
    shutil.rmtree(main)

    assert folders.look_around(linked / "src") == Surroundings(directory=pure(linked / "src"), git_root=pure(linked))


def test_a_deleted_folder_of_a_worktree_keeps_its_place(folders: RealProjectFolders, git: Git, main: Path, home: Path):
    linked = git.link(main, home / "feature")

    surroundings = folders.look_around(linked / "gone" / "deep")

    assert (surroundings.problem, surroundings.project) == (DirectoryProblem.DELETED, None)
    assert surroundings.place == pure(main) / "gone" / "deep"


def make_relative(git: Git, main: Path, linked: Path) -> None:
    """As git 2.48 and later write it with `worktree.useRelativePaths`, whichever git is installed here."""
    (record,) = (main / ".git" / "worktrees").iterdir()
    (linked / ".git").write_text(f"gitdir: {os.path.relpath(record, linked)}\n")
    (record / "gitdir").write_text(f"{os.path.relpath(linked / '.git', record)}\n")


def test_relative_paths_are_followed(folders: RealProjectFolders, git: Git, main: Path, home: Path):
    linked = git.link(main, home / "trees" / "feature")
    make_relative(git, main, linked)
    assert found(folders, linked / "src") == worktree_of(linked, main)

    (home / "together").mkdir()
    main.rename(home / "together" / "app")
    linked.rename(home / "together" / "feature")
    assert found(folders, home / "together" / "feature") is None

    make_relative(git, home / "together" / "app", home / "together" / "feature")
    (home / "together").rename(home / "elsewhere")
    assert found(folders, home / "elsewhere" / "feature") == worktree_of(
        home / "elsewhere" / "feature", home / "elsewhere" / "app"
    )


def test_relative_paths_of_git_itself_are_followed(folders: RealProjectFolders, git: Git, main: Path, home: Path):
    git("config", "worktree.useRelativePaths", "true", cwd=main)
    linked = git.link(main, home / "trees" / "feature")
    if ".." not in (linked / ".git").read_text():
        pytest.skip("git before 2.48 writes absolute paths only")

    assert found(folders, linked / "src") == worktree_of(linked, main)


def test_a_submodule_is_no_worktree(folders: RealProjectFolders, git: Git, main: Path, home: Path):
    git.repository(home / "library")
    git("submodule", "--quiet", "add", home / "library", "lib", cwd=main)

    surroundings = folders.look_around(main / "lib" / "src")

    assert surroundings == Surroundings(directory=pure(main / "lib" / "src"), git_root=pure(main / "lib"))


def test_a_worktree_of_a_submodule_stands_for_the_submodule(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    git.repository(home / "library")
    git("submodule", "--quiet", "add", home / "library", "lib", cwd=main)

    linked = git.link(main / "lib", home / "feature")

    assert found(folders, linked) == worktree_of(linked, main / "lib")


def test_a_submodule_in_a_worktree_stands_for_the_one_in_the_main_worktree(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    git.repository(home / "library")
    git("submodule", "--quiet", "add", home / "library", "lib", cwd=main)
    git("commit", "--quiet", "-m", "with a library", cwd=main)
    linked = git.link(main, home / "feature")
    git("submodule", "--quiet", "update", "--init", cwd=linked)
    farther = git.link(linked / "lib", home / "farther")

    assert folders.look_around(linked / "lib" / "src").place == pure(main / "lib" / "src")
    assert folders.look_around(linked / "lib" / "src").git_root == pure(main / "lib")
    assert folders.look_around(farther / "src").place == pure(main / "lib" / "src")


def test_a_repository_that_only_the_worktree_holds_stands_for_itself(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    linked = git.link(main, home / "feature")
    nested = git.repository(linked / "vendor" / "lib")

    assert folders.look_around(nested / "src") == Surroundings(directory=pure(nested / "src"), git_root=pure(nested))
    assert found(folders, linked / "vendor") == worktree_of(linked, main)


def test_a_repository_nested_in_both_stands_for_the_one_in_the_main_worktree(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    linked = git.link(main, home / "feature")
    git.repository(main / "vendor" / "lib")
    nested = git.repository(linked / "vendor" / "lib")

    assert folders.look_around(nested / "src").place == pure(main / "vendor" / "lib" / "src")


@pytest.mark.parametrize("name", ["app.git", ".bare", ".git"])
def test_a_bare_repository_has_no_main_worktree(
    folders: RealProjectFolders, git: Git, main: Path, home: Path, name: str
):
    bare = home / "layout" / name
    git("clone", "--quiet", "--bare", main, bare, cwd=home)
    linked = git.link(bare, home / "layout" / "feature")

    assert folders.look_around(linked / "src") == Surroundings(directory=pure(linked / "src"), git_root=pure(linked))


def test_a_bare_repository_with_settings_a_worktree_has_no_main_worktree(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    bare = home / "layout" / ".git"
    git("clone", "--quiet", "--bare", main, bare, cwd=home)
    git("config", "extensions.worktreeConfig", "true", cwd=bare)
    git("config", "--unset", "core.bare", cwd=bare)
    git("config", "--file", bare / "config.worktree", "core.bare", "true", cwd=bare)

    assert found(folders, git.link(bare, home / "layout" / "feature")) is None


def test_a_separate_git_folder_does_not_know_its_main_worktree_unless_it_says(
    folders: RealProjectFolders, git: Git, home: Path
):
    main = git.repository(home / "app", "--separate-git-dir", home / "apart")
    linked = git.link(main, home / "feature")
    assert found(folders, linked) is None

    git("config", "core.worktree", main, cwd=main)

    assert found(folders, linked) == worktree_of(linked, main)


def test_a_main_worktree_that_is_a_home_stands_for_nothing(folders: RealProjectFolders, git: Git, home: Path):
    git("init", "--quiet", cwd=home)
    git("commit", "--quiet", "--allow-empty", "-m", "dotfiles", cwd=home)
    linked = git.link(home, home / "trees" / "dotfiles")

    assert folders.look_around(linked) == Surroundings(directory=pure(linked), git_root=pure(linked))


def test_a_stranger_who_names_anothers_record_gains_nothing(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    project_file(main)
    git.link(main, home / "feature")
    (record,) = (main / ".git" / "worktrees").iterdir()
    strange = fake_worktree(home / "downloads" / "strange", record)

    assert folders.look_around(strange) == Surroundings(directory=pure(strange), git_root=pure(strange))


@pytest.mark.parametrize("target", [".git", ".git/worktrees", ".git/worktrees/none", ".git/worktrees/../worktrees", ""])
def test_a_stranger_who_names_anothers_repository_gains_nothing(
    folders: RealProjectFolders, git: Git, main: Path, home: Path, target: str
):
    git.link(main, home / "feature")
    strange = fake_worktree(home / "strange", main / target)

    assert found(folders, strange) is None


def test_a_stranger_with_a_record_of_its_own_gains_nothing(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    """The record agrees, but names a repository that does not list it."""
    strange = home / "strange"
    record = strange / "worktrees" / "x"
    record.mkdir(parents=True)
    (strange / ".git").write_text("gitdir: worktrees/x\n")
    (record / "gitdir").write_text(f"{strange / '.git'}\n")
    (record / "commondir").write_text(f"{main / '.git'}\n")
    assert found(folders, strange) is None

    (strange / "config").write_text(f"[core]\n\tworktree = {main.as_posix()}\n")
    (record / "commondir").write_text("../..\n")
    assert found(folders, strange) is None


def test_a_record_has_to_name_the_very_file(folders: RealProjectFolders, git: Git, main: Path, home: Path):
    linked = git.link(main, home / "feature")
    (record,) = (main / ".git" / "worktrees").iterdir()

    (record / "gitdir").write_text(f"{linked / 'git'}\n")

    assert found(folders, linked) is None


CONTENTS = st.binary(max_size=30) | st.sampled_from(
    [
        b"gitdir: ../app/.git/worktrees/feature",
        b"gitdir: ..",
        b"gitdir: .",
        b"gitdir: /",
        b"..",
        b"../..",
        b"../../../../feature/.git",
        b"../../../../app/.git",
        b"/\0",
        b"\xff\xfe",
        b"gitdir: " + b"a" * 5_000,
        b"gitdir: " + b"../" * 5_000,
    ]
)


@example(b"gitdir: ../app/.git/worktrees/feature", b"../../../../feature/.git", b"../..")
@given(pointer=CONTENTS, back=CONTENTS, common=CONTENTS)
def test_whatever_the_files_say_nothing_raises_and_only_agreement_counts(pointer: bytes, back: bytes, common: bytes):
    with TemporaryDirectory() as folder:
        main, linked = Path(folder, "app"), Path(folder, "feature")
        record = main / ".git" / "worktrees" / "feature"
        record.mkdir(parents=True)
        linked.mkdir()
        (main / ".git" / "HEAD").touch()
        for file, content in ((linked / ".git", pointer), (record / "gitdir", back), (record / "commondir", common)):
            file.write_bytes(content)

        seen = RealProjectFolders(()).look_around(linked).worktree

    agrees = (pointer, back, common) == (
        b"gitdir: ../app/.git/worktrees/feature",
        b"../../../../feature/.git",
        b"../..",
    )
    assert (seen is not None) == agrees


def test_a_stranger_whose_branch_has_a_link_to_anothers_project_gains_nothing(
    folders: RealProjectFolders, git: Git, main: Path, home: Path
):
    """A folder on one branch, on the main one a link: its place must not become the link's target."""
    project_file(main)
    strange = git.repository(home / "strange")
    linked = git.link(strange, home / "feature")
    shutil.rmtree(strange / "src")
    (strange / "src").symlink_to(main)
    git.repository(linked / "src" / "nested").rename(linked / "nested")
    (linked / "nested" / ".git").rename(linked / "src" / ".git")

    nested = folders.look_around(linked / "src")
    (linked / "src" / ".git").rename(linked / "gone")
    plain = folders.look_around(linked / "src")

    assert (nested.project_file, nested.place) == (None, pure(linked / "src"))
    assert (plain.project_file, plain.project) == (None, pure(strange))


def make_link(git: Path) -> None:
    git.rename(git.with_name("moved"))
    git.symlink_to("moved")


def make_pipe(git: Path) -> None:
    git.unlink()
    os.mkfifo(git)


def make_long(git: Path) -> None:
    git.write_bytes(git.read_bytes() + b"\n" * 20_000)


def make_nothing(git: Path) -> None:
    git.write_bytes(b"")


@posix_only
@pytest.mark.parametrize("spoil", [make_link, make_pipe, make_long, make_nothing])
@pytest.mark.parametrize("which", ["pointer", "gitdir", "commondir"])
def test_only_small_regular_files_are_read_and_nothing_waits(
    folders: RealProjectFolders, git: Git, main: Path, home: Path, spoil: Callable[[Path], None], which: str
):
    linked = git.link(main, home / "feature")
    (record,) = (main / ".git" / "worktrees").iterdir()
    spoil(linked / ".git" if which == "pointer" else record / which)

    answers: list[Worktree | None] = []
    asking = threading.Thread(target=lambda: answers.append(found(folders, linked)), daemon=True)
    asking.start()
    asking.join(10)

    assert answers == [None]


def test_a_name_that_is_not_utf8_is_found(folders: RealProjectFolders, git: Git, main: Path, home: Path):
    strange_name = os.fsdecode(b"f\xff\xc3\xa4")
    try:
        linked = git.link(main, home / strange_name)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this file system takes UTF-8 names only")

    assert found(folders, linked) == worktree_of(linked, main)


def test_looking_starts_no_process_and_writes_nothing(git: Git, main: Path, home: Path, tmp_path: Path):
    linked = git.link(main, home / "feature")
    before = sorted((path, path.lstat().st_mtime_ns) for path in tmp_path.rglob("*"))
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from imprint.adapters.project_folders import RealProjectFolders\n"
        "def refuse(event, arguments):\n"
        "    if event.startswith(('subprocess.', 'os.system', 'os.exec', 'os.posix_spawn', 'os.fork')):\n"
        "        raise SystemExit(event)\n"
        "sys.addaudithook(refuse)\n"
        "print(RealProjectFolders(()).look_around(Path(sys.argv[1])).place)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", script, linked / "src"], env={"PATH": ""}, capture_output=True, text=True, check=False
    )

    assert (done.stdout, done.stderr, done.returncode) == (f"{pure(main / 'src')}\n", "", 0)
    assert sorted((path, path.lstat().st_mtime_ns) for path in tmp_path.rglob("*")) == before


def test_worktrees_that_name_each_other_in_a_circle_stand_for_themselves(tmp_path: Path):
    """Nobody's git makes this; it must end all the same."""
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, holder in ((one, two / "inner"), (two, one / "inner")):
        record = holder / ".git" / "worktrees" / "x"
        record.mkdir(parents=True)
        (holder / ".git" / "HEAD").touch()
        (record / "commondir").write_text("../..\n")
        (record / "gitdir").write_text(f"{folder / '.git'}\n")
        folder.mkdir(exist_ok=True)
        (folder / ".git").write_text(f"gitdir: {record}\n")
        for depth in range(1, 8):
            inner = folder.joinpath(*["inner"] * depth, ".git")
            inner.mkdir(parents=True, exist_ok=True)
            (inner / "HEAD").touch()

    assert find_worktree(pure(one), ()) is None
    assert find_worktree(pure(one / "inner"), ()) is None
