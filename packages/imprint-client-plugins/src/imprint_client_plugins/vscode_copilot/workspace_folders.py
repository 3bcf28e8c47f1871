"""Which folders a window of VS Code had open: what stands in the folder in which it keeps that window's things."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import unquote, urlsplit

from imprint.domain.config_text.json_text import parse_json
from imprint.domain.paths import parse_path
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError, InvalidClientFileError, InvalidPathError
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.vscode_copilot.chat_journals import Journal, read_entry

__all__ = ["find_workspace_folders"]

_DRIVE = re.compile(r"/([A-Za-z]):(?=/|$)")


def find_workspace_folders(storage: CanonicalPath, files: ClientFiles) -> tuple[str, ...]:
    """The folders, as paths; none where nothing tells them, or where one of them is on another machine.

    The desktop's builds note a folder or a file of folders in ``workspace.json``; code-server notes neither, but its
    chats name the folder with their answers.
    """
    noted = _read_object(storage / "workspace.json", files)
    uris = _noted_uris(noted, files) if noted else dict.fromkeys(_uris_of_chats(storage / "chatSessions", files))
    paths = [_path_of(uri) for uri in uris]
    return tuple(dict.fromkeys(map(str, paths))) if all(paths) else ()


def _noted_uris(noted: Mapping[str, object], files: ClientFiles) -> Iterator[str]:
    """A folder's URI, or those that the file of a window of several folders lists."""
    folder, workspace = noted.get("folder"), noted.get("workspace")
    if isinstance(folder, str):
        yield folder
    elif isinstance(workspace, str):
        file = _path_of(workspace)
        if file is not None:
            yield from _listed_uris(file, files)


def _listed_uris(file: CanonicalPath, files: ClientFiles) -> Iterator[str]:
    listed = (_read_object(file, files) or {}).get("folders")
    for one in listed if isinstance(listed, list) else ():
        path, uri = (one.get("path"), one.get("uri")) if isinstance(one, dict) else (None, None)
        yield _uri_of(file.parent / path) if isinstance(path, str) else str(uri)


def _uris_of_chats(folder: CanonicalPath, files: ClientFiles) -> Iterator[str]:
    for name in files.names(folder):
        journal = Journal()
        data = _read(folder / name, files) or b""
        for number, line in enumerate(data.split(b"\n"), start=1):
            entry = read_entry(line)
            if entry is not None:
                journal.apply(entry, number)
        yield from journal.find_folders()


def _path_of(uri: str) -> CanonicalPath | None:
    """A folder of this machine; those behind a resolver (``ssh-remote+host``, ``dev-container+…``) are on others."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme not in ("file", "vscode-remote") or "+" in unquote(parts.netloc):
        return None
    path = unquote(parts.path)
    share = f"//{parts.netloc}" if parts.scheme == "file" and parts.netloc else ""
    try:
        return parse_path(_DRIVE.sub(r"\1:", path, count=1) if not share else (share + path).replace("/", "\\"))
    except InvalidPathError:
        return None


def _uri_of(path: CanonicalPath) -> str:
    """Without the dots that a file of folders may have in its paths."""
    parts: list[str] = []
    for part in path.parts[1:]:
        if part == "..":
            del parts[-1:]
        else:
            parts.append(part)
    kind = PureWindowsPath if isinstance(path, PureWindowsPath) else PurePosixPath
    return kind(path.parts[0], *parts).as_uri()


def _read_object(path: CanonicalPath, files: ClientFiles) -> Mapping[str, object] | None:
    data = _read(path, files)
    try:
        value = parse_json(data, str(path)).get(()) if data else None
    except InvalidClientFileError:
        return None
    return value if isinstance(value, dict) else None


def _read(path: CanonicalPath, files: ClientFiles) -> bytes | None:
    try:
        return files.read(path)
    except ClientFileUnreadableError:
        return None
