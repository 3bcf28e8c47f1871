"""Much to embed is shared out among processes: an embedder that uses one processor would leave the others idle."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from imprint.domain.identifiers import ToEmbed, embedding_text
from imprint.protocols.embedders import Embedder
from imprint.protocols.workers import Workers
from imprint.services.embedding_batches import EmbeddingBatch

if TYPE_CHECKING:
    from imprint.protocols.embedders import Matrix

__all__ = ["embed_batches", "embed_parts"]

_WORTH_STARTING = 8
"""So many batches take longer than processes need to start."""


def embed_batches(
    embedder: Embedder, batches: Iterable[EmbeddingBatch], open_workers: Callable[[], Workers | None]
) -> Generator[tuple[EmbeddingBatch, "Matrix"], None, None]:
    """Each batch with the rows of its chunks, in order.

    Where a worker ends over a batch, or has another model, this process embeds that batch and all that follow.

    Args:
        open_workers: Asked when there is enough to do. Each worker does `embed_parts` on a sequence and gives back the
            identity of its model and the rows.
    """
    unread = iter(batches)
    first = list(islice(unread, _WORTH_STARTING))
    remaining = chain(first, unread)
    workers = open_workers() if len(first) == _WORTH_STARTING else None
    if workers is not None and workers.count > 1:
        handed_out: deque[EmbeddingBatch] = deque()
        with closing(_map(workers, _hand_out(remaining, handed_out))) as results:
            for result in results:
                if result is None or result[0] != embedder.identity:
                    break
                batch = handed_out.popleft()
                yield batch, batch.blend(result[1])
        remaining = chain(handed_out, remaining)
    for batch in remaining:
        yield batch, batch.blend(embed_parts(embedder, batch.parts))


def embed_parts(embedder: Embedder, parts: Sequence[ToEmbed]) -> "Matrix":
    """One row a part, whose text is written here: that takes a third of the time."""
    return embedder.embed_documents([embedding_text(part) for part in parts])


def _hand_out(batches: Iterable[EmbeddingBatch], handed_out: deque[EmbeddingBatch]) -> Iterator[Sequence[ToEmbed]]:
    for batch in batches:
        handed_out.append(batch)
        yield batch.parts


def _map(workers: Workers, tasks: Iterator[Sequence[ToEmbed]]) -> Generator[Any, None, None]:
    yield from workers.map(tasks)
