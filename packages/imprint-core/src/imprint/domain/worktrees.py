"""Linked worktrees of git: which place in its main worktree a directory stands for.

A linked worktree holds a file ``.git`` that names its record, ``REPOSITORY/worktrees/ID``. The file came with the
directory and may name a stranger's repository, so it decides nothing: the record's own ``gitdir`` has to name the
directory back, and the main worktree has to hold the repository or to name it. Every step is the word of the side that
would give something away.
"""

from collections.abc import Iterable
from pathlib import PureWindowsPath

import attrs

from imprint.domain.paths import contains, depth, normalize_path, same_place
from imprint.domain.sources import CanonicalPath

__all__ = [
    "Worktree",
    "WorktreeFacts",
    "counterparts",
    "find_holding",
    "parse_pointer",
    "place_in",
    "stand_in",
    "verify_worktree",
]

_GIT = ".git"
_RECORDS = "worktrees"


@attrs.frozen(kw_only=True)
class Worktree:
    """A linked worktree that its repository vouches for: what lies in its folder stands for the same place in ``main``.

    Attributes:
        folder: Of the linked worktree.
        main: Of the main worktree.
    """

    folder: CanonicalPath
    main: CanonicalPath


@attrs.frozen(kw_only=True)
class WorktreeFacts:
    """What git's files say about a directory; every path canonical, `None` where a file is missing or says nothing.

    Attributes:
        folder: The directory, whose ``.git`` is a file.
        record: The folder that this file names.
        repository: The folder that the record's ``commondir`` names.
        named_back: The directory whose ``.git`` the record's ``gitdir`` names.
        is_bare: The repository has no main worktree.
        work_tree: The folder that the repository's configuration names as its main worktree, as submodules have it.
        work_tree_repository: The folder that the ``.git`` file of ``work_tree`` names.
    """

    folder: CanonicalPath
    record: CanonicalPath | None
    repository: CanonicalPath | None
    named_back: CanonicalPath | None
    is_bare: bool = False
    work_tree: CanonicalPath | None = None
    work_tree_repository: CanonicalPath | None = None


def parse_pointer(data: bytes, start: CanonicalPath, *, prefix: bytes = b"") -> CanonicalPath | None:
    """The path that a one-line file of git names, nothing of it resolved; `None` where it names none we would follow.

    On Windows another machine's share is none: looking at it would greet a server that a stranger chose.

    Args:
        data: The file's content.
        start: The folder that a relative path starts from.
        prefix: What the line has to begin with.
    """
    if not data.startswith(prefix):
        return None
    text = data.removeprefix(prefix).rstrip(b"\r\n").decode("utf-8", "surrogateescape")
    if not text or "\0" in text:
        return None
    path = normalize_path(start / text)
    if isinstance(path, PureWindowsPath):
        is_near = path.drive.lower() == normalize_path(start).drive.lower()
        if not path.root or (path.drive.startswith("\\\\") and not is_near):
            return None
    return path


def verify_worktree(facts: WorktreeFacts) -> Worktree | None:
    """Decide whether a directory is a linked worktree, and of which main one; `None` where either side does not say so.

    A repository without a main worktree gives none, nor does one that does not know where its main worktree is.
    """
    if facts.record is None or facts.repository is None or facts.named_back is None or facts.is_bare:
        return None
    is_registered = same_place(facts.record.parent, facts.repository / _RECORDS)
    if not is_registered or not same_place(facts.named_back, facts.folder):
        return None
    main = _find_main(facts, facts.repository)
    if main is None or same_place(main, facts.folder):
        return None
    return Worktree(folder=facts.folder, main=main)


def stand_in(path: CanonicalPath, worktrees: Iterable[Worktree]) -> CanonicalPath:
    """The place in a main worktree that a path in a linked one stands for; any other path stands for itself."""
    holding = find_holding(path, worktrees)
    return path if holding is None else _transfer(path, holding.folder, holding.main)


def find_holding(path: CanonicalPath, worktrees: Iterable[Worktree]) -> Worktree | None:
    """The innermost of some worktrees that a path lies in."""
    holding = (worktree for worktree in worktrees if contains(worktree.folder, path))
    return max(holding, key=lambda worktree: depth(worktree.folder), default=None)


def place_in(worktree: Worktree, path: CanonicalPath) -> CanonicalPath | None:
    """What of a linked worktree stands for a path in the main one: all of it where the path holds the main one."""
    if contains(worktree.main, path):
        return _transfer(path, worktree.main, worktree.folder)
    return worktree.folder if contains(path, worktree.main) else None


def counterparts(path: CanonicalPath, worktrees: Iterable[Worktree]) -> tuple[CanonicalPath, ...]:
    """Where else the same place lies: in the main worktree and in its other linked ones."""
    worktrees = tuple(worktrees)
    place = stand_in(path, worktrees)
    places = [place, *(found for worktree in worktrees if (found := place_in(worktree, place)) is not None)]
    return tuple(other for other in dict.fromkeys(places) if not contains(path, other))


def _find_main(facts: WorktreeFacts, repository: CanonicalPath) -> CanonicalPath | None:
    """The folder that holds the repository as its ``.git``, or the one it names and that names it."""
    holder = repository.parent if same_place(repository, repository.parent / _GIT) else None
    named = facts.work_tree
    if named is None or (holder is not None and same_place(named, holder)):
        return holder
    names_back = facts.work_tree_repository is not None and same_place(facts.work_tree_repository, repository)
    return named if names_back else None


def _transfer(path: CanonicalPath, source: CanonicalPath, target: CanonicalPath) -> CanonicalPath:
    """The same place below another folder."""
    return target.joinpath(*normalize_path(path).parts[len(normalize_path(source).parts) :])
