"""Where desktop apps keep their data, by the conventions of each system."""

from imprint.domain.paths import parse_path
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome

__all__ = ["app_data", "local_app_data"]


def app_data(home: ClientHome) -> CanonicalPath:
    """The folder in which each app has one of its own."""
    if home.system == "macos":
        return home.path / "Library" / "Application Support"
    if home.system == "windows":
        return _moved(home, "APPDATA") or home.path / "AppData" / "Roaming"
    return _moved(home, "XDG_CONFIG_HOME") or home.path / ".config"


def local_app_data(home: ClientHome) -> CanonicalPath:
    """On Windows: the folder for what stays on this machine."""
    return _moved(home, "LOCALAPPDATA") or home.path / "AppData" / "Local"


def _moved(home: ClientHome, variable: str) -> CanonicalPath | None:
    named = home.environ.get(variable)
    return parse_path(named) if named else None
