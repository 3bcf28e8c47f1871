"""Files made ready to be indexed: a few by this process, many by workers beside it."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from imprint.domain.setting_sections import Settings
    from imprint.protocols.files import FileTree
    from imprint.services.extraction import Extractors
    from imprint.services.file_preparation import PreparationRequest, Prepared
    from imprint.services.parallel_preparation import ParallelPreparation

__all__ = ["prepare_in_parallel", "serve_preparation"]

_MOST_WORKERS = 4
"""More are of no use: one process writes what they prepare."""

_PROGRAM = "from imprint.bootstrap.preparation import serve_preparation; serve_preparation()"


def prepare_in_parallel(
    files: "FileTree", settings: "Settings", extractors: "Callable[[], Extractors]"
) -> "ParallelPreparation":
    """Compose the preparation of an ingest.

    Args:
        extractors: Loaded only if there is a document.
    """
    from imprint.adapters.charsets import guess_encoding
    from imprint.adapters.worker_processes import WorkerProcesses, count_processors
    from imprint.domain.redaction import Redactor
    from imprint.services.file_preparation import FilePreparation
    from imprint.services.parallel_preparation import ParallelPreparation

    alone = FilePreparation(
        files=files,
        outline=lambda document: extractors().outline(document),
        redact=Redactor(settings.redaction.allow).redact,
        guess_encoding=guess_encoding,
        max_file_bytes=settings.ingest.max_file_bytes,
    )
    workers = WorkerProcesses(
        count=min(count_processors(), _MOST_WORKERS),
        program=_PROGRAM,
        setup=(settings.plugins.blocked, settings.redaction.allow, settings.ingest.max_file_bytes),
    )
    return ParallelPreparation(alone=alone, workers=workers)


def serve_preparation() -> None:
    """What a worker process of an ingest runs: files become chunks until there are no more."""
    from imprint.adapters.charsets import guess_encoding
    from imprint.adapters.files import RealFileTree
    from imprint.adapters.worker_processes import serve_tasks
    from imprint.domain.redaction import Redactor
    from imprint.plugins.registry import PluginRegistry
    from imprint.services.extraction import Extractors
    from imprint.services.file_preparation import FilePreparation

    def prepare(
        setup: tuple[tuple[str, ...], tuple[str, ...], int],
    ) -> "Callable[[Sequence[PreparationRequest]], tuple[Prepared, ...]]":
        blocked, allow, max_file_bytes = setup
        preparation = FilePreparation(
            files=RealFileTree(homes=(), environ={}),
            outline=Extractors(PluginRegistry(blocked=blocked).handles("extractors")).outline,
            redact=Redactor(allow).redact,
            guess_encoding=guess_encoding,
            max_file_bytes=max_file_bytes,
        )
        return lambda requests: tuple(preparation.prepare_all(requests))

    serve_tasks(prepare)
