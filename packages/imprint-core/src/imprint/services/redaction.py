"""Documents are outlined without their secrets, and what is stored already is freed of them."""

from collections.abc import Callable, Iterator

import attrs

from imprint.domain.outlines import Document, Outline, Section
from imprint.domain.redaction import Redact
from imprint.domain.sources import Source, SourceKind, WorkspaceName
from imprint.errors import BusyError, ImprintError, StoreError, WorkspaceDeletedError
from imprint.protocols.locks import WorkspaceLocks
from imprint.protocols.progress import Progress
from imprint.protocols.registry import Registry
from imprint.protocols.stores import StoreOpener, WorkspaceStore
from imprint.services.memories import has_key_of_its_text, rename_memory

__all__ = ["Freed", "Rescan", "outline_without_secrets"]

_PATIENCE_SECONDS = 2.0
"""For readers and writers that keep what was replaced from being overwritten."""


@attrs.frozen
class Freed:
    """A workspace that was looked through.

    Attributes:
        redactions: Secrets that were taken out.
        is_finished: Whether no file holds them any more; else whoever comes next goes on, as after a purge.
        failure: Why what was written anew is found by its words alone, until a later run embeds it.
    """

    workspace: WorkspaceName
    redactions: int
    is_finished: bool
    failure: ImprintError | None = None


@attrs.frozen(kw_only=True)
class Rescan:
    """The use case: rules grow, and what was stored before has to be held to them."""

    registry: Registry
    stores: StoreOpener
    locks: WorkspaceLocks
    redact: Redact
    embed: Callable[[WorkspaceStore, Progress], object]

    def run(self, progress: Progress) -> Iterator[Freed]:
        """Take secrets out of every workspace, one after the other; each when it is done.

        Raises:
            LockHeldError: Another process does long work on a workspace.
            StoreError: A store cannot be read or written.
        """
        for record in self.registry.workspaces():
            if self.stores.exists(record.name):
                yield self._free(record.name, progress)

    def _free(self, workspace: WorkspaceName, progress: Progress) -> Freed:
        failure = None
        with self.locks.hold(workspace, "rescan"), self.stores.open(workspace) as store:
            renamed = list(_find_renamed(store, self.redact))
            count = store.redact_stored(self.redact)
            for source, text in renamed:
                rename_memory(store, source, text)
            try:
                if count:
                    self.embed(store, progress)
            except (StoreError, BusyError, WorkspaceDeletedError):
                raise
            except ImprintError as error:  # unknown, blocked or broken: the embedder and the backend come from plugins
                failure = error
            finally:
                progress.finish()
            store.finish_purges(patience_seconds=_PATIENCE_SECONDS)
            return Freed(workspace, count, not store.unfinished_purges(), failure)


def _find_renamed(store: WorkspaceStore, redact: Redact) -> Iterator[tuple[Source, str]]:
    """The memories that hold secrets, and their texts without: what a memory says is what it goes by."""
    for stored in store.sources(kinds=(SourceKind.MEMORY,)):
        text = "\n\n".join(passage.chunk.text for passage in store.source_chunks(stored.source.key))
        redacted, count = redact(text)
        if count and has_key_of_its_text(stored.source, text):
            yield stored.source, redacted


def outline_without_secrets(
    document: Document, outline: Callable[[Document], Outline], redact: Redact
) -> tuple[Outline, int]:
    """Outline a document after its secrets were taken out; how many they were.

    What an extractor makes of it, the text of a notebook or of a file that is no text, is looked through once more:
    there a secret may stand together that was apart.
    """
    count = 0
    if document.text is not None:
        text, count = redact(document.text)
        if count:
            document = attrs.evolve(document, text=text, data=text.encode("utf-8", "surrogatepass"))
    found = outline(document)
    if found.text == document.text:
        return found, count
    text, more = redact(found.text)
    title, named = redact(found.title)
    sections = tuple(_without_secrets(section, redact) for section in found.sections)
    return attrs.evolve(found, text=text, title=title, sections=sections), count + more + named


def _without_secrets(section: Section, redact: Redact) -> Section:
    symbol, count = redact(section.symbol)
    return attrs.evolve(section, symbol=symbol) if count else section
