"""Where editors of the family of Visual Studio Code keep what their extensions store."""

from collections.abc import Iterator

from imprint.domain.paths import parse_path
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome
from imprint.protocols.clients import ClientFiles

__all__ = ["find_extension_folders"]

_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
# What runs on another machine or in a browser keeps its own below the home there.
_SERVERS = (
    ".vscode-server/data",
    ".vscode-server-insiders/data",
    ".vscode-remote/data",
    ".cursor-server/data",
    ".local/share/code-server",
)


def find_extension_folders(home: ClientHome, files: ClientFiles, extension: str) -> Iterator[CanonicalPath]:
    """The folders of an extension that are there, one an editor.

    Args:
        extension: ``PUBLISHER.NAME``.
    """
    base = _applications(home)
    users = [*(base / editor for editor in _EDITORS), *(home.path.joinpath(*name.split("/")) for name in _SERVERS)]
    for user in users:
        folder = user / "User" / "globalStorage" / extension
        if files.is_folder(folder):
            yield folder


def _applications(home: ClientHome) -> CanonicalPath:
    match home.system:
        case "windows":
            moved = home.environ.get("APPDATA")
            return parse_path(moved) if moved else home.path / "AppData" / "Roaming"
        case "macos":
            return home.path / "Library" / "Application Support"
    moved = home.environ.get("XDG_CONFIG_HOME")
    return parse_path(moved) if moved else home.path / ".config"
