"""Import: what a bundle holds is united with what a workspace knows."""

from collections.abc import Callable, Iterator
from pathlib import Path

import attrs

from imprint.domain.bundles import BundleManifest
from imprint.domain.sources import WorkspaceName
from imprint.failpoints import reach
from imprint.protocols.archives import BundleContent, BundleFiles
from imprint.protocols.clocks import Clock
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.locks import WorkspaceLocks
from imprint.protocols.progress import Progress
from imprint.protocols.stores import StoreOpener, WorkspaceStore
from imprint.protocols.versions import FactMerge, Replacement
from imprint.services.merging import (
    MergeTally,
    VersionedRows,
    batched,
    embed_waiting,
    find_model,
    merge_batch,
    merge_facts,
)
from imprint.services.search import EmbedderOpener

__all__ = ["Import", "ImportReport"]


@attrs.frozen(kw_only=True)
class ImportReport:
    """What an import did.

    Attributes:
        sources: By what became of them.
        chunks: Passages that were written.
        vectors: Vectors that were taken as they are; other passages were embedded here.
        embedding_failure: Why some are found by their words alone until a later run embeds them; else empty.
    """

    workspace: WorkspaceName
    manifest: BundleManifest
    sources: dict[Replacement, int]
    chunks: int
    vectors: int
    facts: FactMerge
    embedding_failure: str = ""


@attrs.frozen(kw_only=True)
class Import:
    """The use case.

    Attributes:
        open_embedder: `None` where the user wants no vectors.
        embed: Gives every chunk that has none its vector.
        lock_patience_seconds: How long to wait for other long work on the workspace.
    """

    stores: StoreOpener
    locks: WorkspaceLocks
    bundles: BundleFiles
    clock: Clock
    open_embedder: EmbedderOpener | None
    embed: Callable[[WorkspaceStore, Progress], object]
    lock_patience_seconds: float = 60.0

    def run(self, workspace: WorkspaceName, path: Path, progress: Progress) -> ImportReport:
        """Take a bundle in: of two versions of a source the newer stays, facts are united, what is excluded stays out.

        All of the bundle is verified before anything is written. Vectors are taken where they are of the model in use
        here; the rest is embedded. Repeating it changes nothing, and finishes what was interrupted.

        Raises:
            MissingPathError: Nothing is at the path.
            UnreadableFileError: It is no regular file, or the operating system refuses it.
            ArchiveDamagedError: It is not whole, or no bundle; nothing was changed.
            ArchiveTooNewError: A newer program wrote it; nothing was changed.
            NoRoomError: It unpacks to more than there is room for; nothing was changed.
            LockHeldError: Other work on the workspace took longer than our patience; nothing was changed.
            WorkspaceDeletedError: The workspace was deleted meanwhile.
            StoreError: The store cannot be written; what was committed is kept.
        """
        tally = MergeTally()
        try:
            with (
                self.bundles.open(path, progress) as content,
                self.locks.hold(workspace, "import", wait_seconds=self.lock_patience_seconds),
                self.stores.open(workspace) as store,
            ):
                manifest = content.manifest
                self._merge(store, content, tally, progress)
                failure = embed_waiting(self.embed, store, progress)
                store.finish_purges()  # of purges that came meanwhile and had no lock
        finally:
            progress.finish()
        return ImportReport(
            workspace=workspace,
            manifest=manifest,
            sources=tally.sources,
            chunks=tally.chunks,
            vectors=tally.vectors,
            facts=tally.facts,
            embedding_failure=failure,
        )

    def _merge(self, store: WorkspaceStore, content: BundleContent, tally: MergeTally, progress: Progress) -> None:
        model = find_model(self.open_embedder)
        progress.start("import", None)
        excluded: set[str] = set()
        for batch in batched(_with_rows(content, model, now=self.clock.now()), lambda one: len(one[0].chunks)):
            outcomes = merge_batch(store, batch, model, tally)
            excluded |= {
                version.source.key
                for (version, _), outcome in zip(batch, outcomes, strict=True)
                if outcome is Replacement.EXCLUDED
            }
            reach("import.merged")
            size = sum(len(chunk.text) for version, _ in batch for chunk in version.chunks)
            progress.advance(len(batch), size, batch[-1][0].source.key)
        merge_facts(store, content.facts(), tally, excluded=excluded)
        reach("import.facts-merged")


def _with_rows(content: BundleContent, model: ModelIdentity | None, *, now: str) -> Iterator[VersionedRows]:
    """Each version with its rows; none counts as newer than now, whatever the clock of its device said."""
    vectors = iter(()) if model is None else content.vectors(model)
    waiting = next(vectors, None)
    first = 0
    for version in content.sources():
        beyond = first + len(version.chunks)
        rows: dict[int, bytes] = {}
        while waiting is not None and waiting[0] < beyond:
            rows[waiting[0] - first] = waiting[1]
            waiting = next(vectors, None)
        yield attrs.evolve(version, indexed_at=min(version.indexed_at, now)), rows
        first = beyond
