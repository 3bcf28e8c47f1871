"""Cursor's windows: which folders each had open, and which chats were held in it."""

import json
from collections.abc import Iterator, Mapping, Sequence

import attrs

from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.window_folders import noted_uris, path_of_uri, read_noted

__all__ = ["Windows", "find_windows"]

_NOTES = "workspace.json"
_STATE = "state.vscdb"
_CHATS = "SELECT CAST(value AS TEXT) FROM ItemTable WHERE key = 'composer.composerData'"


@attrs.define
class Windows:
    """What the windows tell.

    Attributes:
        composers: The folders of each chat, of all windows that it was held in; `None`: it had some, and nothing tells
            them.
        folders: Every folder that a window had open.
        is_whole: Whether each window told its chats: a chat of none may else have been held in any folder.
    """

    composers: dict[str, tuple[str, ...] | None] = attrs.field(factory=dict)
    folders: set[str] = attrs.field(factory=set)
    is_whole: bool = True

    def find_folders(self, chats: Sequence[str]) -> tuple[str, ...] | None:
        """Where a chat was held; empty: in a window without a folder. `None` where that cannot be told.

        Args:
            chats: Its id, and those of the chats that it is a part of: windows may know of these alone.
        """
        if not self.is_whole and self.composers.keys().isdisjoint(chats):
            return None
        return self.find_told(chats)

    def find_told(self, chats: Sequence[str]) -> tuple[str, ...] | None:
        """Likewise, as far as windows tell; empty too where none does."""
        told = [self.composers[chat] for chat in chats if chat in self.composers]
        return None if None in told else tuple(dict.fromkeys(folder for folders in told for folder in folders or ()))


def find_windows(storage: CanonicalPath, files: ClientFiles) -> Windows:
    """Look through the storage of every window."""
    windows = Windows()
    for name in files.names(storage):
        inside = files.names(storage / name)
        folders = _open_folders(storage / name / _NOTES, files) if _NOTES in inside else ()
        windows.folders.update(folders or ())
        try:
            chats = list(_chats(storage / name / _STATE, files)) if _STATE in inside else []
        except ClientFileUnreadableError:
            windows.is_whole = False
            continue
        for chat in chats:
            before = windows.composers.get(chat, ())
            both = None if before is None or folders is None else dict.fromkeys((*before, *folders))
            windows.composers[chat] = None if both is None else tuple(both)
    return windows


def _open_folders(path: CanonicalPath, files: ClientFiles) -> tuple[str, ...] | None:
    """As paths; a place on another machine stays a URI, which is no place on this one. `None` where nothing tells."""
    uris = list(noted_uris(read_noted(path, files) or {}, files))
    places = [path_of_uri(uri) or ("" if uri.startswith("file:") else uri) for uri in uris]
    return tuple(dict.fromkeys(map(str, places))) if places and all(places) else None


def _chats(path: CanonicalPath, files: ClientFiles) -> Iterator[str]:
    for (value,) in files.rows(path, _CHATS):
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
