"""Cursor's windows: which folder each had open, and which chats were held in it."""

import json
from collections.abc import Iterator, Mapping
from urllib.parse import unquote, urlsplit

import attrs

from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError
from imprint.protocols.clients import ClientFiles

__all__ = ["Windows", "find_windows"]

_CHATS = "SELECT CAST(value AS TEXT) FROM ItemTable WHERE key = 'composer.composerData'"


@attrs.frozen
class Windows:
    """What the windows tell.

    Attributes:
        composers: The folder of each chat.
        folders: Every folder that a window had open.
    """

    composers: Mapping[str, str]
    folders: frozenset[str]


def find_windows(storage: CanonicalPath, files: ClientFiles) -> Windows:
    """Look through the storage of every window; one that cannot be read tells nothing."""
    composers: dict[str, str] = {}
    folders = set()
    for name in files.names(storage):
        folder = _open_folder(storage / name / "workspace.json", files)
        if folder:
            folders.add(folder)
            composers.update(dict.fromkeys(_chats(storage / name / "state.vscdb", files), folder))
    return Windows(composers, frozenset(folders))


def _open_folder(path: CanonicalPath, files: ClientFiles) -> str:
    """As a path; a place on another machine stays a URI, which is no place on this one."""
    try:
        told = _parse(files.read(path) or b"")
    except ClientFileUnreadableError:
        return ""
    uri = told.get("folder")
    if not isinstance(uri, str):
        return ""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return uri
    if parts.scheme != "file" or parts.netloc:
        return uri
    place = unquote(parts.path)
    return place[1:] if place[2:3] == ":" else place


def _chats(path: CanonicalPath, files: ClientFiles) -> Iterator[str]:
    try:
        values = [value for (value,) in files.rows(path, _CHATS)]
    except ClientFileUnreadableError:
        return
    for value in values:
        chats = _parse(value).get("allComposers")
        for chat in chats if isinstance(chats, list) else ():
            id = chat.get("composerId") if isinstance(chat, dict) else None
            if isinstance(id, str):
                yield id


def _parse(text: object) -> Mapping[str, object]:
    try:
        value = json.loads(text) if isinstance(text, str | bytes) else None
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
