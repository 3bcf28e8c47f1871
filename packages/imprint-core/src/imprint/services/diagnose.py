"""Diagnosis: every part is checked on its own, told with what is wrong and how to mend it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from enum import StrEnum
from functools import partial

import attrs

from imprint.domain.names import nearest_name
from imprint.domain.settings import SettingsReport, specs
from imprint.domain.sources import ChunkId, WorkspaceName
from imprint.errors import ImprintError, escaped
from imprint.plugins.groups import GROUPS, short_name
from imprint.plugins.registry import PluginRegistry
from imprint.protocols.embedders import Embedder
from imprint.protocols.locks import WorkspaceLocks
from imprint.protocols.progress import Progress
from imprint.protocols.registry import Registry
from imprint.protocols.stores import StoreOpener, WorkspaceStore
from imprint.protocols.vectors import SupportsNotices
from imprint.services.search import BackendOpener, EmbedderOpener

__all__ = ["Diagnosis", "Finding", "State"]

_FIX = "run 'imprint doctor --fix'"

_PATIENCE_SECONDS = 2.0
"""For readers and writers that keep a purge from being finished."""


class State(StrEnum):
    """How a part is."""

    OK = "ok"
    PENDING = "pending"
    PROBLEM = "problem"


@attrs.frozen(kw_only=True)
class Finding:
    """What was found about one part.

    Attributes:
        remedy: What to do; empty where nothing is needed or nothing can be done.
    """

    part: str
    state: State
    message: str
    remedy: str = ""


@attrs.frozen(kw_only=True)
class Diagnosis:
    """The use case. Everything comes as something to call, since each of them may be what is broken.

    Attributes:
        load_settings: Reads the configuration.
        find_folder_fault: What keeps the data folder from being used; empty where nothing does.
        find_registry_faults: What SQLite finds wrong with the registry.
        find_store_faults: What SQLite finds wrong with a workspace's store.
        check_background: Looks at what runs unseen.
        check_clients: Looks at what is registered with clients.
        open_embedder: Gives `None` where the settings name no embedder.
    """

    load_settings: Callable[[], SettingsReport]
    find_folder_fault: Callable[[], str]
    find_registry_faults: Callable[[], tuple[str, ...]]
    find_store_faults: Callable[[WorkspaceName], tuple[str, ...]]
    plugins: Callable[[], PluginRegistry]
    registry: Callable[[], Registry]
    stores: Callable[[], StoreOpener]
    locks: Callable[[], WorkspaceLocks]
    open_embedder: Callable[[], EmbedderOpener | None]
    open_backend: BackendOpener
    embed: Callable[[WorkspaceStore, Progress], object]
    check_background: Callable[[], Iterator[Finding]] = lambda: iter(())
    check_clients: Callable[[], Iterator[Finding]] = lambda: iter(())

    def fix(self, progress: Progress) -> Iterator[WorkspaceName]:
        """Finish purges, give what waits its vector and write anew what index cannot be used; each workspace when done.

        Raises:
            LockHeldError: Another process does long work on a workspace.
            StoreError: A store cannot be read or written.
            PluginError: The embedder or the vector backend fails.
        """
        for record in self.registry().workspaces():
            if self.stores().exists(record.name):
                with self.locks().hold(record.name, "fix"), self.stores().open(record.name) as store:
                    store.finish_purges(patience_seconds=_PATIENCE_SECONDS)
                    self.embed(store, progress)
                progress.finish()
                yield record.name

    def run(self) -> Iterator[Finding]:
        """Check one part after the other; what stands on a broken part is not checked."""
        sound = True
        for part, check in (
            ("configuration", self._check_settings),
            ("data folder", self._check_folder),
            ("registry", self._check_registry),
        ):
            finding = _guarded(part, check)
            sound &= finding.state is not State.PROBLEM
            yield finding
        if not sound:
            return
        yield from self._check_named_workspaces()
        yield from self._check_plugins()
        for part, look in (("background work", self.check_background), ("clients", self.check_clients)):
            try:
                yield from look()
            except ImprintError as error:
                yield _failed(part, error)
        with ExitStack() as stack:
            embedder = None
            try:
                embedder = self._open_embedder(stack)
                yield _embedder_found(embedder)
            except ImprintError as error:
                yield _failed("embedder", error)
            for record in self.registry().workspaces():
                part = f'workspace "{record.name}"'
                yield _guarded(part, partial(self._check_workspace, part, record.name, embedder))

    def _check_settings(self) -> Finding:
        self.load_settings()
        return Finding(part="configuration", state=State.OK, message="every setting is understood")

    def _check_folder(self) -> Finding:
        if fault := self.find_folder_fault():
            return Finding(part="data folder", state=State.PROBLEM, message=fault, remedy="check its permissions")
        return Finding(part="data folder", state=State.OK, message="it can be written, and by nobody else")

    def _check_registry(self) -> Finding:
        if faults := self.find_registry_faults():
            return _damaged("registry", faults)
        names = ", ".join(record.name for record in self.registry().workspaces())
        return Finding(part="registry", state=State.OK, message=f"in order; workspaces: {names}")

    def _check_named_workspaces(self) -> Iterator[Finding]:
        """Settings that name no workspace: they decide nothing, or keep everything out."""
        names = [record.name for record in self.registry().workspaces()]
        values = self.load_settings().values
        for spec in specs():
            value = str(values[spec.key])
            if not spec.names_workspace or not value or value in names:
                continue
            nearest = nearest_name(value, names)
            mend = f"run 'imprint config set {spec.key} {nearest}' or " if nearest else "run "
            yield Finding(
                part=f"setting {spec.key}",
                state=State.PROBLEM,
                message=f'it names no workspace of this device: "{escaped(value)}"',
                remedy=f"{mend}'imprint config unset {spec.key}'",
            )

    def _check_plugins(self) -> Iterator[Finding]:
        registry = self.plugins()
        for group in GROUPS:
            names = [handle.reference.name for handle in registry.handles(group)]
            part = f"plugins: {short_name(group)}"
            yield Finding(part=part, state=State.OK, message=", ".join(names) or "none")
        for failure in registry.failures():
            yield _failed(f"plugin {short_name(failure.group)}/{failure.name}", failure)

    def _open_embedder(self, stack: ExitStack) -> Embedder | None:
        opener = self.open_embedder()
        return stack.enter_context(opener()) if opener else None

    def _check_workspace(self, part: str, workspace: WorkspaceName, embedder: Embedder | None) -> Finding:
        if not self.stores().exists(workspace):
            return Finding(part=part, state=State.OK, message="holds nothing yet")
        if faults := self.find_store_faults(workspace):
            return _damaged(part, faults)
        running = self.locks().holder(workspace)
        with self.stores().open(workspace) as store:
            chunks = store.chunk_count()
            if running is not None:
                message = f"{running.activity} is running in process {running.pid}"
                return Finding(part=part, state=State.PENDING, message=message)
            if unfinished := store.unfinished_purges():
                message = "a purge is not finished: " + "; ".join(work.explanation for work in unfinished)
                return Finding(part=part, state=State.PENDING, message=message, remedy=_FIX)
            if embedder is not None:
                if store.pending(embedder.identity, after=ChunkId(0), limit=1):
                    message = f"passages wait for a vector of {embedder.identity.name}; they are found by words"
                    return Finding(part=part, state=State.PENDING, message=message, remedy=_FIX)
                if notices := self._find_index_notices(store, embedder):
                    return Finding(part=part, state=State.PROBLEM, message="; ".join(notices), remedy=_FIX)
            elif self.open_embedder() and (waiting := store.counts().pending):
                message = f"{waiting:,} passages have no vector, and the embedder fails; they are found by words"
                return Finding(part=part, state=State.PENDING, message=message)
        return Finding(part=part, state=State.OK, message=f"in order; {chunks:,} passages")

    def _find_index_notices(self, store: WorkspaceStore, embedder: Embedder) -> list[str]:
        """What the backend says of its files when it has to answer."""
        feed = store.feed(embedder.identity)
        with self.open_backend(store.workspace, feed) as backend:
            backend.search(embedder.embed_query("order"), 1)
            return [str(notice) for notice in backend.notices()] if isinstance(backend, SupportsNotices) else []


def _guarded(part: str, check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except ImprintError as error:
        return _failed(part, error)


def _failed(part: str, error: ImprintError) -> Finding:
    return Finding(part=part, state=State.PROBLEM, message=str(error), remedy=error.hint or "")


def _damaged(part: str, faults: tuple[str, ...]) -> Finding:
    return Finding(
        part=part,
        state=State.PROBLEM,
        message=f"the database is damaged: {'; '.join(faults)}",
        remedy="move the file away and ingest again; what it holds stays readable where it is",
    )


def _embedder_found(embedder: Embedder | None) -> Finding:
    if embedder is None:
        return Finding(part="embedder", state=State.OK, message="none is set: search goes by words only")
    identity = embedder.identity
    return Finding(part="embedder", state=State.OK, message=f"{identity.name}, {identity.width} dimensions")
