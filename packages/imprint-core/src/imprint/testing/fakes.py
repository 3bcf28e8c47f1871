"""Fakes: protocols met in memory, for tests of whatever stands above them.

They keep the promises of their protocols; the same contract tests run on them and on the real ones.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, tzinfo

import attrs

from imprint.domain.names import DEFAULT_WORKSPACE, nearest_name
from imprint.domain.paths import contains, same_place
from imprint.domain.purge import Exclusion, extend_exclusion
from imprint.domain.roots import Root, overlapping_roots
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.worktrees import Worktree
from imprint.errors import (
    LockHeldError,
    ProtectedWorkspaceError,
    RootOverlapError,
    UnknownRootError,
    UnknownWorkspaceError,
)
from imprint.protocols.locks import LockHolder
from imprint.protocols.registry import ProjectAssignment, RootAddition, WorkspaceRecord

__all__ = ["FixedClock", "MemoryLocks", "MemoryRegistry", "MemorySettings", "MemoryWorkspaceFiles"]


@attrs.define
class FixedClock:
    """A `Clock` that a test moves by hand."""

    moment: str = "2026-01-02T03:04:05.678Z"
    seconds: float = 0.0

    def now(self) -> str:
        return self.moment

    def monotonic(self) -> float:
        return self.seconds

    def zone(self) -> tzinfo:
        return UTC


@attrs.define
class MemorySettings:
    """`WorkspaceSettings` in memory."""

    unassigned: str = ""
    inbox: str = ""

    def forget_workspace(self, name: WorkspaceName) -> tuple[str, ...]:
        forgotten = [key for key in ("unassigned", "inbox") if getattr(self, key) == name]
        for key in forgotten:
            setattr(self, key, "")
        return tuple(f"workspace.{key}" for key in forgotten)


@attrs.define
class MemoryWorkspaceFiles:
    """`WorkspaceFiles` in memory: the names of those that have files."""

    names: set[WorkspaceName] = attrs.field(factory=set)

    def exist(self, workspace: WorkspaceName) -> bool:
        return workspace in self.names

    def remove(self, workspace: WorkspaceName) -> None:
        self.names.discard(workspace)


@attrs.define
class MemoryLocks:
    """`WorkspaceLocks` in memory, which never wait: a lock that is held stays held."""

    holders: dict[WorkspaceName, LockHolder] = attrs.field(factory=dict)

    @contextmanager
    def hold(self, workspace: WorkspaceName, activity: str, *, wait_seconds: float = 0) -> Iterator[None]:
        del wait_seconds
        holder = self.holders.get(workspace)
        if holder is not None:
            raise LockHeldError(workspace=workspace, pid=holder.pid, activity=holder.activity, since=holder.since)
        self.holders[workspace] = LockHolder(pid=0, activity=activity, since="")
        try:
            yield
        finally:
            del self.holders[workspace]

    def holder(self, workspace: WorkspaceName) -> LockHolder | None:
        return self.holders.get(workspace)


@attrs.define
class MemoryRegistry:
    """A `Registry` in memory."""

    clock: FixedClock = attrs.field(factory=FixedClock)
    _created: dict[WorkspaceName, str] = attrs.field(init=False)
    _lives: dict[WorkspaceName, str] = attrs.field(init=False, factory=dict)
    _begun: int = attrs.field(init=False, default=0)
    _active: WorkspaceName = attrs.field(init=False, default=DEFAULT_WORKSPACE)
    _roots: list[Root] = attrs.field(init=False, factory=list)
    _exclusions: list[Exclusion] = attrs.field(init=False, factory=list)
    _turns: set[tuple[WorkspaceName, str, int]] = attrs.field(init=False, factory=set)
    _worktrees: list[Worktree] = attrs.field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self._created = {}
        self.create_workspace(DEFAULT_WORKSPACE)

    def workspaces(self) -> tuple[WorkspaceRecord, ...]:
        return tuple(
            WorkspaceRecord(name=name, created_at=created_at, active=name == self._active)
            for name, created_at in sorted(self._created.items())
        )

    def create_workspace(self, name: WorkspaceName) -> bool:
        if name in self._created:
            return False
        self._created[name] = self.clock.now()
        self._begun += 1
        self._lives[name] = f"life {self._begun}"
        return True

    def switch_workspace(self, name: WorkspaceName) -> None:
        self._require(name)
        self._active = name

    def mark_deleted(self, name: WorkspaceName) -> None:
        self._require(name)
        if name == DEFAULT_WORKSPACE:
            raise ProtectedWorkspaceError(name)
        del self._created[name], self._lives[name]
        self._roots = [root for root in self._roots if root.workspace != name]
        if self._active == name:
            self._active = DEFAULT_WORKSPACE

    def life(self, name: WorkspaceName) -> str | None:
        return self._lives.get(name)

    def is_live(self, name: WorkspaceName) -> bool:
        return name in self._created

    def roots(self) -> tuple[Root, ...]:
        return tuple(sorted(self._roots, key=lambda root: (str(root.path), root.workspace)))

    def add_root(self, root: Root, *, allow_overlap: bool = False) -> RootAddition:
        self._require(root.workspace)
        for known in self._roots:
            if known.workspace == root.workspace and same_place(known.path, root.path):
                return RootAddition(known, added=False)
        self._refuse_overlap(root, allow_overlap)
        self._roots.append(root)
        return RootAddition(root, added=True)

    def bind_first_root(self, root: Root, *, allow_overlap: bool = False) -> tuple[Root, ...]:
        self._require(root.workspace)
        if not self._of(root.workspace):
            self.add_root(root, allow_overlap=allow_overlap)
        return self._of(root.workspace)

    def assign_project(self, root: Root, *, allow_overlap: bool = False) -> ProjectAssignment:
        covered = any(contains(known.path, root.path) for known in self._of(root.workspace))
        if not covered:
            self._refuse_overlap(root, allow_overlap)
        created = self.create_workspace(root.workspace)
        if not covered:
            self._roots.append(root)
        return ProjectAssignment(created=created, added=not covered)

    def remove_root(self, workspace: WorkspaceName, path: CanonicalPath) -> None:
        for root in self._of(workspace):
            if same_place(root.path, path):
                self._roots.remove(root)
                return
        raise UnknownRootError(workspace, str(path), tuple(str(root.path) for root in self._of(workspace)))

    def exclusions(self, workspace: WorkspaceName) -> tuple[Exclusion, ...]:
        found = (exclusion for exclusion in self._exclusions if exclusion.workspace == workspace)
        return tuple(extend_exclusion(exclusion, self._worktrees) for exclusion in found)

    def excluded_turns(self, workspace: WorkspaceName, numbers: Collection[int]) -> frozenset[int]:
        return frozenset(turn for name, _, turn in self._turns if name == workspace and turn in numbers)

    def add_exclusion(self, exclusion: Exclusion, *, turns: Collection[int] = ()) -> bool:
        more = {(exclusion.workspace, exclusion.target, turn) for turn in turns} - self._turns
        self._turns |= more
        for known in self._exclusions:
            if (known.workspace, known.target) == (exclusion.workspace, exclusion.target):
                grown = attrs.evolve(
                    known,
                    recursive=known.recursive or exclusion.recursive,
                    conversations=known.conversations | exclusion.conversations,
                )
                self._exclusions[self._exclusions.index(known)] = grown
                return grown != known or bool(more)
        self._exclusions.append(exclusion)
        return True

    def remove_exclusions(self, workspace: WorkspaceName, targets: Sequence[str]) -> int:
        gone = [known for known in self._exclusions if known.workspace == workspace and known.target in targets]
        self._exclusions = [exclusion for exclusion in self._exclusions if exclusion not in gone]
        self._turns = {kept for kept in self._turns if kept[0] != workspace or kept[1] not in targets}
        return len(gone)

    def worktrees(self) -> tuple[Worktree, ...]:
        return tuple(sorted(self._worktrees, key=lambda worktree: str(worktree.folder)))

    def record_worktree(self, worktree: Worktree, *, patience_seconds: float = 5.0) -> bool:
        del patience_seconds
        if worktree in self._worktrees:
            return False
        self.forget_worktree(worktree.folder)
        self._worktrees.append(worktree)
        return True

    def forget_worktree(self, folder: CanonicalPath) -> None:
        self._worktrees = [known for known in self._worktrees if not same_place(known.folder, folder)]

    def _of(self, workspace: WorkspaceName) -> tuple[Root, ...]:
        return tuple(root for root in self.roots() if root.workspace == workspace)

    def _require(self, name: WorkspaceName) -> None:
        if name not in self._created:
            raise UnknownWorkspaceError(name, tuple(sorted(self._created)), nearest_name(name, self._created))

    def _refuse_overlap(self, root: Root, allow_overlap: bool) -> None:
        conflicts = overlapping_roots(root, self.roots())
        if conflicts and not allow_overlap:
            named = tuple((other.workspace, str(other.path)) for other in conflicts)
            raise RootOverlapError(root.workspace, str(root.path), named)
