"""Hypothesis strategies for what the core decides about: names, paths, roots, surroundings, facts and claims.

Alphabets are small on purpose. Paths that meet, siblings whose names begin alike and workspaces that tie are what
rules break on, and random long texts never collide.
"""

from pathlib import PurePosixPath, PureWindowsPath

import attrs
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from imprint.domain.claims import Claims
from imprint.domain.names import LONGEST_NAME, find_name_fault
from imprint.domain.project_files import FoundProjectFile, ProjectFileFault
from imprint.domain.resolution import Facts
from imprint.domain.roots import Root
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.walks import DirectoryProblem, Surroundings
from imprint.domain.worktrees import Worktree
from imprint.plugins.clients import ClientHome

__all__ = [
    "canonical_paths",
    "claims",
    "facts",
    "found_project_files",
    "home_places",
    "posix_paths",
    "roots",
    "surroundings",
    "windows_paths",
    "windows_spellings",
    "workspace_names",
    "worktrees",
]

_COMPONENTS = ("a", "b", "ab", "app", "app2", "App", "ü", "x y", ".imprint", "…")
_WINDOWS_ANCHORS = ("C:\\", "D:\\", "\\\\host\\share\\", "\\\\wsl.localhost\\Debian\\")
_FEW_NAMES = ("default", "acme", "lab", "zoo")


def workspace_names() -> SearchStrategy[WorkspaceName]:
    """Every valid name, the short ones first."""
    first = "abcdefghijklmnopqrstuvwxyz0123456789"
    later = st.text(alphabet=first + "-", max_size=LONGEST_NAME - 1)
    names = st.builds(lambda head, tail: head + tail, st.sampled_from(first), later)
    return names.filter(lambda name: find_name_fault(name) is None).map(WorkspaceName)


def posix_paths(*, max_depth: int = 5) -> SearchStrategy[PurePosixPath]:
    """Canonical POSIX paths that often contain one another."""
    return _components(max_depth).map(lambda parts: PurePosixPath("/", *parts))


def windows_paths(*, max_depth: int = 5) -> SearchStrategy[PureWindowsPath]:
    """Canonical Windows paths on drives, shares and WSL distributions."""
    return st.builds(
        lambda anchor, parts: PureWindowsPath(anchor, *parts), st.sampled_from(_WINDOWS_ANCHORS), _components(max_depth)
    )


def canonical_paths(*, max_depth: int = 5) -> SearchStrategy[CanonicalPath]:
    """Of either flavour."""
    return posix_paths(max_depth=max_depth) | windows_paths(max_depth=max_depth)


def home_places(home: ClientHome, *, max_depth: int = 5) -> SearchStrategy[CanonicalPath]:
    """Paths as programs of a home call them: ordinary ones, drives, and names that other systems lack.

    Now and then one of the other flavour, or one that is not in its plain form.
    """
    if home.system == "windows":
        return (
            canonical_paths(max_depth=max_depth) | _spelled_windows_paths() | st.builds(PureWindowsPath, _odd_texts())
        )
    drives = st.sampled_from(("mnt/c", "mnt/d", "mnt/C", "mnt/wsl", "c", "win/c"))
    on_drives = st.builds(lambda drive, parts: PurePosixPath("/", drive, *parts), drives, _components(max_depth))
    odd = st.builds(lambda path, name: path / name, posix_paths(max_depth=2), _odd_texts())
    return canonical_paths(max_depth=max_depth) | on_drives | odd | st.builds(PurePosixPath, _odd_texts())


def _spelled_windows_paths() -> SearchStrategy[PureWindowsPath]:
    return windows_paths().flatmap(windows_spellings).map(PureWindowsPath)


def _odd_texts() -> SearchStrategy[str]:
    names = (
        "a:b",
        "a.",
        "a ",
        "nul",
        "CON.txt",
        "a\\b",
        "a*",
        "..",
        "",
        "//x",
        "\\\\.\\x",
        "C:x",
        "~",
        "a\0b",
        "a\udcff",
    )
    return st.sampled_from(names) | st.text(max_size=6)


