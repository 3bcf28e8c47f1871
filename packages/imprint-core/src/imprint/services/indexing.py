"""A run over files of one workspace, under its lock: what an ingest and a refresh have in common."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import attrs

from imprint.domain.purge import Exclusion, extend_exclusion
from imprint.errors import BusyError, ImprintError, StoreError, WorkspaceDeletedError
from imprint.protocols.clocks import Clock
from imprint.protocols.files import FileTree
from imprint.protocols.locks import WorkspaceLocks
from imprint.protocols.progress import Progress
from imprint.protocols.registry import Registry
from imprint.protocols.stores import StoreOpener, WorkspaceStore
from imprint.services.file_preparation import Preparation
from imprint.services.indexing_plans import IndexingPlan
from imprint.services.indexing_reports import IngestReport, RunTally
from imprint.services.indexing_runs import IndexingRun

__all__ = ["Indexing"]


@attrs.frozen(kw_only=True)
class Indexing:
    """Runs plans.

    Attributes:
        embed: Gives every chunk that has none its vector; told after each run, finds out itself what there is to do.
        lock_patience_seconds: How long to wait for other long work on the workspace.
    """

    files: FileTree
    stores: StoreOpener
    registry: Registry
    locks: WorkspaceLocks
    clock: Clock
    preparation: Preparation
    embed: Callable[[WorkspaceStore, Progress], object]
    lock_patience_seconds: float = 60.0

    def run(self, plan: IndexingPlan, progress: Progress) -> IngestReport:
        """Run a plan. Text is searchable as it is written, before any of it is embedded.

        Ctrl-C ends the run; what is done is kept and the report says so. So it does of an embedder or a vector backend
        that fails: the text is found by its words, and the next run embeds it.

        Raises:
            LockHeldError: Other work on the workspace took longer than our patience.
            StoreError: The store cannot be used or written; what was committed is kept.
            WorkspaceDeletedError: The workspace was deleted meanwhile.
        """
        begun = self.clock.monotonic()
        tally = RunTally()
        interrupted = False
        embedding_failure: ImprintError | None = None
        try:
            with self._open(plan) as store:
                run = IndexingRun(
                    plan=plan,
                    store=store,
                    files=self.files,
                    preparation=self.preparation,
                    exclusions=self._find_exclusions(plan),
                    tally=tally,
                    progress=progress,
                )
                run.index()
                if store is not None and not plan.dry_run:
                    embedding_failure = self._embed(store, progress)
                    store.finish_purges()  # of purges that came meanwhile, or before, and had no lock
        except KeyboardInterrupt:
            interrupted = True
        finally:
            progress.finish()
        return IngestReport(
            workspace=plan.workspace,
            reason=plan.reason,
            sentence=plan.sentence,
            sources=dict(tally.sources),
            chunks=tally.chunks,
            seconds=self.clock.monotonic() - begun,
            failures=tuple(tally.failures),
            refusals=tuple(tally.refusals),
            skipped=dict(tally.skipped),
            redactions=tally.redactions,
            embedding_failure=embedding_failure,
            interrupted=interrupted,
            dry_run=plan.dry_run,
        )

    def _embed(self, store: WorkspaceStore, progress: Progress) -> ImprintError | None:
        try:
            self.embed(store, progress)
        except (StoreError, BusyError, WorkspaceDeletedError):
            raise
        except ImprintError as error:  # unknown, blocked or broken: the embedder and the backend come from plugins
            return error
        return None

    def _find_exclusions(self, plan: IndexingPlan) -> tuple[Exclusion, ...]:
        """A dry run records no worktree, and has to leave out the same."""
        exclusions = self.registry.exclusions(plan.workspace)
        worktrees = {*self.registry.worktrees(), *plan.worktrees} if exclusions and plan.worktrees else ()
        return tuple(extend_exclusion(exclusion, worktrees) for exclusion in exclusions) if worktrees else exclusions

    @contextmanager
    def _open(self, plan: IndexingPlan) -> Iterator[WorkspaceStore | None]:
        if not plan.dry_run:
            with (
                self.locks.hold(plan.workspace, plan.activity, wait_seconds=self.lock_patience_seconds),
                self.stores.open(plan.workspace) as store,
            ):
                yield store
        elif self.stores.exists(plan.workspace):
            with self.stores.open(plan.workspace) as store:
                yield store
        else:
            yield None
