"""Linked git worktrees on a real file system: git's small files are read, and `imprint.domain.worktrees` decides.

Nothing found here is trusted. A file that is a link, a named pipe or larger than it has to be says nothing.
"""

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path

from imprint.adapters.canonical_paths import canonical_path
from imprint.adapters.project_files import is_git_root
from imprint.adapters.small_files import read_small_file
from imprint.domain.git_files import is_set, parse_config
from imprint.domain.sources import CanonicalPath
from imprint.domain.walks import ends_walk, walk_up
from imprint.domain.worktrees import Worktree, WorktreeFacts, parse_pointer, stand_in, verify_worktree
from imprint.errors import InvalidPathError

__all__ = ["find_worktree", "is_really_there"]

_POINTER_BYTES = 16_384
_CONFIG_BYTES = 1_048_576
_HOPS = 4
"""A main worktree may be a submodule that lies in a linked one itself; nobody goes on like that for long."""


def find_worktree(start: CanonicalPath, homes: Iterable[CanonicalPath]) -> Worktree | None:
    """The linked worktree that a directory lies in, if a walk finds one.

    A repository nested in the worktree stands for the one at the same place in the main worktree. Where there is none,
    it is no part of the worktree and stands for itself. A main worktree that is a home, or above one, stands for
    nothing: a home is nobody's project.
    """
    homes = tuple(homes)
    found = _find_nearest(walk_up(start, homes))
    for _ in range(_HOPS):
        if found is None or ends_walk(found.main, homes):
            return None
        farther = _find_nearest(walk_up(found.main, homes))
        if farther is None:
            return found
        found = Worktree(folder=found.folder, main=stand_in(found.main, (farther,)))
    return None


def is_really_there(place: CanonicalPath) -> bool:
    """Whether no link leads elsewhere on the way to the place that a directory stands for.

    Branches differ: what is a folder in one worktree may be a link in another, and a link in a repository must not
    choose what its folders stand for.
    """
    return _canonical(place) == place


def _find_nearest(steps: Sequence[CanonicalPath]) -> Worktree | None:
    nested: CanonicalPath | None = None
    for folder in steps:
        mode = _mode_of(folder / ".git")
        if mode and stat.S_ISREG(mode) and (worktree := _read_worktree(folder)):
            return None if nested and not _is_repository(stand_in(nested, (worktree,))) else worktree
        if mode and nested is None and is_git_root(folder):
            nested = folder
    return None


def _is_repository(place: CanonicalPath) -> bool:
    return is_really_there(place) and is_git_root(place)


def _read_worktree(folder: CanonicalPath) -> Worktree | None:
    record = _follow(folder / ".git", prefix=b"gitdir: ")
    if record is None:
        return None
    repository = _follow(record / "commondir")
    named_back = _follow(record / "gitdir", parent_of=".git")
    if repository is None or named_back is None:
        return None
    config = _read_config(repository)
    named = config.get("core.worktree", "").encode("utf-8", "surrogateescape")
    work_tree = _canonical(parse_pointer(named, repository))
    return verify_worktree(
        WorktreeFacts(
            folder=folder,
            record=record,
            repository=repository,
            named_back=named_back,
            is_bare=is_set(config, "core.bare"),
            work_tree=work_tree,
            work_tree_repository=_follow(work_tree / ".git", prefix=b"gitdir: ") if work_tree else None,
        )
    )


def _read_config(repository: CanonicalPath) -> dict[str, str]:
    """The settings of a repository's main worktree."""
    config = parse_config(read_small_file(Path(repository, "config"), limit=_CONFIG_BYTES) or b"")
    if is_set(config, "extensions.worktreeconfig"):
        config |= parse_config(read_small_file(Path(repository, "config.worktree"), limit=_CONFIG_BYTES) or b"")
    return config


def _follow(file: CanonicalPath, *, prefix: bytes = b"", parent_of: str = "") -> CanonicalPath | None:
    """The place that a one-line file names, or the folder of the file of this name that it names."""
    mode = _mode_of(file)
    if not mode or not stat.S_ISREG(mode):
        return None
    data = read_small_file(Path(file), limit=_POINTER_BYTES, follow=False)
    named = parse_pointer(data, file.parent, prefix=prefix) if data else None
    if named is None or not parent_of:
        return _canonical(named)
    return _canonical(named.parent) if named.name == parent_of else None


def _canonical(path: CanonicalPath | None) -> CanonicalPath | None:
    try:
        return canonical_path(Path(path)) if path is not None else None
    except InvalidPathError:
        return None


def _mode_of(path: CanonicalPath) -> int:
    """What lies at a path, links not followed; 0 for nothing."""
    try:
        return os.lstat(path).st_mode
    except (OSError, ValueError):
        return 0
