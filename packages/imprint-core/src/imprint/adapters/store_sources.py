"""Reading the sources of a store and their chunks."""

from collections.abc import Iterator, Sequence
from pathlib import PureWindowsPath
from typing import Any

from imprint.adapters.store_connections import StoreConnection
from imprint.adapters.store_filters import in_list, source_conditions
from imprint.adapters.store_rows import CHUNK_COLUMNS, SOURCE_COLUMNS, source_of, stored_chunk_of
from imprint.domain.sources import CanonicalPath, ChunkId, SourceId, SourceKey, StoredChunk, StoredSource
from imprint.protocols.stores import FileState, StoreCounts

__all__ = ["SourceReading"]

_PAGE = 500

_LIVE_CHUNKS = """
FROM chunks AS c JOIN sources AS s ON s.id = c.source AND s.state = 'live' JOIN passages AS p ON p.chunk = c.id
"""


class SourceReading(StoreConnection):
    """What `imprint.protocols.stores.SourceStore` reads."""

    def find_source(self, key: SourceKey) -> StoredSource | None:
        with self._file.read() as connection:
            row = connection.execute(
                f"SELECT {SOURCE_COLUMNS}, s.id, s.chunks, s.indexed_at FROM sources AS s "
                "WHERE s.key = ? AND s.state = 'live'",
                (key,),
            ).fetchone()
        return None if row is None else _stored_source_of(row)

    def sources(self, *, kinds: Sequence[str] = (), glob: str = "", project: str = "") -> Iterator[StoredSource]:
        conditions, values = source_conditions(kinds=kinds, glob=glob, project=project)
        statement = (
            f"SELECT {SOURCE_COLUMNS}, s.id, s.chunks, s.indexed_at FROM sources AS s "
            f"WHERE s.key > ? AND s.state = 'live'{conditions} ORDER BY s.key LIMIT {_PAGE}"
        )
        last = ""
        while True:
            with self._file.read() as connection:
                page = [_stored_source_of(row) for row in connection.execute(statement, (last, *values))]
            yield from page
            if len(page) < _PAGE:
                return
            last = page[-1].source.key

    def file_states(self, folder: CanonicalPath) -> dict[SourceKey, FileState]:
        separator = "\\" if isinstance(folder, PureWindowsPath) else "/"
        prefix = str(folder).rstrip(separator) + separator
        beyond = prefix[:-1] + chr(ord(separator) + 1)
        with self._file.read() as connection:
            rows = connection.execute(
                "SELECT key, mtime_ns, size, digest FROM sources WHERE (key = ? OR (key >= ? AND key < ?)) "
                "AND path = key AND mtime_ns IS NOT NULL AND size IS NOT NULL AND state = 'live'",
                (str(folder), prefix, beyond),
            ).fetchall()
        return {SourceKey(key): FileState(mtime_ns, size, digest) for key, mtime_ns, size, digest in rows}

    def chunks(self, ids: Sequence[ChunkId]) -> list[StoredChunk]:
        found: dict[ChunkId, StoredChunk] = {}
        with self._file.read() as connection:
            for start in range(0, len(ids), _PAGE):
                some = ids[start : start + _PAGE]
                rows = connection.execute(f"SELECT {CHUNK_COLUMNS} {_LIVE_CHUNKS} WHERE c.id {in_list(some)}", some)
                found.update((chunk.id, chunk) for chunk in map(stored_chunk_of, rows))
        return [found[id] for id in ids if id in found]

    def source_chunks(self, key: SourceKey, *, start: int = 0, limit: int = -1) -> list[StoredChunk]:
        with self._file.read() as connection:
            rows = connection.execute(
                f"SELECT {CHUNK_COLUMNS} {_LIVE_CHUNKS} WHERE s.key = ? AND c.ordinal >= ? ORDER BY c.ordinal LIMIT ?",
                (key, start, limit),
            )
            return [stored_chunk_of(row) for row in rows]

    def chunk_count(self) -> int:
        with self._file.read() as connection:
            (count,) = connection.execute(
                "SELECT (SELECT count(*) FROM chunks) - (SELECT count(*) FROM unseen)"
            ).fetchone()
        return int(count)

    def counts(self) -> StoreCounts:
        with self._file.read() as connection:
            kinds = connection.execute(
                "SELECT kind, count(*), sum(chunks) FROM sources WHERE state = 'live' GROUP BY kind ORDER BY kind"
            ).fetchall()
            chunks = sum(count for _, _, count in kinds)
            vectors, vectorless = connection.execute(
                """
                WITH newest (model) AS (SELECT max(id) FROM models WHERE NOT dropped)
                SELECT (SELECT count(*) FROM vectors JOIN newest USING (model) WHERE chunk NOT IN unseen),
                       (SELECT count(*) FROM vectorless JOIN newest USING (model) WHERE chunk NOT IN unseen)
                """
            ).fetchone()
            (facts,) = connection.execute("SELECT count(*) FROM facts").fetchone()
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            (page_size,) = connection.execute("PRAGMA page_size").fetchone()
        return StoreCounts(
            sources={kind: count for kind, count, _ in kinds},
            chunks=chunks,
            vectors=vectors,
            pending=chunks - vectors - vectorless,
            facts=facts,
            bytes=pages * page_size,
        )


def _stored_source_of(row: tuple[Any, ...]) -> StoredSource:
    id, chunks, indexed_at = row[-3:]
    return StoredSource(id=SourceId(id), source=source_of(row), chunks=chunks, indexed_at=indexed_at)
