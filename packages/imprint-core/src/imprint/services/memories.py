"""Memories and inline texts: what people and agents write down, and forget."""

from collections.abc import Callable, Sequence
from hashlib import blake2b

import attrs

from imprint.domain.chunking import chunk_outline
from imprint.domain.identifiers import index_text
from imprint.domain.indexing import IndexedText
from imprint.domain.languages import Language, detect_language
from imprint.domain.outlines import Document, Outline
from imprint.domain.redaction import Redact
from imprint.domain.sources import Chunk, ChunkId, MemoryKind, Source, SourceKey, SourceKind, WorkspaceName
from imprint.errors import EmptyTextError, ExcludedSourceError, InvalidMemoryKindError, PluginError
from imprint.protocols.clocks import Clock
from imprint.protocols.stores import Replacement, SourceStore, StoreOpener, WorkspaceStore
from imprint.services.extraction import Extractors
from imprint.services.references import find_forgettable

__all__ = ["AddedText", "Forgotten", "Memories", "Remembered", "has_key_of_its_text", "rename_memory"]


@attrs.frozen
class Remembered:
    """A memory; ``repeated`` when it was there already, word for word, and nothing was written.

    Attributes:
        ids: Of its passages: more than one when it is long.
        redactions: Secrets that were taken out of it.
        notes: What the writer should know about it.
    """

    key: SourceKey
    ids: tuple[ChunkId, ...]
    repeated: bool
    redactions: int = 0
    notes: tuple[str, ...] = ()


@attrs.frozen
class AddedText:
    """An inline text; ``changed`` is false when it was there already, word for word, and nothing was written."""

    key: SourceKey
    ids: tuple[ChunkId, ...]
    changed: bool
    redactions: int = 0


@attrs.frozen
class Forgotten:
    """The memories and inline texts that are gone."""

    keys: tuple[SourceKey, ...]


