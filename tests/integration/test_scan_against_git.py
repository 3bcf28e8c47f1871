"""What a scan finds in a repository is what git would list: tracked, and untracked but not ignored."""

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imprint.adapters.files import RealFileTree
from imprint.protocols.files import FoundFile

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

FOLDERS = ["", "a/", "b/", "a/b/", "a/b/a/", "out/", "a/out/", "é/"]
FILES = ["x.py", "y.log", "a.txt", "out.txt", "é.py", "note"]
RULES = [
    "*.log",
    "out/",
    "/a",
    "a/b",
    "!x.py",
    "!*.log",
    "out",
    "a/**/x.py",
    "**/b",
    "*",
    "!*/",
    "[xy].*",
    "?.py",
    "!/a/b",
]

paths = st.builds("{}{}".format, st.sampled_from(FOLDERS), st.sampled_from(FILES))
rule_files = st.dictionaries(
    st.sampled_from(FOLDERS), st.lists(st.sampled_from(RULES), min_size=1, max_size=3), max_size=3
)


class Home:
    """A user's home with a configuration of git, kept apart from the machine's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.environ = {"HOME": str(folder), "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1"}

    def git(self, *arguments: str | Path, cwd: Path) -> bytes:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always"]
        done = subprocess.run(["git", *who, *arguments], cwd=cwd, env=self.environ, capture_output=True, check=True)
        return done.stdout

    def scan(self, folder: Path) -> set[str]:
        tree = RealFileTree(homes=(), environ={"XDG_CONFIG_HOME": str(self.folder / ".config")})
        found = [entry for entry in tree.scan(tree.canonical(folder)) if isinstance(entry, FoundFile)]
        assert [entry.path for entry in found] == list(dict.fromkeys(entry.path for entry in found))
        return {os.path.relpath(entry.path, folder.resolve()).replace(os.sep, "/") for entry in found}

    def listed(self, folder: Path) -> set[str]:
        """What git lists and is there; git's own files and folders of other repositories left out."""
        answer = self.git("ls-files", "-co", "--exclude-standard", "-z", cwd=folder)
        names = {os.fsdecode(name) for name in answer.split(b"\0") if name}
        return {name for name in names if (folder / name).is_file() and (folder / name).stat().st_size}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def repository(home: Home, tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    home.git("init", "-q", str(folder), cwd=tmp_path)
    return folder


def write(folder: Path, *names: str, text: str = "text\n") -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@given(
    files=st.sets(paths, min_size=4, max_size=12),
    tracked=st.sets(paths, max_size=5),
    rules=rule_files,
    excludes=st.lists(st.sampled_from(RULES), max_size=2),
    user_rules=st.lists(st.sampled_from(RULES), max_size=2),
    version=st.sampled_from(["2", "4"]),
    start=st.sampled_from(["", "a", "a/b"]),
)
@settings(max_examples=40, deadline=None)
def test_generated_repositories_are_scanned_as_git_lists_them(
    files: set[str],
    tracked: set[str],
    rules: dict[str, list[str]],
    excludes: list[str],
    user_rules: list[str],
    version: str,
    start: str,
) -> None:
    with TemporaryDirectory() as temporary:
        home, folder = Home(Path(temporary, "home")), Path(temporary, "repository")
        home.git("init", "-q", str(folder), cwd=Path(temporary))
        write(folder, *files, *tracked)
        write(home.folder, ".config/git/ignore", text="\n".join(user_rules))
        write(folder, ".git/info/exclude", text="\n".join(excludes))
        home.git("update-index", "--index-version", version, cwd=folder)
        if tracked:
            home.git("add", "-f", *sorted(tracked), cwd=folder)
        for place, lines in rules.items():
            write(folder, f"{place}.gitignore", text="\n".join(lines))
        beginning = folder / start
        if not beginning.is_dir() or is_ignored(home, folder, start):
            return

        assert home.scan(beginning) == home.listed(beginning)


def is_ignored(home: Home, folder: Path, start: str) -> bool:
    """A folder that is asked for is scanned even where git would not look into it."""
    if not start:
        return False
    done = subprocess.run(["git", "check-ignore", "--no-index", "-q", start], cwd=folder, env=home.environ, check=False)
    return done.returncode == 0


def test_a_tracked_file_is_found_although_a_rule_ignores_it(home: Home, repository: Path) -> None:
    write(repository, "build/kept.py", "build/made.py", "deep/er/build/kept.py")
    home.git("add", "build/kept.py", "deep/er/build/kept.py", cwd=repository)
    write(repository, ".gitignore", text="build/\n")

    assert home.scan(repository) == {".gitignore", "build/kept.py", "deep/er/build/kept.py"}


def test_a_file_marked_as_to_be_added_counts_as_tracked(home: Home, repository: Path) -> None:
    """``git add -N`` writes an index of version 3, whose entries are longer."""
    write(repository, "first.log", "second.log", "third.log")
    write(repository, ".gitignore", text="*.log\n")
    home.git("add", "-f", "first.log", cwd=repository)
    home.git("add", "-f", "-N", "second.log", cwd=repository)
    assert (repository / ".git/index").read_bytes()[7] == 3

    assert home.scan(repository) == home.listed(repository) == {".gitignore", "first.log", "second.log"}


@pytest.mark.parametrize("damage", ["cut", "foreign", "split"])
def test_an_index_that_cannot_be_read_leaves_the_ignore_rules(home: Home, repository: Path, damage: str) -> None:
    write(repository, "a.py", "a.log")
    write(repository, ".gitignore", text="*.log\n")
    home.git("add", "-f", "a.log", cwd=repository)
    index = repository / ".git/index"
    if damage == "split":
        home.git("update-index", "--split-index", cwd=repository)
    else:
        index.write_bytes(index.read_bytes()[:40] if damage == "cut" else b"nonsense" * 20)

    assert home.scan(repository) == {".gitignore", "a.py"}


def test_a_repository_of_sha256_ids_is_read(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "sha256"
    home.git("init", "-q", "--object-format=sha256", str(folder), cwd=tmp_path)
    write(folder, "kept.log", "other.log")
    home.git("add", "-f", "kept.log", cwd=folder)
    write(folder, ".gitignore", text="*.log\n")

    assert home.scan(folder) == home.listed(folder) == {".gitignore", "kept.log"}


def test_a_linked_worktree_obeys_the_excludes_of_its_main_repository(
    home: Home, repository: Path, tmp_path: Path
) -> None:
    write(repository, "a.py")
    home.git("add", "a.py", cwd=repository)
    home.git("commit", "-q", "-m", "first", cwd=repository)
    worktree = tmp_path / "worktree"
    home.git("worktree", "add", "-q", str(worktree), cwd=repository)
    write(repository, ".git/info/exclude", text="*.private\nkept.*\n")
    write(worktree, "b.private", "kept.py", "c.py")
    home.git("add", "-f", "kept.py", cwd=worktree)

    assert home.scan(worktree) == home.listed(worktree) == {"a.py", "c.py", "kept.py"}


@pytest.mark.parametrize("file", [".gitconfig", ".config/git/config"])
def test_the_users_excludes_file_is_obeyed_wherever_it_is_configured(home: Home, repository: Path, file: str) -> None:
    write(home.folder, file, text="[core]\n\texcludesFile = ~/my.ignore ; mine\n")
    write(home.folder, "my.ignore", text="*.tmp\n")
    write(repository, "a.py", "a.tmp")
    tree = RealFileTree(homes=[RealFileTree(homes=(), environ={}).canonical(home.folder)], environ={})

    names = {Path(entry.path).name for entry in tree.scan(tree.canonical(repository)) if isinstance(entry, FoundFile)}

    assert names == home.listed(repository) == {"a.py"}


def test_a_submodule_is_scanned_by_its_own_rules_and_index(home: Home, repository: Path, tmp_path: Path) -> None:
    library = tmp_path / "library"
    home.git("init", "-q", str(library), cwd=tmp_path)
    write(library, "lib.py", "tracked.log")
    write(library, ".gitignore", text="*.log\n")
    home.git("add", "-f", ".", cwd=library)
    home.git("commit", "-q", "-m", "first", cwd=library)
    home.git("submodule", "add", "-q", str(library), "vendored", cwd=repository)
    write(repository, ".gitignore", text="vendored/\n*.py\n")
    write(repository, "vendored/new.py", "vendored/new.log")

    found = {name for name in home.scan(repository) if name.startswith("vendored/")}

    assert found == {f"vendored/{name}" for name in home.listed(repository / "vendored")}
    assert found == {"vendored/.gitignore", "vendored/lib.py", "vendored/tracked.log", "vendored/new.py"}


def test_an_ignored_repository_inside_another_is_left_alone(home: Home, repository: Path) -> None:
    home.git("init", "-q", str(repository / "nested"), cwd=repository)
    write(repository, "nested/a.py", "b.py")
    write(repository, ".gitignore", text="nested\n")

    assert home.scan(repository) == {".gitignore", "b.py"}


def test_a_name_that_differs_only_in_case_is_ignored_where_git_ignores_case(home: Home, repository: Path) -> None:
    home.git("config", "core.ignoreCase", "true", cwd=repository)
    write(repository, "A.LOG", "b.py")
    write(repository, ".gitignore", text="*.log\n")

    assert home.scan(repository) == home.listed(repository) == {".gitignore", "b.py"}


@pytest.fixture(autouse=True)
def _no_repository_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
