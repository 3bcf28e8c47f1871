"""The project a folder belongs to, found by the manifests around it."""

import os

from imprint.adapters.small_files import read_small_file
from imprint.adapters.worktrees import find_worktree
from imprint.domain.paths import contains
from imprint.domain.projects import find_manifests, parse_project_name
from imprint.domain.sources import CanonicalPath

__all__ = ["find_project_name", "list_names"]

_MANIFEST_BYTES = 262_144


def find_project_name(folder: CanonicalPath, *, root: CanonicalPath) -> str:
    """The name in the nearest manifest that gives one, else the folder of the repository, else the root's.

    Looked for from the folder up, no higher than the root and no higher than the repository's top.
    """
    for place in (folder, *folder.parents):
        if not contains(root, place):
            break
        names = list_names(str(place))
        for manifest in find_manifests(names):
            data = read_small_file(str(place / manifest), limit=_MANIFEST_BYTES, follow=False)
            if data and (name := parse_project_name(manifest, data)):
                return name
        if ".git" in names:
            # A linked worktree's folder is named after a branch or a task, not after the project.
            worktree = find_worktree(place, ())
            return str((worktree.main if worktree else place).name)
    return str(root.name)


def list_names(folder: str) -> frozenset[str]:
    """The names in a folder; none where it cannot be listed."""
    try:
        return frozenset(os.listdir(folder))  # noqa: PTH208 (names are wanted, not paths)
    except OSError:
        return frozenset()
