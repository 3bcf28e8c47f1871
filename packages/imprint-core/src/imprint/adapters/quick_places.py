"""Where the user's data and configuration lie, for a program that has no time to ask `user_folders`."""

import os
import sys
from collections.abc import Mapping

__all__ = ["find_config_path", "find_data_path"]


def find_data_path(environ: Mapping[str, str]) -> str:
    """The same as `user_folders.find_data_folder`."""
    if named := environ.get("IMPRINT_DATA_DIR"):
        return os.path.abspath(os.path.expanduser(named))  # noqa: PTH100, PTH111 (`pathlib` is half a hook's budget)
    if _follows_xdg(environ):
        return _under_xdg(environ, "XDG_DATA_HOME", ".local/share")
    from imprint.adapters.user_folders import find_data_folder

    return str(find_data_folder(environ))


def find_config_path(environ: Mapping[str, str]) -> str:
    """The same as `user_folders.find_config_file`."""
    if _follows_xdg(environ):
        return _under_xdg(environ, "XDG_CONFIG_HOME", ".config") + "/config.toml"
    from imprint.adapters.user_folders import find_config_file

    return str(find_config_file())


def _follows_xdg(environ: Mapping[str, str]) -> bool:
    return sys.platform == "linux" and os.path.isabs(environ.get("HOME", "")) and "ANDROID_ROOT" not in environ  # noqa: PTH117


def _under_xdg(environ: Mapping[str, str], variable: str, usual: str) -> str:
    named = environ.get(variable, "")
    if not named.strip():
        return f"{environ['HOME'].rstrip('/')}/{usual}/imprint"
    if not os.path.isabs(named):  # noqa: PTH117
        from imprint.errors import NoHomeError

        raise NoHomeError(option="IMPRINT_DATA_DIR")
    return f"{named.rstrip('/')}/imprint"