@st.composite
def windows_spellings(draw: st.DrawFn, path: PureWindowsPath) -> str:
    """Any text that Windows takes for a path: other case, other slashes, the extended form, the other WSL host."""
    text = str(path)
    if text.startswith("\\\\wsl.localhost\\") and draw(st.booleans()):
        text = text.replace("wsl.localhost", "wsl$", 1)
    if draw(st.booleans()):
        text = text.swapcase()
    if draw(st.booleans()):
        text = "\\\\?\\UNC" + text[1:] if text.startswith("\\\\") else "\\\\?\\" + text
    elif not text.startswith("\\\\") and draw(st.booleans()):
        text = text.replace("\\", "/")
    if draw(st.booleans()):
        text += text[2] if text[1] == ":" else "\\"
    return text


def roots(paths: SearchStrategy[CanonicalPath] | None = None) -> SearchStrategy[Root]:
    """Roots of few workspaces, so that several workspaces share a folder."""
    return st.builds(Root, workspace=_few_names(), path=posix_paths(max_depth=4) if paths is None else paths)


def found_project_files(folders: SearchStrategy[CanonicalPath]) -> SearchStrategy[FoundProjectFile]:
    """Valid and invalid ones."""
    return st.builds(FoundProjectFile, folders, _few_names() | st.sampled_from(ProjectFileFault))


def worktrees(*, near: CanonicalPath) -> SearchStrategy[Worktree]:
    """Linked worktrees, many of which hold a path; its main worktree is of the same flavour."""
    same_flavour = posix_paths() if isinstance(near, PurePosixPath) else windows_paths()
    return st.builds(Worktree, folder=st.sampled_from((near, *near.parents)) | same_flavour, main=same_flavour)


@st.composite
def surroundings(draw: st.DrawFn) -> Surroundings:
    """A directory with what lies above it, or one that cannot be looked at."""
    directory = draw(st.none() | canonical_paths())
    if directory is None or draw(st.integers(0, 5)) == 0:
        return Surroundings(directory=directory, problem=draw(st.sampled_from(DirectoryProblem)))
    around = Surroundings(directory=directory, worktree=draw(st.none() | worktrees(near=directory)))
    place = around.place or directory
    above = st.sampled_from((place, *place.parents))
    return attrs.evolve(
        around,
        project_file=draw(st.none() | found_project_files(above)),
        git_root=draw(st.none() | above),
    )


@st.composite
def facts(draw: st.DrawFn) -> Facts:
    """Facts in which every source of a decision is often present, and often wrong."""
    around = draw(surroundings())
    place = around.place
    near = st.sampled_from((place, *place.parents)) if place is not None else canonical_paths()
    workspaces = draw(st.sets(_few_names(), min_size=1).map(sorted))
    names = st.sampled_from(["", "", "", *_FEW_NAMES, "ACME", "unknown"])
    return Facts(
        surroundings=around,
        workspaces=tuple(workspaces),
        active=draw(st.sampled_from(workspaces)),
        roots=tuple(draw(st.lists(roots(near | canonical_paths()), max_size=6))),
        explicit=draw(names),
        environment=draw(names),
        is_session=draw(st.booleans()),
        unassigned=draw(names),
    )


@st.composite
def claims(draw: st.DrawFn, directories: tuple[CanonicalPath, ...] = ()) -> Claims:
    """What a device says about some directories."""
    found = {
        directory: draw(found_project_files(st.sampled_from((directory, *directory.parents))))
        for directory in directories
        if draw(st.booleans())
    }
    near = [place for directory in directories for place in (directory, *directory.parents)]
    paths = st.sampled_from(near) | canonical_paths() if near else canonical_paths()
    return Claims(
        roots=tuple(draw(st.lists(roots(paths), max_size=6))),
        project_files=found,
        vanished=draw(st.frozensets(st.sampled_from(directories))) if directories else frozenset(),
        inbox=draw(st.sampled_from(["", "", *_FEW_NAMES])),
    )


def _components(max_depth: int) -> SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(_COMPONENTS), max_size=max_depth)


def _few_names() -> SearchStrategy[WorkspaceName]:
    return st.sampled_from(_FEW_NAMES).map(WorkspaceName)
