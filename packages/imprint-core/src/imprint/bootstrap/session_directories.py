"""Where a session works, as the client that started its server says."""

from collections.abc import Mapping
from pathlib import Path

from imprint.services.sessions import detect_session_directory

__all__ = ["find_session_directory"]

_PROGRAM = "imprint-mcp"
_PATIENCE_SECONDS = 5.0
"""Half of what the least patient client gives a server to start."""


def find_session_directory(
    client: str, environ: Mapping[str, str], cwd: Path | None, *, patience_seconds: float = _PATIENCE_SECONDS
) -> Path | None:
    """Ask the plugin of a client; where it does not know, go by the environment and the working directory.

    A plugin that fails, hangs or is not there keeps no server from starting: `imprint doctor` tells of it.

    Args:
        client: Its name; empty: unknown.
        cwd: `None` where it was deleted or cannot be read.
        patience_seconds: How long its plugin is waited for.
    """
    told = _ask_patiently(client, environ, cwd, patience_seconds) if client else None
    directory = Path(told) if told else None
    return directory if directory and directory.is_absolute() else detect_session_directory(environ, cwd)


def _ask_patiently(client: str, environ: Mapping[str, str], cwd: Path | None, seconds: float) -> str | None:
    """Ask on a thread, which goes with the process where it never ends; `None` where there was no answer."""
    from queue import SimpleQueue  # most servers are started without a client's name
    from threading import Thread

    answers: SimpleQueue[str | None] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put(_ask(client, environ, cwd))
        except Exception as error:  # noqa: BLE001 - whatever a plugin raises
            _note(client, environ, error)

    thread = Thread(target=ask, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        _note(client, environ, TimeoutError())
    return None if answers.empty() else answers.get()


def _note(client: str, environ: Mapping[str, str], error: Exception) -> None:
    from imprint.bootstrap.hook_faults import note_hook_fault

    note_hook_fault(client, _PROGRAM, error, environ=environ)


def _ask(client: str, environ: Mapping[str, str], cwd: Path | None) -> str | None:
    """What the plugin says: ours as its module; a stranger's, and one that may be blocked, through the registry."""
    from imprint.adapters.client_files import RealClientFiles
    from imprint.bootstrap.shipped_clients import import_shipped_client

    given: dict[str, object] = {
        "payload": {},
        "environ": environ,
        "cwd": str(cwd) if cwd else "",
        "files": RealClientFiles(environ.get("PATH", "")),
    }
    told: str | None
    plugin = import_shipped_client(client, environ)
    if plugin is None:
        from imprint.bootstrap.application import open_application

        with open_application(environ=environ) as application:
            told = application.plugins.load("clients", client).call("detect_cwd", **given)
    else:
        hook = plugin.detect_cwd
        wanted = hook.__code__.co_varnames[: hook.__code__.co_argcount]
        told = hook(**{name: given[name] for name in wanted})
    return told
