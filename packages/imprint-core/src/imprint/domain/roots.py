"""Approved roots: what a device has allowed into a workspace."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

import attrs

from imprint.domain.paths import contains, depth, is_filesystem_root
from imprint.domain.sources import CanonicalPath, WorkspaceName

__all__ = [
    "Admission",
    "Root",
    "RootRefusal",
    "admits",
    "deepest_roots",
    "explain_root_refusal",
    "find_root_refusal",
    "overlapping_roots",
    "roots_containing",
]


@attrs.frozen(kw_only=True)
class Root:
    """A folder approved for a workspace on this device.

    Attributes:
        path: Canonical.
        how: What approved it: ``roots-add``, ``first-ingest``, ``use``, ``use-workspace``.
        added_at: UTC ISO 8601 with ``Z``.
    """

    workspace: WorkspaceName
    path: CanonicalPath
    how: str = "roots-add"
    added_at: str = ""


class Admission(StrEnum):
    """Whether a workspace takes a target in."""

    INSIDE = "inside"
    FIRST = "first"
    OUTSIDE = "outside"


class RootRefusal(StrEnum):
    """Why a folder is too wide to be a root."""

    FILESYSTEM_ROOT = "filesystem-root"
    HOME = "home"
    ABOVE_HOME = "above-home"


_EXPLANATIONS = {
    RootRefusal.FILESYSTEM_ROOT: "it is a file-system root and holds everything",
    RootRefusal.HOME: "it is a home directory and holds every project",
    RootRefusal.ABOVE_HOME: "a home directory lies in it",
}


def admits(target: CanonicalPath, roots: Sequence[Root]) -> Admission:
    """Decide whether a target may be ingested, given the roots of **one** workspace.

    A workspace without roots takes its first target in by binding it; sharing confirmed never stands for a root.
    """
    if not roots:
        return Admission.FIRST
    return Admission.INSIDE if roots_containing(target, roots) else Admission.OUTSIDE


def roots_containing(path: CanonicalPath, roots: Iterable[Root]) -> tuple[Root, ...]:
    """The roots that are this path or lie above it."""
    return tuple(root for root in roots if contains(root.path, path))


def deepest_roots(path: CanonicalPath, roots: Iterable[Root]) -> tuple[Root, ...]:
    """The most specific of the roots that contain a path: more than one when several workspaces share that folder."""
    containing = roots_containing(path, roots)
    deepest = max((depth(root.path) for root in containing), default=0)
    return tuple(root for root in containing if depth(root.path) == deepest)


def overlapping_roots(root: Root, roots: Iterable[Root]) -> tuple[Root, ...]:
    """The roots of other workspaces that contain this one, equal it or lie in it."""
    return tuple(
        other
        for other in roots
        if other.workspace != root.workspace and (contains(other.path, root.path) or contains(root.path, other.path))
    )


def find_root_refusal(path: CanonicalPath, homes: Iterable[CanonicalPath]) -> RootRefusal | None:
    """Tell why a folder is too wide to be a root, or `None`."""
    if is_filesystem_root(path):
        return RootRefusal.FILESYSTEM_ROOT
    holding = [home for home in homes if contains(path, home)]
    if not holding:
        return None
    return RootRefusal.HOME if any(contains(home, path) for home in holding) else RootRefusal.ABOVE_HOME


def explain_root_refusal(refusal: RootRefusal) -> str:
    """Say why, as the second half of a sentence."""
    return _EXPLANATIONS[refusal]
