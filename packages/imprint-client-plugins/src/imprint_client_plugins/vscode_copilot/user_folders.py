"""Where the builds of VS Code keep a user's settings and conversations, by system."""

from collections.abc import Iterator, Mapping

from imprint.domain.paths import parse_path
from imprint.domain.sources import CanonicalPath
from imprint.errors import InvalidPathError
from imprint.plugins.clients import ClientHome

__all__ = ["PROGRAMS", "user_folders"]

_BUILDS = {
    "code": "Code",
    "code-insiders": "Code - Insiders",
    "codium": "VSCodium",
    "codium-insiders": "VSCodium - Insiders",
    "code-server": "code-server",
}
PROGRAMS = tuple(_BUILDS)
"""The builds' programs, the usual one first."""

_BASES: Mapping[str, tuple[str, str]] = {
    "linux": ("XDG_CONFIG_HOME", ".config"),
    "macos": ("", "Library/Application Support"),
    "windows": ("APPDATA", "AppData/Roaming"),
}
_SERVER_BASE = ("XDG_DATA_HOME", ".local/share")


def user_folders(home: ClientHome) -> Iterator[CanonicalPath]:
    """The user's folder of each build, in the order of `PROGRAMS`, there or not."""
    for program, name in _BUILDS.items():
        base = _SERVER_BASE if program == "code-server" else _BASES.get(home.system, _BASES["linux"])
        yield _find_base(home, *base) / name / "User"


def _find_base(home: ClientHome, variable: str, usual: str) -> CanonicalPath:
    moved = home.environ.get(variable, "") if variable else ""
    try:
        return parse_path(moved) if moved else home.path / usual
    except InvalidPathError:  # as programs take such a variable: for not set
        return home.path / usual
