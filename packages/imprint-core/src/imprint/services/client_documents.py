"""What clients read to their models: the user's rules, and what a client noted by itself, stored as documents.

They are apart from what was said: nobody has to have said them, and each is replaced whole.
"""

from collections.abc import Callable, Iterable
from hashlib import blake2b

import attrs

from imprint.domain.chunking import chunk_outline
from imprint.domain.claim_reasons import explain_claims
from imprint.domain.config_text.markdown_blocks import take_block
from imprint.domain.encodings import decode_text
from imprint.domain.identifiers import index_text
from imprint.domain.outlines import Document, Outline
from imprint.domain.purge import is_key_excluded
from imprint.domain.redaction import Redact
from imprint.domain.skips import SkipReason
from imprint.domain.sources import CanonicalPath, Source, SourceKey, SourceKind
from imprint.errors import ImprintError, StoreError, WorkspaceDeletedError
from imprint.plugins.clients import ClientDocument, Installation
from imprint.protocols.clients import ClientFiles
from imprint.protocols.stores import WorkspaceStore
from imprint.protocols.transcripts import TranscriptFiles
from imprint.protocols.versions import Replacement
from imprint.services.claims import ConversationClaims
from imprint.services.indexing_reports import Outcome
from imprint.services.learning_plans import LearningPlan
from imprint.services.learning_reports import ConversationVerdict, LearnTally
from imprint.services.redaction import outline_without_secrets

__all__ = ["ClientDocuments"]

_LARGEST = 1 << 20


@attrs.frozen(kw_only=True)
class ClientDocuments:
    """One client's documents in one run.

    Attributes:
        place: Where a path leads to.
        directories_beside: The directories that the transcripts in a folder record; none: it holds none that was read.
        find_project: The project's name, by a directory and the project's folder.
    """

    plan: LearningPlan
    installation: Installation
    store: WorkspaceStore | None
    files: ClientFiles
    looks: TranscriptFiles
    place: Callable[[CanonicalPath], CanonicalPath]
    claims: ConversationClaims
    outline: Callable[[Document], Outline]
    redact: Redact
    find_project: Callable[[CanonicalPath, CanonicalPath], str]
    directories_beside: Callable[[CanonicalPath], tuple[str, ...]]
    tally: LearnTally

    def learn(self, documents: Iterable[ClientDocument]) -> None:
        """Store what is new, drop what is gone; what cannot be read is listed.

        Raises:
            StoreError: The store cannot be written.
        """
        prefix = f"document:{self.installation.address}/"
        known = {} if self.store is None else {one.source.key: one for one in self.store.sources(glob=f"{prefix}*")}
        there: set[SourceKey] = set()
        for document in documents:
            key = SourceKey(prefix + self._name(document.path))
            there.add(key)
            try:
                if not self._learn(document, key, known[key].source if key in known else None):
                    there.discard(key)
            except (StoreError, WorkspaceDeletedError):
                raise
            except ImprintError as error:
                self.tally.fail(str(document.path), error)
        gone = known.keys() - there if there else set()  # all at once: more likely a folder that cannot be listed
        if gone:
            self.tally.count(Outcome.REMOVED, len(gone))
            if self.store is not None and not self.plan.dry_run:
                self.store.remove_sources(gone)

    def _name(self, path: CanonicalPath) -> str:
        folder = self.installation.folder
        return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else path.as_posix()

    def _learn(self, document: ClientDocument, key: SourceKey, known: Source | None) -> bool:
        """Whether the document is there."""
        path = self.place(document.path)
        state = self.looks.look(path)
        if state is None:
            return False
        if any(is_key_excluded(name, self.plan.exclusions) for name in (str(path), key)):
            self._conclude(Outcome.EXCLUDED, document, key)
        elif not self._is_allowed(document):
            if state.size > _LARGEST or self._text_of(document).strip():
                self._conclude(Outcome.REFUSED, document, key)
            else:
                self.tally.skip(str(path), SkipReason.EMPTY)
        elif known is not None and (known.size, known.mtime_ns) == (state.size, state.mtime_ns):
            self._conclude(Outcome.UNCHANGED, document, key)
        elif state.size > _LARGEST:
            self.tally.skip(str(path), SkipReason.TOO_LARGE)
        else:
            source = Source(
                key=key, kind=SourceKind.DOCUMENT, path=path, size=state.size, mtime_ns=state.mtime_ns, title=path.name
            )
            self._store(document, source, known)
        return True

    def _directories(self, document: ClientDocument) -> tuple[str, ...]:
        return () if document.transcripts is None else self.directories_beside(document.transcripts)

    def _is_allowed(self, document: ClientDocument) -> bool:
        """A project's document goes where its conversations go; where none tells which project it is, nowhere."""
        directories = self._directories(document)
        if document.transcripts is not None and not directories:
            return False
        return self.claims.allow(self.plan.workspace, directories)

    def _store(self, document: ClientDocument, source: Source, known: Source | None) -> None:
        text = self._text_of(document)
        if not text.strip():
            self.tally.skip(str(document.path), SkipReason.EMPTY)
            return
        place = self.claims.find_project(self._directories(document))
        outline, redactions = outline_without_secrets(
            Document(name=document.path.name, language="markdown", data=text.encode(), text=text),
            self.outline,
            self.redact,
        )
        source = attrs.evolve(
            source,
            project=self.find_project(*place) if place is not None else "",
            title=outline.title or document.path.name,
            digest=blake2b(outline.text.encode("utf-8", "replace"), digest_size=20).hexdigest(),
        )
        outcome = Outcome.CHANGED if known is not None else Outcome.ADDED
        if self.store is not None and not self.plan.dry_run:
            chunks = [(chunk, index_text(chunk, source)) for chunk in chunk_outline(outline)]
            if self.store.replace_source(source, chunks) is Replacement.EXCLUDED:
                outcome = Outcome.EXCLUDED
            else:
                self.tally.chunks += len(chunks)
                self.tally.redactions += redactions
        self._conclude(outcome, document, source.key)

    def _text_of(self, document: ClientDocument) -> str:
        """What it says beside our own instructions."""
        data = self.files.read(document.path) or b""
        return decode_text(take_block(data, str(document.path)), lambda _: None)

    def _conclude(self, outcome: Outcome, document: ClientDocument, key: SourceKey) -> None:
        self.tally.count(outcome)
        if self.plan.dry_run:
            self.tally.conversations.append(self._judge(outcome, document, key))

    def _judge(self, outcome: Outcome, document: ClientDocument, key: SourceKey) -> ConversationVerdict:
        directories = self._directories(document)
        allowed = tuple(name for name in self.plan.workspaces if self.claims.allow(name, directories))
        reason = explain_claims(self.claims.describe(directories), inbox=self.plan.inbox)
        if document.transcripts is not None and not directories:
            allowed, reason = (), "no transcript beside it tells which project it is about"
        return ConversationVerdict(
            client=self.installation.client,
            source=key,
            path=str(document.path),
            title="",
            outcome=outcome,
            workspaces=allowed,
            reason=reason,
        )
