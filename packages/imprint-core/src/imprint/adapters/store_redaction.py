"""Taking secrets out of what a store holds already: passages, titles and facts are written anew without them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from imprint.adapters.store_connections import ROWS_A_TRANSACTION, Permit, StoreConnection
from imprint.adapters.store_purge import count_purge
from imprint.adapters.store_rows import CHUNK_COLUMNS, stored_chunk_of
from imprint.adapters.store_writing import insert_chunks
from imprint.domain.identifiers import index_text
from imprint.domain.sources import Chunk, StoredChunk

if TYPE_CHECKING:
    from imprint.domain.redaction import Redact

__all__ = ["StoredRedactions"]


class StoredRedactions(StoreConnection):
    """Meets `imprint.protocols.redactions.RedactionStore`.

    A passage gets a new id with its new text, as if it had been indexed again: so its old vector is gone for every
    index that was made of it, and it waits for a new one.
    """

    def redact_stored(self, redact: "Redact") -> int:
        count, titled = self._redact_titles(redact)
        for some in self._pages():
            changed = []
            for stored in some:
                chunk, found = _without_secrets(stored, redact)
                count += found
                if found or stored.source.key in titled:
                    changed.append(attrs.evolve(stored, chunk=chunk))
            if changed:
                with self._write_bulk(durable=True) as permit:
                    _rewrite(permit, changed)
        return count + self._redact_facts(redact)

    def _redact_titles(self, redact: "Redact") -> tuple[int, set[str]]:
        with self._file.read() as connection:
            rows = connection.execute("SELECT id, key, title FROM sources WHERE title <> ''").fetchall()
        changed = [(text, id, key, found) for id, key, title in rows for text, found in [redact(title)] if found]
        if changed:
            with self._write_bulk(durable=True) as permit:
                permit.connection.executemany("UPDATE sources SET title = ? WHERE id = ?", [one[:2] for one in changed])
                count_purge(permit.connection)
        return sum(one[3] for one in changed), {one[2] for one in changed}

    def _pages(self) -> Iterator[list[StoredChunk]]:
        """All there is when it begins, some at a time; what is written meanwhile has no secrets."""
        with self._file.read() as connection:
            (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM chunks").fetchone()
        after = 0
        while True:
            with self._file.read() as connection:
                rows: list[tuple[Any, ...]] = connection.execute(
                    f"SELECT {CHUNK_COLUMNS} FROM chunks AS c CROSS JOIN sources AS s ON s.id = c.source "
                    "CROSS JOIN passages AS p ON p.chunk = c.id WHERE c.id > ? AND c.id <= ? ORDER BY c.id LIMIT ?",
                    (after, last, ROWS_A_TRANSACTION),
                ).fetchall()
            if not rows:
                return
            page = [stored_chunk_of(row) for row in rows]
            after = page[-1].id
            yield page

    def _redact_facts(self, redact: "Redact") -> int:
        with self._file.read() as connection:
            rows = connection.execute("SELECT id, subject, predicate, object FROM facts").fetchall()
        count = 0
        changed = []
        for id, *words in rows:
            redacted = [redact(word) for word in words]
            if found := sum(number for _, number in redacted):
                count += found
                changed.append((*(text for text, _ in redacted), id))
        if changed:
            with self._write_bulk(durable=True) as permit:
                permit.connection.executemany(
                    "UPDATE facts SET subject = ?, predicate = ?, object = ? WHERE id = ?", changed
                )
                count_purge(permit.connection)
        return count


def _without_secrets(stored: StoredChunk, redact: "Redact") -> tuple[Chunk, int]:
    chunk = stored.chunk
    (text, in_text), (context, in_context), (symbol, in_symbol) = map(redact, (chunk.text, chunk.context, chunk.symbol))
    found = in_text + in_context + in_symbol
    return (attrs.evolve(chunk, text=text, context=context, symbol=symbol) if found else chunk), found


def _rewrite(permit: Permit, changed: Sequence[StoredChunk]) -> None:
    """Put new chunks in the places of old ones; one that is gone meanwhile stays gone."""
    connection = permit.connection
    for stored in changed:
        place = connection.execute("SELECT source, ordinal FROM chunks WHERE id = ?", (stored.id,)).fetchone()
        if place is not None:
            source, ordinal = place
            connection.execute("DELETE FROM chunks WHERE id = ?", (stored.id,))
            insert_chunks(connection, source, ordinal, [(stored.chunk, index_text(stored.chunk, stored.source))])
    # A file that a backend published before holds the old vectors still.
    connection.execute(
        "DELETE FROM generations WHERE EXISTS (SELECT 1 FROM tombstones "
        "WHERE tombstones.model = generations.model AND tombstones.seq > generations.position)"
    )
    count_purge(connection)
