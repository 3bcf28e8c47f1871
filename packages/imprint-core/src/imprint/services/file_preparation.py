"""One file becomes a source and its chunks, ready to be written."""

from collections.abc import Callable, Generator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeAlias

import attrs

from imprint.domain.chunking import chunk_outline
from imprint.domain.encodings import decode_text
from imprint.domain.identifiers import index_text
from imprint.domain.indexing import IndexedText
from imprint.domain.languages import Language, detect_language
from imprint.domain.outlines import Document, Outline
from imprint.domain.redaction import Redact
from imprint.domain.skips import SkipReason, is_binary, skip_by_head
from imprint.domain.sources import CanonicalPath, Chunk, Source, SourceKey, SourceKind
from imprint.domain.times import format_moment
from imprint.errors import SourceError
from imprint.protocols.files import FileTree, FoundFile, ReadFile
from imprint.protocols.stores import FileState
from imprint.services.redaction import outline_without_secrets

__all__ = ["FilePreparation", "Preparation", "PreparationRequest", "Prepared", "PreparedSource", "SameContent"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNSETTLED_TIME = 0
_SHEBANG_BYTES = 256


@attrs.frozen
class PreparedSource:
    """What `imprint.protocols.stores.SourceStore` takes.

    Attributes:
        redactions: Secrets that were taken out of it.
    """

    source: Source
    chunks: tuple[tuple[Chunk, IndexedText], ...]
    redactions: int = 0


@attrs.frozen
class SameContent:
    """The file was written again with what it held before."""

    state: FileState


@attrs.frozen(kw_only=True)
class PreparationRequest:
    """A file to be made ready.

    Attributes:
        known: The state it was last indexed in.
        root: Where the search for the project's manifest ends.
        project: The project's name where the user gave one.
    """

    found: FoundFile
    path: CanonicalPath
    known: FileState | None
    root: CanonicalPath
    project: str = ""


Prepared: TypeAlias = PreparedSource | SameContent | SkipReason | SourceError


class Preparation(Protocol):
    """Makes files ready."""

    @property
    def max_file_bytes(self) -> int: ...

    def prepare_all(self, requests: Sequence[PreparationRequest]) -> Generator[Prepared, None, None]:
        """One result a request, in order: what to write, why there is nothing to write, or what went wrong."""
        ...


@attrs.frozen(kw_only=True)
class FilePreparation:
    """Reads, decodes, outlines and cuts in this process; meets `Preparation`.

    Attributes:
        outline: The text extractors, as `imprint.services.extraction.Extractors.outline`.
        redact: Asked before anything is made of a text.
        guess_encoding: Asked when neither marks nor UTF-8 decide.
        max_file_bytes: Larger files are refused.
    """

    files: FileTree
    outline: Callable[[Document], Outline]
    redact: Redact
    guess_encoding: Callable[[bytes], str | None]
    max_file_bytes: int

    def prepare_all(self, requests: Sequence[PreparationRequest]) -> Generator[Prepared, None, None]:
        projects: dict[CanonicalPath, str] = {}
        for request in requests:
            try:
                yield self._prepare(request, projects)
            except SourceError as error:
                yield error

    def _prepare(self, request: PreparationRequest, projects: dict[CanonicalPath, str]) -> Prepared:
        path = request.path
        expected = detect_language(path.name)
        read = self.files.read(
            request.found.path,
            limit=self.max_file_bytes,
            judge=lambda head: skip_by_head(head, is_prose=expected.is_prose),
        )
        if not isinstance(read, ReadFile):
            return read.reason
        if request.known is not None and read.digest == request.known.digest:
            return SameContent(_state_of(read))
        language = detect_language(path.name, read.data[:_SHEBANG_BYTES])
        binary = is_binary(read.data)
        document = Document(
            name=path.name,
            language=language.name,
            data=read.data,
            text=None if binary else decode_text(read.data, self.guess_encoding),
        )
        outline, redactions = outline_without_secrets(document, self.outline, self.redact)
        if binary and not outline.text:
            return SkipReason.BINARY
        project = request.project
        if not project:
            if path.parent not in projects:
                projects[path.parent] = self.files.find_project(path.parent, root=request.root)
            project = projects[path.parent]
        source = _source_of(path, read, language, project, outline.title)
        chunks = tuple((chunk, index_text(chunk, source)) for chunk in chunk_outline(outline))
        return PreparedSource(source, chunks, redactions)


def _source_of(path: CanonicalPath, read: ReadFile, language: Language, project: str, title: str) -> Source:
    state = _state_of(read)
    return Source(
        key=SourceKey(str(path)),
        kind=language.kind,
        path=path,
        project=project,
        language=language.name if language.kind is SourceKind.CODE else "",
        title=title,
        mtime_ns=state.mtime_ns,
        size=state.size,
        digest=state.digest,
        time=_moment_of(read.mtime_ns),
    )


def _state_of(read: ReadFile) -> FileState:
    """Where the time does not tell versions apart, none is recorded, so that a refresh compares the content."""
    return FileState(read.mtime_ns if read.settled else _UNSETTLED_TIME, read.size, read.digest)


def _moment_of(mtime_ns: int) -> str:
    try:
        return format_moment(_EPOCH + timedelta(microseconds=mtime_ns // 1_000))
    except OverflowError:  # A file system may hold any number.
        return ""
