"""Where this user's data and configuration lie."""

from collections.abc import Mapping
from pathlib import Path

from imprint.errors import NoHomeError

__all__ = ["find_config_file", "find_data_folder"]


def find_data_folder(environ: Mapping[str, str]) -> Path:
    """`IMPRINT_DATA_DIR`, else the platform's place for a user's data.

    Raises:
        NoHomeError: The user has no home folder.
    """
    named = environ.get("IMPRINT_DATA_DIR")
    return Path(named).expanduser().absolute() if named else _user_folder("data", option="--data-dir")


def find_config_file() -> Path:
    """`config.toml` in the platform's place for a user's configuration.

    Raises:
        NoHomeError: The user has no home folder.
    """
    return _user_folder("config", option="--config") / "config.toml"


def _user_folder(kind: str, *, option: str) -> Path:
    import platformdirs  # some runs are told both places

    try:
        folders = platformdirs.PlatformDirs("imprint", appauthor=False)
        path = Path(folders.user_data_dir if kind == "data" else folders.user_config_dir)
    except RuntimeError as error:
        raise NoHomeError(option=option) from error
    if not path.is_absolute():  # older releases leave "~" where they find no home
        raise NoHomeError(option=option)
    return path
