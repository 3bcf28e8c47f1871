"""The walk: which directories may hold what decides a directory's workspace."""

from collections.abc import Iterable

from imprint.domain.paths import ancestors, contains, is_filesystem_root
from imprint.domain.sources import CanonicalPath

__all__ = ["ends_walk", "walk_up"]


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
