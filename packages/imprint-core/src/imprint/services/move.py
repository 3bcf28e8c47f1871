"""Move: sources go from one workspace to another, with their vectors and the facts drawn from them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import attrs

from imprint.domain.moves import MoveChoice, MoveReport, MoveVerdict, judge_move, roots_left_behind
from imprint.domain.names import nearest_name
from imprint.domain.purge import Exclusion
from imprint.domain.sources import CanonicalPath, SourceKey, StoredSource, WorkspaceName
from imprint.domain.versions import without_number
from imprint.errors import (
    ExcludedSourceError,
    NothingToMoveError,
    SameWorkspaceError,
    SourceConflictError,
    UnknownWorkspaceError,
)
from imprint.failpoints import reach
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.locks import DeviceLock, WorkspaceLocks
from imprint.protocols.progress import Progress
from imprint.protocols.registry import Registry
from imprint.protocols.stores import StoreOpener, WorkspaceStore
from imprint.protocols.versions import Replacement
from imprint.services.merging import MergeTally, batched, embed_waiting, find_model, merge_batch, merge_facts
from imprint.services.search import EmbedderOpener

__all__ = ["Move"]

_ROUNDS = 3
"""What changed between its copy and its removal is copied anew, so often."""


@attrs.define
class _Tally:
    """What became of the sources so far."""

    moved: list[SourceKey] = attrs.field(factory=list)
    paths: list[CanonicalPath] = attrs.field(factory=list)
    conflicting: list[SourceKey] = attrs.field(factory=list)
    excluded: list[SourceKey] = attrs.field(factory=list)
    late: list[SourceKey] = attrs.field(factory=list)
    chunks: int = 0
    facts: int = 0
    embedding_failure: str = ""
    merged: MergeTally = attrs.field(factory=MergeTally)


@attrs.frozen(kw_only=True)
class Move:
    """The use case.

    Attributes:
        open_embedder: `None` where the user wants no vectors.
        embed: Gives every chunk that has none its vector.
        patience_seconds: How long to wait for other long work.
    """

    registry: Registry
    stores: StoreOpener
    locks: WorkspaceLocks
    device_lock: DeviceLock
    open_embedder: EmbedderOpener | None
    embed: Callable[[WorkspaceStore, Progress], object]
    patience_seconds: float = 60.0

    def run(
        self,
        choice: MoveChoice,
        progress: Progress,
        *,
        origin: WorkspaceName,
        target: WorkspaceName,
        dry_run: bool = False,
    ) -> MoveReport:
        """Move what was chosen. Each source is on the disk in the target before it leaves the origin.

        So a move that ends early, however it ends, leaves each in one workspace or in both; repeating it finishes it,
        and repeating a finished one is a success that moves nothing.

        Raises:
            UnknownWorkspaceError: One of the two does not exist.
            SameWorkspaceError: They are the same.
            NothingToMoveError: Neither holds anything of the choice.
            ExcludedSourceError: The choice is one source, and the target keeps it out; nothing was changed.
            SourceConflictError: The choice is one source, and the target has something else of its name; likewise.
            DeviceLockHeldError: Another move, a backup or a restore took longer than our patience; likewise.
            LockHeldError: Other work on one of the workspaces did; likewise.
            WorkspaceDeletedError: One was deleted meanwhile.
            StoreError: A store cannot be read or written; what was moved is moved.
        """
        for name in (origin, target):
            self._require_live(name)
        if origin == target:
            raise SameWorkspaceError(origin)
        tally = _Tally()
        try:
            with self._hold(origin, target, dry_run=dry_run), self._open(origin) as giver, self._open(target) as taker:
                chosen = list(_select(giver, choice))
                if not chosen and not next(_select(taker, choice), None):
                    raise NothingToMoveError(origin, str(choice))
                if giver is not None:
                    going = self._sort_out(chosen, taker, target, tally)
                    self._refuse_single(choice, chosen, tally, target)
                    if dry_run:
                        _foresee(going, giver, tally)
                    elif going:
                        self._move(going, giver, target, tally, progress)
        finally:
            progress.finish()
        return MoveReport(
            origin=origin,
            target=target,
            dry_run=dry_run,
            moved=tuple(tally.moved),
            conflicting=tuple(tally.conflicting),
            excluded=tuple(tally.excluded),
            late=tuple(tally.late),
            chunks=tally.chunks,
            vectors=tally.merged.vectors,
            facts=tally.facts,
            embedding_failure=tally.embedding_failure,
            roots=roots_left_behind(origin, tuple(tally.paths), self.registry.roots()),
        )

    def _require_live(self, workspace: WorkspaceName) -> None:
        if not self.registry.is_live(workspace):
            known = tuple(record.name for record in self.registry.workspaces())
            raise UnknownWorkspaceError(workspace, known, nearest_name(workspace, known))

    @contextmanager
    def _hold(self, *workspaces: WorkspaceName, dry_run: bool) -> Iterator[None]:
        """A backup between two commits of a move would have the source in neither of its stores."""
        with ExitStack() as held:
            if not dry_run:
                held.enter_context(self.device_lock.hold(wait_seconds=self.patience_seconds))
                for workspace in sorted(workspaces):
                    held.enter_context(self.locks.hold(workspace, "move", wait_seconds=self.patience_seconds))
            yield

    @contextmanager
    def _open(self, workspace: WorkspaceName) -> Iterator[WorkspaceStore | None]:
        """The store, none being made for a workspace that holds nothing yet."""
        if self.stores.exists(workspace):
            with self.stores.open(workspace) as store:
                yield store
        else:
            yield None

    def _sort_out(
        self,
        chosen: Sequence[StoredSource],
        taker: WorkspaceStore | None,
        target: WorkspaceName,
        tally: _Tally,
    ) -> list[StoredSource]:
        """Those that may go; the others are tallied."""
        exclusions = self.registry.exclusions(target)
        going = []
        for one in chosen:
            match _judge(one, taker, exclusions):
                case MoveVerdict.FREE:
                    going.append(one)
                case MoveVerdict.CONFLICTING:
                    tally.conflicting.append(one.source.key)
                case MoveVerdict.EXCLUDED:
                    tally.excluded.append(one.source.key)
        return going

    def _refuse_single(
        self, choice: MoveChoice, chosen: Sequence[StoredSource], tally: _Tally, target: WorkspaceName
    ) -> None:
        if [one.source.key for one in chosen] == [choice.source]:
            if tally.excluded:
                raise ExcludedSourceError(choice.source, target)
            if tally.conflicting:
                raise SourceConflictError(choice.source, target)

    def _move(
        self,
        going: Sequence[StoredSource],
        giver: WorkspaceStore,
        target: WorkspaceName,
        tally: _Tally,
        progress: Progress,
    ) -> None:
        model = find_model(self.open_embedder)
        progress.start("move", None)
        with self.stores.open(target) as taker:
            for batch in batched(going, lambda one: one.chunks):
                keys = [one.source.key for one in batch]
                for _ in range(_ROUNDS):
                    keys = _move_batch(keys, giver, taker, model, tally)
                tally.late += keys
                progress.advance(len(batch), 0, batch[-1].source.key)
            tally.embedding_failure = embed_waiting(self.embed, taker, progress)
            taker.finish_purges()  # of purges that came meanwhile and had no lock
            giver.finish_purges()


def _select(store: WorkspaceStore | None, choice: MoveChoice) -> Iterator[StoredSource]:
    if store is None:
        return
    found = store.find_source(SourceKey(choice.source)) if choice.source else None
    if found is not None:  # A key may hold what a pattern would read as a wildcard.
        yield found
    else:
        kinds = (choice.kind,) if choice.kind else ()
        yield from store.sources(kinds=kinds, glob=choice.source, project=choice.project)


def _judge(one: StoredSource, taker: WorkspaceStore | None, exclusions: tuple[Exclusion, ...]) -> MoveVerdict:
    there = taker.find_source(one.source.key) if taker is not None else None
    return judge_move(
        one.source,
        one.indexed_at,
        there=None if there is None else there.source,
        there_indexed_at="" if there is None else there.indexed_at,
        exclusions=exclusions,
    )


def _foresee(going: Sequence[StoredSource], giver: WorkspaceStore, tally: _Tally) -> None:
    for one in going:
        _count(one.source.key, one.source.path, one.chunks, tally)
    keys = set(tally.moved)
    tally.facts = sum(fact.source in keys for fact in giver.facts(history=True))


def _move_batch(
    keys: Sequence[SourceKey], giver: WorkspaceStore, taker: WorkspaceStore, model: ModelIdentity | None, tally: _Tally
) -> list[SourceKey]:
    """Copy, commit, then delete; the keys of those that changed in between."""
    if not keys:
        return []
    copies = giver.copy_sources(keys)
    batch = [(copy.version, copy.vectors.get(model, {}) if model else {}) for copy in copies]
    outcomes = merge_batch(taker, batch, model, tally.merged)
    landed = []
    for copy, outcome in zip(copies, outcomes, strict=True):
        if outcome is Replacement.EXCLUDED:  # by a purge that came after we looked
            tally.excluded.append(copy.version.source.key)
        else:
            landed.append(copy)
    merge_facts(taker, (without_number(fact) for copy in landed for fact in copy.facts), tally.merged)
    reach("move.copied")
    removed = giver.remove_copied(landed)
    reach("move.removed")
    for copy in landed:
        if copy.version.source.key in removed:
            tally.facts += len(copy.facts)
            _count(copy.version.source.key, copy.version.source.path, len(copy.version.chunks), tally)
    return [copy.version.source.key for copy in landed if copy.version.source.key not in removed]


def _count(key: SourceKey, path: CanonicalPath | None, chunks: int, tally: _Tally) -> None:
    tally.moved.append(key)
    tally.chunks += chunks
    if path is not None:
        tally.paths.append(path)
