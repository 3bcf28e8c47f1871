"""Which folders a window of VS Code, or of what was made of it, had open: what its ``workspace.json`` notes."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import unquote, urlsplit

from imprint.domain.config_text.json_text import parse_json
from imprint.domain.paths import parse_path
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError, InvalidClientFileError, InvalidPathError
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.transcript_lines import spoken

__all__ = ["noted_uris", "path_of_uri", "read_noted"]

_DRIVE = re.compile(r"/([A-Za-z]):(?=/|$)")


def read_noted(path: CanonicalPath, files: ClientFiles) -> Mapping[str, object] | None:
    """What a file notes; `None` where it is not there, or is no such file."""
    try:
        data = files.read(path)
        value = parse_json(data, str(path)).get(()) if data else None
    except (ClientFileUnreadableError, InvalidClientFileError):
        return None
    return value if isinstance(value, dict) else None


def noted_uris(noted: Mapping[str, object], files: ClientFiles) -> Iterator[str]:
    """A folder's URI, or those that the file of a window of several folders lists, and where that file lies.

    Such a file may come with a project: without its own folder it could give a conversation away to the folders that
    it names by now.
    """
    folder, workspace = noted.get("folder"), noted.get("workspace")
    if isinstance(folder, str):
        yield spoken(folder)
    elif isinstance(workspace, str) and (file := path_of_uri(spoken(workspace))) is not None:
        listed = list(_listed_uris(file, files))
        yield from listed
        if listed:
            yield file.parent.as_uri()


def path_of_uri(uri: str) -> CanonicalPath | None:
    """A folder of this machine; those behind a resolver (``ssh-remote+host``, ``dev-container+…``) are on others."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    host = unquote(parts.netloc)
    if parts.scheme not in ("file", "vscode-remote") or "+" in host:
        return None
    path = unquote(parts.path)
    is_share = parts.scheme == "file" and host.lower() not in ("", "localhost")
    try:
        return parse_path(f"//{host}{path}".replace("/", "\\") if is_share else _DRIVE.sub(r"\1:", path, count=1))
    except InvalidPathError:
        return None


def _listed_uris(file: CanonicalPath, files: ClientFiles) -> Iterator[str]:
    listed = (read_noted(file, files) or {}).get("folders")
    for one in listed if isinstance(listed, list) else ():
        path, uri = (one.get("path"), one.get("uri")) if isinstance(one, dict) else (None, None)
        yield _uri_of(file.parent / spoken(path)) if isinstance(path, str) else spoken(str(uri))


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
