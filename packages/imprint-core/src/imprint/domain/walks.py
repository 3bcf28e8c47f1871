"""The walk from a directory up: where what decides its workspace may lie, and what was found there."""

from collections.abc import Iterable
from enum import StrEnum

import attrs

from imprint.domain.paths import ancestors, contains, depth, is_filesystem_root
from imprint.domain.project_files import FoundProjectFile
from imprint.domain.sources import CanonicalPath
from imprint.domain.worktrees import Worktree, stand_in

__all__ = ["DirectoryProblem", "Surroundings", "ends_walk", "walk_up"]


class DirectoryProblem(StrEnum):
    """Why a directory has no project, whatever lies around it."""

    UNDEFINED = "undefined"
    RELATIVE = "relative"
    DELETED = "deleted"
    UNREADABLE = "unreadable"


@attrs.frozen(kw_only=True)
class Surroundings:
    """A directory and what a walk found around it.

    Attributes:
        directory: Canonical; `None` when it is undefined or relative.
        worktree: The linked git worktree that the directory lies in.
        project_file: The nearest one in the walk from ``place``, valid or not.
        git_root: The nearest root of a git repository in that walk; need not be known beyond a nearer project file.
    """

    directory: CanonicalPath | None
    problem: DirectoryProblem | None = None
    worktree: Worktree | None = None
    project_file: FoundProjectFile | None = None
    git_root: CanonicalPath | None = None

    @property
    def place(self) -> CanonicalPath | None:
        """What the directory stands for: the same place in the main worktree, else itself. Roots are asked about it."""
        if self.directory is None or self.worktree is None:
            return self.directory
        return stand_in(self.directory, (self.worktree,))

    @property
    def project(self) -> CanonicalPath | None:
        """The nearest directory with a project file (valid or not) or a git root."""
        folders = [self.project_file.folder] if self.project_file else []
        folders += [self.git_root] if self.git_root else []
        return max(folders, key=depth, default=None)


def walk_up(start: CanonicalPath, homes: Iterable[CanonicalPath]) -> tuple[CanonicalPath, ...]:
    """The directory and its ancestors, nearest first, ending before the first that belongs to nobody's project.

    A file in a file-system root, a home or above a home would assign every directory beneath it, so the walk ends
    before the first of these. It is empty when the start is one of them.
    """
    homes = tuple(homes)
    steps: list[CanonicalPath] = []
    for directory in ancestors(start):
        if ends_walk(directory, homes):
            break
        steps.append(directory)
    return tuple(steps)


def ends_walk(directory: CanonicalPath, homes: Iterable[CanonicalPath]) -> bool:
    """Whether a directory is a file-system root, a home or an ancestor of a home."""
    return is_filesystem_root(directory) or any(contains(directory, home) for home in homes)
