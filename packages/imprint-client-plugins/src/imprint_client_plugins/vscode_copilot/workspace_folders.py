"""Which folders a window of VS Code had open: what stands in the folder in which it keeps that window's things."""

from collections.abc import Iterator

from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.vscode_copilot.chat_journals import Journal, read_entry
from imprint_client_plugins.window_folders import noted_uris, path_of_uri, read_noted

__all__ = ["find_workspace_folders"]


def find_workspace_folders(storage: CanonicalPath, files: ClientFiles) -> tuple[str, ...] | None:
    """The folders, as paths; empty where one of them is on another machine, `None` where nothing tells them.

    The desktop's builds note a folder or a file of folders in ``workspace.json``; code-server notes neither, but its
    chats name the folder with their answers, once it has saved one.
    """
    noted = read_noted(storage / "workspace.json", files)
    uris = noted_uris(noted, files) if noted else dict.fromkeys(_uris_of_chats(storage / "chatSessions", files))
    paths = [path_of_uri(uri) for uri in uris]
    if noted is None and not paths:
        return None
    return tuple(dict.fromkeys(map(str, paths))) if all(paths) else ()


def _uris_of_chats(folder: CanonicalPath, files: ClientFiles) -> Iterator[str]:
    for name in files.names(folder):
        journal = Journal()
        try:
            data = files.read(folder / name) or b""
        except ClientFileUnreadableError:
            continue
        for number, line in enumerate(data.split(b"\n"), start=1):
            entry = read_entry(line)
            if entry is not None:
                journal.apply(entry, number)
        yield from journal.find_folders()
