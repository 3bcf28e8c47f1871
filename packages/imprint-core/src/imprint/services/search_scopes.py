"""What a search that found nothing looked through: nothing at all, or a project that no source has."""

from collections.abc import Iterable
from contextlib import ExitStack
from difflib import get_close_matches

import attrs

from imprint.domain.sources import WorkspaceName
from imprint.protocols.stores import StoreOpener, WorkspaceStore

__all__ = ["SearchScope", "describe_scope"]

_MOST_NEAREST = 3


@attrs.frozen(kw_only=True)
class SearchScope:
    """Where nothing could be found, whatever was asked.

    Attributes:
        is_empty: Nothing is indexed in any of the workspaces.
        unknown_project: The project that was asked for, where no source has it; else empty.
        nearest_projects: Those that it may have meant, the nearest first.
    """

    is_empty: bool = False
    unknown_project: str = ""
    nearest_projects: tuple[str, ...] = ()


def describe_scope(stores: StoreOpener, workspaces: Iterable[WorkspaceName], *, project: str = "") -> SearchScope:
    """Say whether a search in these workspaces, of this project if one is named, could find anything.

    Raises:
        StoreError: A store cannot be read.
    """
    with ExitStack() as stack:
        opened = [stack.enter_context(stores.open(name)) for name in workspaces if stores.exists(name)]
        if not any(store.chunk_count() for store in opened):
            return SearchScope(is_empty=True)
        if not project or any(_has_project(store, project) for store in opened):
            return SearchScope()
        known = {stored.source.project for store in opened for stored in store.sources()} - {""}
        by_folded = {name.casefold(): name for name in sorted(known)}
        nearest = get_close_matches(project.casefold(), by_folded, n=_MOST_NEAREST)
    return SearchScope(unknown_project=project, nearest_projects=tuple(by_folded[name] for name in nearest))


def _has_project(store: WorkspaceStore, project: str) -> bool:
    return next(store.sources(project=project), None) is not None
