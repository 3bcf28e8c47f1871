"""The conversations of an export, one after the other, as a run of learning takes them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b

import attrs

from imprint.domain.conversations import Checkpoint, TranscriptItem
from imprint.domain.sources import CanonicalPath
from imprint.domain.times import moment_ns, storable_ns
from imprint.domain.transcripts import TranscriptId, TranscriptRecord, TranscriptState
from imprint.plugins.clients import TranscriptReference
from imprint.plugins.exports import ExportedConversation
from imprint.plugins.handles import PluginHandle
from imprint.protocols.exports import ExportContent
from imprint.services.transcript_origins import Reading

__all__ = ["ExportedConversations"]

_WHOLE = Checkpoint("whole")
_DIGEST = "digest "
"""Begins the fingerprint of a conversation whose entry tells no moment; those of others are moments."""


@attrs.define
class ExportedConversations:
    """Meets `imprint.services.transcript_origins.TranscriptOrigin` for one export, read once from its first entry on.

    Only the conversation that was given last can be looked at: an export may be larger than memory.
    """

    handle: PluginHandle
    content: ExportContent
    _entry: Mapping[str, object] = attrs.field(init=False, factory=dict)
    _said: ExportedConversation = attrs.field(init=False, default=ExportedConversation(conversation=""))

    @property
    def client(self) -> str:
        return self.handle.reference.name

    def references(self) -> Iterator[TranscriptReference]:
        """Each conversation; of several copies in one export those that are newer than all before.

        Raises:
            ExportDamagedError: What follows cannot be read.
        """
        given: dict[str, str] = {}
        for entry in self.content.entries():
            said: ExportedConversation | None = self.handle.call("describe_conversation", entry=entry)
            if said is None:
                continue
            fingerprint = said.updated or _digest(entry)
            if _is_as_new(given.get(said.conversation, ""), fingerprint):
                continue
            given[said.conversation] = fingerprint
            self._entry, self._said = entry, said
            yield TranscriptReference(
                path=self.content.path, conversation=said.conversation, fingerprint=fingerprint, title=said.title
            )

    def place(self, path: CanonicalPath) -> CanonicalPath:
        return path

    def identify(self, reference: TranscriptReference) -> TranscriptId:
        return TranscriptId(self.client, str(reference.path), reference.conversation)

    def look(self, reference: TranscriptReference) -> TranscriptState | None:
        del reference
        return TranscriptState(self.content.size, storable_ns(moment_ns(self._said.updated)))

    def ended_before(self, reference: TranscriptReference, state: TranscriptState, moment_ns: int) -> bool:
        del reference
        return bool(self._said.updated) and state.mtime_ns < moment_ns

    def is_current(self, record: TranscriptRecord, reference: TranscriptReference, state: TranscriptState) -> bool:
        del state
        return _is_as_new(record.fingerprint, reference.fingerprint)

    def is_replaced(self, record: TranscriptRecord, reference: TranscriptReference) -> bool:
        """A newer copy takes the place of the older one: another branch may be the one that counts now."""
        del record, reference
        return True

    def lasting_name(self, id: TranscriptId) -> str:
        return id.conversation

    def is_moved(self, record: TranscriptRecord, reference: TranscriptReference) -> bool:
        """A conversation is the same in every export."""
        return record.id.conversation == reference.conversation

    def directories(self, reference: TranscriptReference) -> Iterable[str]:
        """An export tells of none."""
        del reference
        return ()

    def mark(self, reference: TranscriptReference, state: TranscriptState) -> str:
        del reference, state
        return ""

    @contextmanager
    def open(self, reference: TranscriptReference) -> Iterator[Reading]:
        del reference
        yield self._read

    def _read(self, since: str) -> Iterator[TranscriptItem]:
        del since
        yield from self.handle.call("read_conversation", entry=self._entry)
        yield _WHOLE


def _is_as_new(known: str, offered: str) -> bool:
    if known.startswith(_DIGEST) or offered.startswith(_DIGEST):
        return known == offered
    return known >= offered


def _digest(entry: Mapping[str, object]) -> str:
    return _DIGEST + blake2b(json.dumps(entry, sort_keys=True).encode(), digest_size=16).hexdigest()
