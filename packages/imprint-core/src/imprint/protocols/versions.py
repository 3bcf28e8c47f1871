"""Versions that leave one store and enter another: for bundles, and for moves between workspaces."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import StrEnum
from typing import NamedTuple, Protocol

import attrs

from imprint.domain.facts import Fact
from imprint.domain.sources import SourceId, SourceKey
from imprint.domain.versions import FactVersion, SourceVersion
from imprint.protocols.embedders import ModelIdentity

__all__ = [
    "CopiedSource",
    "FactMerge",
    "Replacement",
    "SourceMerge",
    "StoreSnapshot",
    "VersionStore",
]


class Replacement(StrEnum):
    """What became of a source that was to be written."""

    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    KEPT = "kept"
    EXCLUDED = "excluded"


class SourceMerge(NamedTuple):
    """What became of a version, and the number it has in the store; `None` where it was not written."""

    outcome: Replacement
    version: SourceId | None


@attrs.frozen(kw_only=True)
class FactMerge:
    """What became of facts.

    Attributes:
        ended: Known here as holding still; they have their end now.
        known: Known here already, or ended here.
    """

    added: int = 0
    ended: int = 0
    known: int = 0
    excluded: int = 0


@attrs.frozen(kw_only=True)
class CopiedSource:
    """A source with all that hangs on it, as a store held it at one moment.

    Attributes:
        number: Of this version in that store.
        vectors: By model, then by the chunk's place: a row of float16, all zeros where the model knows nothing of it.
        facts: Those drawn from the source.
    """

    number: SourceId
    version: SourceVersion
    vectors: Mapping[ModelIdentity, Mapping[int, bytes]]
    facts: tuple[Fact, ...]


class StoreSnapshot(Protocol):
    """All that a store holds at one moment, but for what an exclusion covers."""

    @property
    def schema(self) -> int: ...

    def sources(self) -> Iterator[SourceVersion]:
        """In key order."""
        ...

    def facts(self) -> Iterator[FactVersion]: ...

    def models(self) -> tuple[ModelIdentity, ...]: ...

    def vectors(self, model: ModelIdentity) -> Iterator[tuple[int, bytes]]:
        """Rows of float16, each with its chunk's number, counted from 0 through the chunks of `sources`.

        A row of zeros says that the model knows nothing of the chunk; a chunk without a row waits for its vector.
        """
        ...


class VersionStore(Protocol):
    """What a store does for bundles and moves."""

    def snapshot(self) -> AbstractContextManager[StoreSnapshot]:
        """Hold one snapshot while others write; nothing else may be asked of this open store meanwhile."""
        ...

    def merge_sources(self, versions: Sequence[SourceVersion]) -> list[SourceMerge]:
        """Write versions unless the same or a newer one is here; each is compared in the transaction that writes it.

        Raises:
            WorkspaceDeletedError: The workspace was deleted meanwhile.
        """
        ...

    def merge_vectors(self, model: ModelIdentity, rows: Mapping[SourceId, Mapping[int, bytes]]) -> int:
        """Store vectors of versions' chunks, by their places; nothing of a version that was replaced meanwhile.

        A row of zeros says that the model knows nothing of the chunk.
        """
        ...

    def merge_facts(self, facts: Sequence[FactVersion]) -> FactMerge:
        """Record facts that are not known yet, and end those that hold here and have ended there."""
        ...

    def copy_sources(self, keys: Sequence[SourceKey]) -> list[CopiedSource]:
        """All that hangs on some sources; unknown keys are passed over."""
        ...

    def remove_copied(self, copies: Sequence[CopiedSource]) -> frozenset[SourceKey]:
        """Delete what was copied, as far as it is still what was copied; the keys that are gone."""
        ...

    def wipe(self) -> None:
        """Empty the store in one transaction; numbers are not used again. What follows is pending as after a purge.

        Raises:
            WorkspaceDeletedError: The workspace was deleted meanwhile.
        """
        ...

    def purge_excluded(self) -> int:
        """Delete for good whatever an exclusion of the workspace covers; the number of sources."""
        ...
