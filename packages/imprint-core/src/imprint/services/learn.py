"""Learn: conversations that clients keep become searchable in the workspace that may have them."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import attrs

from imprint.domain.notices import describe_resolution
from imprint.domain.resolution import Resolution
from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.domain.times import moment_ns
from imprint.errors import (
    BusyError,
    ClientFileUnreadableError,
    ImprintError,
    PluginError,
    StoreError,
    WorkspaceDeletedError,
)
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.plugins.handles import PluginHandle
from imprint.plugins.registry import PluginRegistry
from imprint.protocols.clocks import Clock
from imprint.protocols.locks import WorkspaceLocks
from imprint.protocols.progress import Progress
from imprint.protocols.stores import StoreOpener, WorkspaceStore
from imprint.protocols.transcripts import TranscriptFiles
from imprint.services.claims import ConversationClaims
from imprint.services.client_documents import ClientDocuments
from imprint.services.conversation_writing import TurnPreparation
from imprint.services.export_learning import ExportLearning
from imprint.services.homes import Homes, ReachedHome
from imprint.services.insights import InsightWriter
from imprint.services.learning_clients import FoundClient, find_clients
from imprint.services.learning_plans import LearningPlan
from imprint.services.learning_reports import LearnReport, LearnTally
from imprint.services.learning_runs import LearningRun
from imprint.services.transcript_origins import ClientTranscripts
from imprint.services.transcript_selections import place_transcripts, select_transcripts
from imprint.services.workspaces import Workspaces

__all__ = ["Learning"]


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
    homes: Homes
    transcripts: TranscriptFiles
    workspaces: Workspaces
    stores: StoreOpener
    locks: WorkspaceLocks
    clock: Clock
    preparation: TurnPreparation
    exports: ExportLearning
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
        conversations: Sequence[str] = (),
        cwd: str = "",
        exports: Sequence[Path] | None = None,
        since: str = "",
        dry_run: bool = False,
    ) -> LearnReport:
        """Learn in one workspace, which is fixed before anything is read, whatever the conversations say.

        Ctrl-C ends the run; what is done is kept, and the next run goes on from there.

        Args:
            resolution: The workspace and why.
            clients: Names of clients; none: every one that is found, unless exports are meant.
            paths: Transcripts; only these, those of their subagents, and conversations of a database that are named as
                they are. None: all.
            conversations: Keys of conversations; only these and their subagents', likewise.
            cwd: The directory of the session that is named, as its client told it, for transcripts that tell none.
            exports: Account exports; what is wrong with one is listed. `None`: clients are meant.
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
        found: list[FoundClient] = []
        if clients or exports is None:
            found = list(find_clients(self.plugins, self.homes, tally, names=clients, paths=paths))
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
                    since_ns=moment_ns(since),
                    dry_run=dry_run,
                )
                start = partial(
                    LearningRun,
                    plan=plan,
                    store=store,
                    claims=claims,
                    preparation=self.preparation,
                    find_project=self.find_project,
                    insights=insights,
                    tally=tally,
                    progress=progress,
                )
                for handle, installation, home in found:
                    run = start(origin=ClientTranscripts(handle, self.transcripts, home.localize))
                    try:
                        found_transcripts: Iterator[TranscriptReference] = handle.call(
                            "find_transcripts", installation=installation, files=home.files
                        )
                        references = list(found_transcripts)
                        wanted = select_transcripts(
                            handle.reference.name,
                            references,
                            paths=[type(installation.folder)(path) for path in paths],
                            conversations=conversations,
                        )
                        run.learn(place_transcripts(references, wanted, home.localize(cwd)), wanted)
                        if not paths and not conversations:
                            self._learn_documents(handle, installation, home, run)
                    except (PluginError, ClientFileUnreadableError) as error:
                        tally.fail(handle.reference.name, error)
                    finally:
                        tally.note_reader(insights.reader)
                for export in exports or ():
                    try:
                        self.exports.learn(export, lambda origin: start(origin=origin), tally)
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
            untold=tally.untold,
            model_failures=tally.model_failures,
            model_failure=tally.model_failure,
            conversations=tuple(tally.conversations),
        )

    def _learn_documents(
        self, handle: PluginHandle, installation: Installation, home: ReachedHome, run: LearningRun
    ) -> None:
        documents = ClientDocuments(
            plan=run.plan,
            installation=installation,
            store=run.store,
            files=home.files,
            looks=self.transcripts,
            place=run.origin.place,
            claims=run.claims,
            outline=self.preparation.outline_document,
            redact=self.preparation.redact,
            find_project=self.find_project,
            directories_beside=run.directories_beside,
            tally=run.tally,
        )
        documents.learn(handle.call("find_documents", installation=installation, files=home.files))

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
