"""Transcripts on this device, and what a workspace's store holds of the conversations in them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from imprint.domain.indexing import IndexedText
from imprint.domain.sources import CanonicalPath, Chunk, Source, SourceId, SourceKey
from imprint.domain.transcripts import KnownTurn, TranscriptId, TranscriptRecord, TranscriptState
from imprint.protocols.clients import TranscriptReader
from imprint.protocols.versions import Replacement

__all__ = ["ConversationStore", "SaidTurn", "TranscriptFiles"]


class TranscriptFiles(Protocol):
    """The files that clients keep transcripts in; never written, never locked."""

    def resolver(self) -> Callable[[CanonicalPath], CanonicalPath]:
        """What gives the place of a file: its folder's links are resolved, once, and a link in its own place is it."""
        ...

    def look(self, path: CanonicalPath) -> TranscriptState | None:
        """`None` where there is no regular file."""
        ...

    def mark(self, path: CanonicalPath, size: int) -> str:
        """What tells a file's first bytes, as many as are given, from another file's; they are not all read.

        Nothing tells an empty file from another: its mark is empty, and no file has that.

        Raises:
            TranscriptUnreadableError: It cannot be read.
        """
        ...

    def is_marked(self, path: CanonicalPath, mark: str) -> bool:
        """Whether a file still begins with what was marked.

        Raises:
            TranscriptUnreadableError: It cannot be read.
        """
        ...

    def open(self, path: CanonicalPath) -> AbstractContextManager[TranscriptReader]:
        """Read a transcript as it is at this moment.

        Raises:
            TranscriptUnreadableError: It cannot be read.
        """
        ...


class SaidTurn(NamedTuple):
    """A turn as it is stored: its number, the digest of its text, its passages. Many at once: hence a tuple."""

    number: int
    digest: int
    chunks: Sequence[tuple[Chunk, IndexedText]]


class ConversationStore(Protocol):
    """Conversations, which grow; and the record of the transcripts they were learned from.

    What is said and how far the transcript was read are written in one transaction: a crash loses nothing that the
    record calls learned, and stores nothing twice.
    """

    def transcripts(self, client: str) -> Mapping[TranscriptId, TranscriptRecord]:
        """Every transcript of a client that is on record. Forgotten with its conversation."""
        ...

    def known_turns(
        self, source: SourceKey, numbers: Collection[int], *, staged: SourceId | None = None
    ) -> Mapping[int, KnownTurn]:
        """Those that are stored, in this conversation or in another, and those that were purged with another.

        Args:
            staged: The version that is being written; what it is to replace does not count.
        """
        ...

    def last_text(self, source: SourceKey) -> str:
        """The last passage of a conversation; empty where there is none."""
        ...

    def append_turns(
        self,
        source: Source,
        turns: Sequence[SaidTurn],
        record: TranscriptRecord,
        *,
        staged: SourceId | None = None,
    ) -> Replacement:
        """Add turns to a conversation, which is made where it is new, and record how far its transcript was read.

        A source without turns is not made. Excluded ones are not written, and nothing is recorded; of excluded turns
        nothing is written.

        Args:
            source: As it is now; its title stays where this one has none.
            staged: The version they are for; the record is kept when it is published.

        Raises:
            WorkspaceDeletedError: The workspace was deleted meanwhile.
        """
        ...

    def stage_conversation(self, source: Source) -> SourceId:
        """Begin a version that replaces the whole conversation once it is published; nobody sees it before."""
        ...

    def publish_conversation(self, source: Source, staged: SourceId, record: TranscriptRecord) -> Replacement:
        """Put a staged version in the place of the conversation. One that holds nothing only takes that one away.

        Raises:
            StoreBusyError: It was given up meanwhile, as one that nobody works on.
        """
        ...

    def record_transcript(self, record: TranscriptRecord, *, moved_from: TranscriptId | None = None) -> None:
        """Remember a transcript without writing anything that was said.

        Args:
            moved_from: The record it takes the place of: the file was moved.
        """
        ...

    def settle_transcript(self, id: TranscriptId, state: TranscriptState) -> None:
        """Remember that all there is to do about a transcript in this state is done, if it is still on record."""
        ...
