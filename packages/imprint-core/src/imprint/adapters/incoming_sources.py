"""Sources on their way into a store: whether each is written, and which are written together."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import attrs

from imprint.adapters.store_connections import ROWS_A_TRANSACTION, Permit
from imprint.adapters.store_rows import SOURCE_COLUMNS, source_of
from imprint.domain.indexing import IndexedText
from imprint.domain.purge import is_excluded
from imprint.domain.sources import Chunk, Source, SourceKey, SourceKind
from imprint.domain.versions import Standing, compare_versions
from imprint.protocols.versions import Replacement

__all__ = ["IncomingSource", "IndexedChunk", "group_sources", "judge_incoming"]

IndexedChunk: TypeAlias = tuple[Chunk, IndexedText]


@attrs.frozen
class IncomingSource:
    """A source to be written.

    Attributes:
        indexed_at: When it was indexed elsewhere, and then it replaces older versions only; empty: now, and it
            replaces whatever is there.
    """

    source: Source
    chunks: Sequence[IndexedChunk]
    indexed_at: str = ""

    @property
    def durable(self) -> bool:
        """Whether it must survive a power cut: what cannot be read again from where it was."""
        return self.source.kind is SourceKind.MEMORY or bool(self.indexed_at)


def judge_incoming(permit: Permit, incoming: IncomingSource) -> Replacement | None:
    """Why a source is not to be written; `None` where it is.

    One whose content is here already makes that content as new as it is, so that older content does not replace it.
    """
    if is_excluded(incoming.source, permit.exclusions):
        return Replacement.EXCLUDED
    if not incoming.indexed_at:
        return None
    row = permit.connection.execute(
        f"SELECT {SOURCE_COLUMNS}, s.id, s.indexed_at FROM sources AS s WHERE s.key = ? AND s.state = 'live'",
        (incoming.source.key,),
    ).fetchone()
    if row is None:
        return None
    *_, id, indexed_at = row
    standing = compare_versions(
        ours=source_of(row),
        ours_indexed_at=indexed_at,
        theirs=incoming.source,
        theirs_indexed_at=incoming.indexed_at,
    )
    if standing is Standing.SAME and incoming.indexed_at > indexed_at:
        permit.connection.execute("UPDATE sources SET indexed_at = ? WHERE id = ?", (incoming.indexed_at, id))
    return {Standing.SAME: Replacement.UNCHANGED, Standing.OLDER: Replacement.KEPT}.get(standing)


def group_sources(batch: Sequence[IncomingSource]) -> Iterator[list[IncomingSource]]:
    """Small sources together up to the rows of one transaction, no key twice; a large one alone."""
    group: list[IncomingSource] = []
    keys: set[SourceKey] = set()
    rows = 0
    for one in batch:
        if group and (rows + len(one.chunks) > ROWS_A_TRANSACTION or one.source.key in keys):
            yield group
            group, keys, rows = [], set(), 0
        group.append(one)
        keys.add(one.source.key)
        rows += max(len(one.chunks), 1)
    if group:
        yield group
