"""The composition root: settings, adapters and plugins become services.

* `application`: every service of a process, built when it is first asked for.
* `chosen_plugins`: the embedder and the vector backend that the settings choose.
* `preparation`: files made ready to be indexed, by this process and by workers.
* `embedding_workers`: processes that embed.
* `connections`, `learning`: clients, and what their sessions leave.
* `language_models`: the model that reads conversations, if one is chosen.
* `jobs`, `hooks`: background work, and what asks for it.
* `session_directories`, `shipped_clients`: what a client's plugin says, for programs that have little time.
* `faults`: the log of what must not happen.

Each name is loaded when it is first asked for: a client's hook takes next to nothing of it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from imprint.bootstrap.application import Application, open_application
    from imprint.bootstrap.embedding_workers import serve_embedding
    from imprint.bootstrap.faults import record_fault
    from imprint.bootstrap.preparation import serve_preparation

__all__ = ["Application", "open_application", "record_fault", "serve_embedding", "serve_preparation"]

_MODULES = {
    "application": ("Application", "open_application"),
    "embedding_workers": ("serve_embedding",),
    "faults": ("record_fault",),
    "preparation": ("serve_preparation",),
}


def __getattr__(name: str) -> object:
    for module, names in _MODULES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
