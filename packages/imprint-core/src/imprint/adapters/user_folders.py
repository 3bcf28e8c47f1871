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
    if named:
        return Path(named).expanduser().absolute()
    import platformdirs

    return _checked(Path(platformdirs.user_data_dir("imprint", appauthor=False)), option="--data-dir")


def find_config_file() -> Path:
    """`config.toml` in the platform's place for a user's configuration.

    Raises:
        NoHomeError: The user has no home folder.
    """
    import platformdirs

    return _checked(Path(platformdirs.user_config_dir("imprint", appauthor=False)) / "config.toml", option="--config")


def _checked(path: Path, *, option: str) -> Path:
    if not path.is_absolute():  # platformdirs leaves "~" where it finds no home
        raise NoHomeError(option=option)
    return path