@attrs.frozen
class Memories:
    """The use cases. What they write is searched by words at once, by meaning after the next embedding pass.

    Attributes:
        redact: Asked before anything is stored.
        embed: Embeds what a store holds since a chunk, in a process that has the embedder at hand: there a memory is
            searched by meaning at once.
    """

    stores: StoreOpener
    extractors: Extractors
    clock: Clock
    redact: Redact
    embed: Callable[[WorkspaceStore, ChunkId], None] | None = None

    def remember(
        self, workspace: WorkspaceName, text: str, *, kind: str = "", project: str = "", origin: str = ""
    ) -> Remembered:
        """Store a memory.

        The same text in the same project is the same memory: repeating it changes nothing, unless another kind or
        origin is given.

        Args:
            kind: A `MemoryKind`; empty: that of the memory which is repeated, or a note.
            origin: Key of the source it was drawn from; purging that source takes the memory too.

        Raises:
            EmptyTextError: There is nothing to remember.
            InvalidMemoryKindError: There is no such kind.
            ExcludedSourceError: The origin was purged from the workspace.
        """
        text, redactions = self.redact(_clean(text).strip())
        if not text:
            raise EmptyTextError("memory")
        wanted = _parse_kind(kind) if kind else None
        key = _memory_key(project, text)
        with self.stores.open(workspace) as store:
            known = store.find_source(key)
            if known and (wanted or known.source.memory_kind, origin or known.source.origin) == (
                known.source.memory_kind,
                known.source.origin,
            ):
                return Remembered(key, _ids(store, key), repeated=True, redactions=redactions)
            source = Source(
                key=key,
                kind=SourceKind.MEMORY,
                origin=origin or (known.source.origin if known else ""),
                project=project,
                memory_kind=wanted or (known.source.memory_kind if known else None) or MemoryKind.NOTE,
                size=len(text.encode()),
                digest=_digest(text),
                time=known.source.time if known else self.clock.now(),
            )
            _write(store, source, Outline(text=text, is_prose=True), workspace)
            ids = _ids(store, key)
            return Remembered(key, ids, repeated=False, redactions=redactions, notes=self._embed(store, ids))

    def add_text(
        self, workspace: WorkspaceName, name: str, text: str, *, format: str = "", project: str = ""
    ) -> AddedText:
        """Store an inline document under a name, in place of the one that had it.

        Args:
            format: A file suffix such as ``md`` or ``py``; empty: that of the name, else plain text.

        Raises:
            EmptyTextError: The name or the text is empty.
            ExcludedSourceError: This name was purged from the workspace.
        """
        name, named = self.redact(_clean(name).strip())
        text, redactions = self.redact(_clean(text).replace("\r\n", "\n"))
        if not name:
            raise EmptyTextError("name")
        if not text.strip():
            raise EmptyTextError("text")
        language = detect_language(f"text.{format.removeprefix('.')}" if format else name)
        source = Source(
            key=SourceKey(f"text:{name}"),
            kind=language.kind,
            project=project,
            language="" if language.is_prose else language.name,
            title=name,
            size=len(text.encode()),
            digest=_digest(text),
            time=self.clock.now(),
        )
        with self.stores.open(workspace) as store:
            known = store.find_source(source.key)
            if known and attrs.evolve(source, time=known.source.time) == known.source:
                return AddedText(source.key, _ids(store, source.key), changed=False, redactions=named + redactions)
            _write(store, source, self._outline(name, text, format, language), workspace)
            return AddedText(source.key, _ids(store, source.key), changed=True, redactions=named + redactions)

    def forget(self, workspace: WorkspaceName, references: Sequence[str]) -> Forgotten:
        """Forget memories and inline texts whole, each named by its key or by the id of one of its passages.

        Raises:
            UnknownPassageError: Nothing has one of these ids; nothing was forgotten.
            NotForgettableError: One belongs to a source that refreshing would bring back; nothing was forgotten.
        """
        with self.stores.open(workspace) as store:
            keys = find_forgettable(store, references)
            store.remove_sources(keys)
        return Forgotten(keys)

    def _embed(self, store: WorkspaceStore, ids: Sequence[ChunkId]) -> tuple[str, ...]:
        if self.embed is not None and ids:
            try:
                self.embed(store, ChunkId(min(ids) - 1))
            except PluginError as error:
                return (f"it is found by words only, until the next ingest: {error}",)
        return ()

    def _outline(self, name: str, text: str, format: str, language: Language) -> Outline:
        file_name = f"{name}.{format.removeprefix('.')}" if format else name
        return self.extractors.outline(Document(name=file_name, language=language.name, data=text.encode(), text=text))


def has_key_of_its_text(source: Source, text: str) -> bool:
    """Whether a memory was written down by somebody, as this text, and not drawn from a conversation."""
    return source.key == _memory_key(source.project, text)


def rename_memory(store: WorkspaceStore, source: Source, text: str) -> None:
    """Give a memory whose text was changed the key that this text has: remembered again it is the same memory."""
    key = _memory_key(source.project, text)
    if store.find_source(key) is None:
        renamed = attrs.evolve(source, key=key, size=len(text.encode()), digest=_digest(text))
        _write(store, renamed, Outline(text=text, is_prose=True), store.workspace)
    store.remove_sources([source.key])


def _write(store: SourceStore, source: Source, outline: Outline, workspace: WorkspaceName) -> None:
    chunks: list[tuple[Chunk, IndexedText]] = [(chunk, index_text(chunk, source)) for chunk in chunk_outline(outline)]
    if store.replace_source(source, chunks) is Replacement.EXCLUDED:
        raise ExcludedSourceError(source.origin or source.key, workspace)


def _ids(store: SourceStore, key: SourceKey) -> tuple[ChunkId, ...]:
    return tuple(chunk.id for chunk in store.source_chunks(key))


def _memory_key(project: str, text: str) -> SourceKey:
    return SourceKey("memory:" + _digest(f"{project}\0{text}")[:16])


def _parse_kind(text: str) -> MemoryKind:
    try:
        return MemoryKind(text)
    except ValueError:
        raise InvalidMemoryKindError(text, tuple(kind.value for kind in MemoryKind)) from None


def _clean(text: str) -> str:
    """Text that UTF-8 can hold: command lines and JSON may carry half a character."""
    return text.encode("utf-8", "replace").decode()


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
