"""Where the transcripts of a run are from: files that a client keeps, or an export of an account."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import PurePath
from typing import Protocol, TypeAlias

import attrs

from imprint.domain.conversations import Checkpoint, TranscriptItem
from imprint.domain.sources import CanonicalPath
from imprint.domain.transcripts import TranscriptId, TranscriptRecord, TranscriptState, is_unchanged
from imprint.plugins.clients import TranscriptReference
from imprint.plugins.handles import PluginHandle
from imprint.protocols.clients import TranscriptReader
from imprint.protocols.transcripts import TranscriptFiles

__all__ = ["ClientTranscripts", "Reading", "TranscriptOrigin"]

Reading: TypeAlias = Callable[[str], Iterator[TranscriptItem]]
"""Gives what a transcript holds from a checkpoint on; from the start where that is empty."""


class TranscriptOrigin(Protocol):
    """How the transcripts of one client or service are looked at and read."""

    @property
    def client(self) -> str: ...

    def place(self, path: CanonicalPath) -> CanonicalPath:
        """Where a path leads to: what was purged there stays out whichever way it is reached."""
        ...

    def identify(self, reference: TranscriptReference) -> TranscriptId: ...

    def look(self, reference: TranscriptReference) -> TranscriptState | None:
        """`None` where it is gone."""
        ...

    def ended_before(self, reference: TranscriptReference, state: TranscriptState, moment_ns: int) -> bool:
        """Whether nothing was said since, as far as that can be told without reading."""
        ...

    def is_current(self, record: TranscriptRecord, reference: TranscriptReference, state: TranscriptState) -> bool:
        """Whether what is on record is all that the transcript holds, or newer."""
        ...

    def is_replaced(self, record: TranscriptRecord, reference: TranscriptReference) -> bool:
        """Whether it is to be read anew, though it is on record.

        Raises:
            TranscriptUnreadableError: It cannot be read.
        """
        ...

    def lasting_name(self, id: TranscriptId) -> str:
        """What stays of a transcript's identity when it is moved."""
        ...

    def is_moved(self, record: TranscriptRecord, reference: TranscriptReference) -> bool:
        """Whether what is on record elsewhere under the same lasting name is this one.

        Raises:
            TranscriptUnreadableError: It cannot be read.
        """
        ...

    def directories(self, reference: TranscriptReference) -> Iterable[str]:
        """Those that it was held in, as far as they are told apart from it."""
        ...

    def mark(self, reference: TranscriptReference, state: TranscriptState) -> str:
        """What tells it from another one that takes its place; empty where its fingerprint does.

        Raises:
            TranscriptUnreadableError: It cannot be read.
        """
        ...

    def open(self, reference: TranscriptReference) -> AbstractContextManager[Reading]:
        """Read it as it is at this moment.

        Raises:
            TranscriptUnreadableError: It cannot be read.
        """
        ...


@attrs.frozen
class ClientTranscripts:
    """Meets `TranscriptOrigin`: the files that a client keeps.

    Attributes:
        localize: A directory as the client writes it, as this process reaches it; empty: it does not.
    """

    handle: PluginHandle
    files: TranscriptFiles
    localize: Callable[[str], str]
    _resolve: Callable[[CanonicalPath], CanonicalPath] = attrs.field(init=False)

    @_resolve.default
    def _begin(self) -> Callable[[CanonicalPath], CanonicalPath]:
        return self.files.resolver()

    @property
    def client(self) -> str:
        return self.handle.reference.name

    def place(self, path: CanonicalPath) -> CanonicalPath:
        return self._resolve(path)

    def identify(self, reference: TranscriptReference) -> TranscriptId:
        return TranscriptId(self.client, str(self.place(reference.path)), reference.conversation)

    def look(self, reference: TranscriptReference) -> TranscriptState | None:
        return self.files.look(reference.path)

    def ended_before(self, reference: TranscriptReference, state: TranscriptState, moment_ns: int) -> bool:
        return state.mtime_ns < moment_ns and not reference.fingerprint

    def is_current(self, record: TranscriptRecord, reference: TranscriptReference, state: TranscriptState) -> bool:
        return is_unchanged(record, state, reference.fingerprint)

    def is_replaced(self, record: TranscriptRecord, reference: TranscriptReference) -> bool:
        return not reference.fingerprint and not self.files.is_marked(reference.path, record.mark)

    def lasting_name(self, id: TranscriptId) -> str:
        return PurePath(id.path).name

    def is_moved(self, record: TranscriptRecord, reference: TranscriptReference) -> bool:
        """Archived, or its folder renamed."""
        return not record.fingerprint and self.files.is_marked(reference.path, record.mark)

    def directories(self, reference: TranscriptReference) -> Iterable[str]:
        return map(self._reach, filter(None, (reference.cwd, *reference.directories)))

    def mark(self, reference: TranscriptReference, state: TranscriptState) -> str:
        return "" if reference.fingerprint else self.files.mark(reference.path, state.size)

    @contextmanager
    def open(self, reference: TranscriptReference) -> Iterator[Reading]:
        with self.files.open(reference.path) as reader:
            yield partial(self._read, reference, reader)

    def _read(self, reference: TranscriptReference, reader: TranscriptReader, since: str) -> Iterator[TranscriptItem]:
        items: Iterator[TranscriptItem] = self.handle.call(
            "read_transcript", transcript=reference, reader=reader, since=since
        )
        return map(self._localized, items)

    def _localized(self, item: TranscriptItem) -> TranscriptItem:
        return item if isinstance(item, Checkpoint) else item._replace(cwd=self._reach(item.cwd))

    def _reach(self, directory: str) -> str:
        """A directory as this process reaches it; one that it does not reach stays as it was written."""
        return self.localize(directory) or directory
