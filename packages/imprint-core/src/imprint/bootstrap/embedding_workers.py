"""Processes that embed beside the one that reads and writes the store."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from imprint.domain.identifiers import ToEmbed
    from imprint.domain.setting_sections import Settings
    from imprint.plugins.registry import PluginRegistry
    from imprint.protocols.embedders import Matrix, ModelIdentity
    from imprint.protocols.workers import Workers

    EmbeddedParts: TypeAlias = tuple[ModelIdentity, Matrix]

__all__ = ["open_embedding_workers", "serve_embedding"]

_MOST_WORKERS = 4
"""More are of no use: one process writes what they embed."""

_PROGRAM = "from imprint.bootstrap.embedding_workers import serve_embedding; serve_embedding()"


def open_embedding_workers(settings: "Settings", plugins: "PluginRegistry") -> "Workers | None":
    """The processes, none of them started yet; `None` where the chosen embedder is better opened once."""
    from imprint.adapters.worker_processes import WorkerProcesses, count_processors

    chosen = settings.embedder
    if not plugins.load("embedders", chosen.plugin).call("describe_embedder").shareable:
        return None
    return WorkerProcesses(
        count=min(count_processors(), _MOST_WORKERS),
        program=_PROGRAM,
        setup=(settings.plugins.blocked, chosen.plugin, chosen.model),
    )


def serve_embedding() -> None:
    """What such a process runs: passages become rows until there are no more."""
    from imprint.adapters.worker_processes import serve_tasks
    from imprint.plugins.registry import PluginRegistry
    from imprint.plugins.values import EmbedderSettings
    from imprint.services.parallel_embedding import embed_parts

    def prepare(setup: tuple[tuple[str, ...], str, str]) -> "Callable[[Sequence[ToEmbed]], EmbeddedParts]":
        blocked, plugin, model = setup
        handle = PluginRegistry(blocked=blocked).load("embedders", plugin)
        embedder = handle.call("open_embedder", settings=EmbedderSettings(model=model)).__enter__()
        return lambda parts: (embedder.identity, embed_parts(embedder, parts))

    serve_tasks(prepare)
