"""Files made ready by several processes: parsing keeps one processor busy for longer than anything else."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing

import attrs

from imprint.errors import UnreadableFileError
from imprint.protocols.workers import Workers
from imprint.services.file_preparation import FilePreparation, PreparationRequest, Prepared

__all__ = ["ParallelPreparation"]

_TASK_BYTES = 250_000


@attrs.frozen(kw_only=True)
class ParallelPreparation:
    """Meets `imprint.services.file_preparation.Preparation`; much work is shared out.

    Attributes:
        alone: For little work.
        workers: Each does `FilePreparation.prepare_all` on a tuple of requests and gives back a tuple.
        worth_starting_bytes: From so much on, starting them pays.
    """

    alone: FilePreparation
    workers: Workers
    worth_starting_bytes: int = 4_000_000

    @property
    def max_file_bytes(self) -> int:
        return self.alone.max_file_bytes

    def prepare_all(self, requests: Sequence[PreparationRequest]) -> Generator[Prepared, None, None]:
        """One result a request, in order. A file that ends the process which reads it fails; the others do not."""
        if self.workers.count < 2 or sum(request.found.size for request in requests) < self.worth_starting_bytes:
            yield from self.alone.prepare_all(requests)
            return
        tasks = list(_share_out(requests))
        with closing(self._map(tasks)) as results:
            for task, result in zip(tasks, results, strict=True):
                yield from result if result is not None else self._prepare_singly(task)

    def _prepare_singly(self, task: Sequence[PreparationRequest]) -> Iterator[Prepared]:
        with closing(self._map([(request,) for request in task])) as results:
            for request, result in zip(task, results, strict=True):
                if result is None:
                    yield UnreadableFileError(request.found.path, "the process that read it ended")
                else:
                    yield from result

    def _map(
        self, tasks: Sequence[tuple[PreparationRequest, ...]]
    ) -> Generator[tuple[Prepared, ...] | None, None, None]:
        yield from self.workers.map(tasks)


def _share_out(requests: Sequence[PreparationRequest]) -> Iterator[tuple[PreparationRequest, ...]]:
    task: list[PreparationRequest] = []
    size = 0
    for request in requests:
        task.append(request)
        size += request.found.size
        if size >= _TASK_BYTES:
            yield tuple(task)
            task, size = [], 0
    if task:
        yield tuple(task)
