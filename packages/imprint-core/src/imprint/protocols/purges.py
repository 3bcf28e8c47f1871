"""Forgetting for good, as services see it: a store's part in it, and what is looked for afterwards."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import attrs

from imprint.domain.purge import Exclusion
from imprint.domain.purge_reports import PendingWork
from imprint.domain.purge_selections import Selection
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.worktrees import Worktree

__all__ = ["Deletion", "PurgeStore", "PurgeTargets", "StoreTraces", "TextSearch"]


@attrs.frozen(kw_only=True)
class Deletion:
    """A selection, and the rows that hang on it: in an enumeration those there are, in a purge those that went.

    Attributes:
        chunks: Number of chunks of the sources.
        vectors: Number of vectors of those chunks, whichever model made them.
        turns: Numbers of what was said in conversations among the sources.
    """

    selection: Selection
    chunks: int = 0
    vectors: int = 0
    turns: frozenset[int] = frozenset()


@attrs.frozen(kw_only=True)
class StoreTraces:
    """What is left of a target in a store, and the state of the work that follows a purge.

    Attributes:
        sources: Versions of matching sources, whether readers see them or not.
        facts: Facts drawn from them.
        full_text_fault: What SQLite finds wrong between the full-text index and the passages; empty where they agree.
        journal_bytes: Size of the journal.
        free_pages: Pages of the file that hold nothing.
        unlisted_files: Files below ``index/`` that belong to no published generation.
        purges: How many purges there were; the numbers below count up to it.
        scrubbed: The last purge after which the file was written anew.
        emptied: The last purge after which the journal was emptied.
    """

    sources: int
    facts: int
    full_text_fault: str
    journal_bytes: int
    free_pages: int
    unlisted_files: tuple[str, ...]
    purges: int
    scrubbed: int
    emptied: int


class PurgeStore(Protocol):
    """What a store does for a purge."""

    def enumerate_target(self, exclusion: Exclusion) -> Deletion:
        """What a purge would take, as readers see it; changes nothing."""
        ...

    def purge(self, exclusion: Exclusion) -> Deletion:
        """Delete what an exclusion covers, versions that nobody sees yet or any more included, in one transaction.

        The store's write lock alone is taken. What went is counted but for versions that were replaced or given up
        already. The work that follows is recorded as pending in the same transaction.

        Raises:
            WorkspaceDeletedError: The workspace was deleted meanwhile.
        """
        ...

    def unfinished_purges(self) -> tuple[PendingWork, ...]:
        """What is still to be done after purges; cheap enough to ask at every opening."""
        ...

    def finish_purges(self, *, patience_seconds: float = 0) -> None:
        """Do what is pending, the workspace's lock being held.

        Never fails because of what others do, a reader with a snapshot, a full disk: what could not be done stays
        pending.
        """
        ...

    def find_traces(self, exclusion: Exclusion) -> StoreTraces:
        """Look for what is left; reads the whole full-text index, and changes nothing."""
        ...

    def holds_text(self, text: str) -> bool:
        """Whether a stored passage or fact has this text inside; scans them."""
        ...


class PurgeTargets(Protocol):
    """Targets of a purge on this device's file system."""

    def canonical(self, target: str) -> CanonicalPath | None:
        """The place of an absolute path of this system, links resolved; `None` where the target is none.

        Of a path that is gone the longest existing prefix is resolved.
        """
        ...

    def is_folder(self, path: CanonicalPath) -> bool: ...

    def find_worktree(self, path: CanonicalPath) -> Worktree | None:
        """The linked git worktree that a place lies in."""
        ...

    def texts(self, path: CanonicalPath) -> Iterator[tuple[str, str]]:
        """Path and text of the file, or of the files below the folder, if they exist; empty where it is not UTF-8."""
        ...


class TextSearch(Protocol):
    """Looks for texts in files, byte for byte."""

    def find(self, workspace: WorkspaceName, texts: Sequence[str]) -> Sequence[tuple[str, str]]:
        """Texts with the file of the data folder each is in; the folders of other workspaces are left out."""
        ...
