"""Purge: what was forgotten for good stays out."""

from collections.abc import Collection, Iterable
from functools import lru_cache

import attrs

from imprint.domain.paths import contains, parse_path, same_place
from imprint.domain.sources import CanonicalPath, Source, WorkspaceName
from imprint.domain.worktrees import Worktree, counterparts
from imprint.errors import InvalidPathError

__all__ = [
    "Exclusion",
    "extend_exclusion",
    "is_excluded",
    "is_key_excluded",
    "keep_out_conversations",
    "keep_out_parts",
    "path_of",
]


@attrs.frozen(kw_only=True)
class Exclusion:
    """A purged target that may not come back into a workspace.

    Attributes:
        target: A canonical path as text, or a logical source key.
        recursive: Covers what lies below: of a path by components, of a key what begins with it and a ``/``.
        elsewhere: The same place in other worktrees of its git repository; covered likewise.
        conversations: Keys of the conversations that the place held; covered whichever file they come from, since
            clients move transcripts, and a newer export holds what the one before held.
    """

    workspace: WorkspaceName
    target: str
    recursive: bool
    added_at: str
    elsewhere: tuple[CanonicalPath, ...] = ()
    conversations: frozenset[str] = frozenset()


def extend_exclusion(exclusion: Exclusion, worktrees: Iterable[Worktree]) -> Exclusion:
    """The exclusion of a place covers it in all worktrees: in the main one and in every linked one that is known."""
    path = path_of(exclusion.target)
    return exclusion if path is None else attrs.evolve(exclusion, elsewhere=counterparts(path, worktrees))


def keep_out_conversations(exclusion: Exclusion, held: Iterable[tuple[str, str]]) -> Exclusion:
    """The exclusion of a place covers the conversations that it holds.

    Args:
        held: Conversations: the path of the file that one was learned from, and its key.
    """
    keys = {key for path, key in held if _covers(exclusion, path)}
    return attrs.evolve(exclusion, conversations=exclusion.conversations | keys)


def keep_out_parts(exclusion: Exclusion, parts: Collection[tuple[str, str]]) -> Exclusion:
    """The exclusion of a conversation covers what subagents did for it, and for those.

    Args:
        parts: The key of a conversation, and that of a subagent's part of it.
    """
    while more := {part for whole, part in parts if _covers(exclusion, whole) and not _covers(exclusion, part)}:
        exclusion = attrs.evolve(exclusion, conversations=exclusion.conversations | more)
    return exclusion


def is_excluded(source: Source, exclusions: Iterable[Exclusion]) -> bool:
    """Whether any of a workspace's exclusions keeps a source out: by its path, its key or what it was drawn from."""
    return any(
        _covers(exclusion, source.key)
        or (source.origin != "" and _covers(exclusion, source.origin))
        or (source.path is not None and _covers_path(exclusion, source.path))
        for exclusion in exclusions
    )


def is_key_excluded(key: str, exclusions: Iterable[Exclusion]) -> bool:
    """Whether any of a workspace's exclusions covers a logical key or a canonical path as text."""
    return any(_covers(exclusion, key) for exclusion in exclusions)


def _covers(exclusion: Exclusion, key: str) -> bool:
    if key == exclusion.target or key in exclusion.conversations:
        return True
    if exclusion.recursive and key.startswith(exclusion.target.rstrip("/") + "/"):
        return True
    path = path_of(key)
    return path is not None and _covers_path(exclusion, path)


def _covers_path(exclusion: Exclusion, path: CanonicalPath) -> bool:
    target = path_of(exclusion.target)
    if target is None:
        return False
    covers = contains if exclusion.recursive else same_place
    return any(covers(place, path) for place in (target, *exclusion.elsewhere))


@lru_cache(maxsize=4096)
def path_of(key: str) -> CanonicalPath | None:
    """The absolute path that a key or target is, or `None` for a logical one."""
    try:
        return parse_path(key)
    except InvalidPathError:
        return None
