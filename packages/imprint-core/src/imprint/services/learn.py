"""Learn: conversations that clients keep become searchable in the workspace that may have them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from pathlib import Path

import attrs

from imprint.domain.notices import describe_resolution
from imprint.domain.resolution import Resolution
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.errors import BusyError, ClientNotFoundError, ImprintError, PluginError, StoreError, WorkspaceDeletedError
from imprint.plugins.clients import ClientHome, Installation, TranscriptReference
from imprint.plugins.handles import PluginHandle
from imprint.plugins.registry import PluginRegistry
from imprint.protocols.clients import ClientFiles
from imprint.protocols.clocks import Clock
from imprint.protocols.locks import WorkspaceLocks
from imprint.protocols.progress import Progress
from imprint.protocols.stores import StoreOpener, WorkspaceStore
from imprint.protocols.transcripts import TranscriptFiles
from imprint.services.claims import ConversationClaims
from imprint.services.client_documents import ClientDocuments
from imprint.services.conversation_writing import TurnPreparation
from imprint.services.insights import InsightWriter
from imprint.services.learning_plans import LearningPlan
from imprint.services.learning_reports import LearnReport, LearnTally
from imprint.services.learning_runs import LearningRun
from imprint.services.workspaces import Workspaces

__all__ = ["Learning"]

_GROUP = "clients"


@attrs.frozen(kw_only=True)
class Learning:
    """The use case.

    Attributes:
        embed: Gives every chunk that has none its vector; told after each run, finds out itself what there is to do.
        find_project: The project's name, by a directory and the project's folder.
        open_insights: What draws insights from conversations, for one run.
        lock_patience_seconds: How long to wait for other long work on the workspace.
    """

    plugins: PluginRegistry
    home: ClientHome
    files: ClientFiles
    transcripts: TranscriptFiles
    workspaces: Workspaces
    stores: StoreOpener
    locks: WorkspaceLocks
    clock: Clock
    preparation: TurnPreparation
    find_project: Callable[[CanonicalPath, CanonicalPath], str]
    open_insights: Callable[[], AbstractContextManager[InsightWriter]]
    embed: Callable[[WorkspaceStore, Progress], object]
    lock_patience_seconds: float = 60.0

    def learn(
        self,
        resolution: Resolution,
        progress: Progress,
        *,
        clients: Sequence[str] = (),
        paths: Sequence[Path] = (),
        since: str = "",
        dry_run: bool = False,
    ) -> LearnReport:
        """Learn in one workspace, which is fixed before anything is read, whatever the conversations say.

        Ctrl-C ends the run; what is done is kept, and the next run goes on from there.

        Args:
            resolution: The workspace and why.
            clients: Names of clients; none: every one that is found.
            paths: Transcripts; only these, and those of their subagents. None: all.
            since: UTC ISO 8601; conversations that ended before are left alone.
            dry_run: Say of each conversation who may have it and why; nothing is written.

        Raises:
            UnknownPluginError: No plugin knows a client of this name.
            ClientNotFoundError: A client that was named is not there.
            LockHeldError: Other work on the workspace took longer than our patience.
            StoreError: The store cannot be used or written; what was committed is kept.
            WorkspaceDeletedError: The workspace was deleted meanwhile.
        """
        begun = self.clock.monotonic()
        tally = LearnTally()
        found = list(self._find_clients(clients, tally))
        interrupted = False
        embedding_failure: ImprintError | None = None
        try:
            with self._open(resolution.workspace, dry_run=dry_run) as store, self.open_insights() as insights:
                progress.start("learn", None)
                claims = ConversationClaims(self.workspaces)
                plan = LearningPlan(
                    workspace=resolution.workspace,
                    workspaces=tuple(record.name for record in self.workspaces.list()),
                    inbox=self.workspaces.settings.inbox,
                    exclusions=self.workspaces.registry.exclusions(resolution.workspace),
                    since_ns=_nanoseconds(since),
                    dry_run=dry_run,
                )
                for handle, installation in found:
                    run = LearningRun(
                        plan=plan,
                        handle=handle,
                        store=store,
                        files=self.transcripts,
                        claims=claims,
                        preparation=self.preparation,
                        find_project=self.find_project,
                        insights=insights,
                        tally=tally,
                        progress=progress,
                    )
                    try:
                        run.learn(self._find_transcripts(handle, installation, paths))
                        if not paths:
                            self._learn_documents(handle, installation, run)
                    except PluginError as error:
                        tally.fail(handle.reference.name, error)
                    finally:
                        tally.note_reader(insights.reader)
                if store is not None and not dry_run:
                    embedding_failure = self._embed(store, progress)
                    store.finish_purges()
        except KeyboardInterrupt:
            interrupted = True
        finally:
            progress.finish()
        return LearnReport(
            workspace=resolution.workspace,
            reason=resolution.reason.value,
            sentence=describe_resolution(resolution),
            sources=dict(tally.sources),
            chunks=tally.chunks,
            seconds=self.clock.monotonic() - begun,
            failures=tuple(tally.failures),
            embedding_failure=embedding_failure,
            interrupted=interrupted,
            dry_run=dry_run,
            redactions=tally.redactions,
            older=tally.older,
            model_failures=tally.model_failures,
            model_failure=tally.model_failure,
            conversations=tuple(tally.conversations),
        )

    def _find_clients(self, names: Sequence[str], tally: LearnTally) -> Iterator[tuple[PluginHandle, Installation]]:
        handles = [self.plugins.load(_GROUP, name) for name in names] if names else self.plugins.handles(_GROUP)
        for handle in handles:
            try:
                installation: Installation | None = handle.call("find_installation", home=self.home, files=self.files)
            except ImprintError as error:
                if names:
                    raise
                tally.fail(handle.reference.name, error)
                continue
            if installation is not None:
                yield handle, installation
            elif names:
                raise ClientNotFoundError(handle.call("describe_client").title)

    def _learn_documents(self, handle: PluginHandle, installation: Installation, run: LearningRun) -> None:
        documents = ClientDocuments(
            plan=run.plan,
            installation=installation,
            store=run.store,
            files=self.files,
            looks=self.transcripts,
            claims=run.claims,
            outline=self.preparation.outline_document,
            redact=self.preparation.redact,
            find_project=self.find_project,
            directories_beside=run.directories_beside,
            tally=run.tally,
        )
        documents.learn(handle.call("find_documents", installation=installation, files=self.files))

    def _find_transcripts(
        self, handle: PluginHandle, installation: Installation, paths: Sequence[Path]
    ) -> Iterator[TranscriptReference]:
        found: Iterator[TranscriptReference] = handle.call(
            "find_transcripts", installation=installation, files=self.files
        )
        wanted = {type(installation.folder)(path) for path in paths}
        folders = {path.with_suffix("") for path in wanted}
        for reference in found:
            if not paths or reference.path in wanted or not folders.isdisjoint(reference.path.parents):
                yield reference

    def _embed(self, store: WorkspaceStore, progress: Progress) -> ImprintError | None:
        try:
            self.embed(store, progress)
        except (StoreError, BusyError, WorkspaceDeletedError):
            raise
        except ImprintError as error:  # as after an ingest: what is stored is found by its words
            return error
        return None

    @contextmanager
    def _open(self, workspace: WorkspaceName, *, dry_run: bool) -> Iterator[WorkspaceStore | None]:
        if not dry_run:
            with (
                self.locks.hold(workspace, "learn", wait_seconds=self.lock_patience_seconds),
                self.stores.open(workspace) as store,
            ):
                yield store
        elif self.stores.exists(workspace):
            with self.stores.open(workspace) as store:
                yield store
        else:
            yield None


def _nanoseconds(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp() * 1e9) if moment else 0
