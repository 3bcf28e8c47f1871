"""The log of faults of the program itself."""

from collections.abc import Mapping
from pathlib import Path

from imprint.adapters.clocks import SystemClock
from imprint.adapters.data_folders import DataFolder
from imprint.adapters.user_folders import find_data_folder
from imprint.errors import ImprintError

__all__ = ["record_fault"]


def record_fault(error: Exception, *, environ: Mapping[str, str], data_dir: Path | None = None) -> Path | None:
    """Write to the log where an unexpected error arose, never what it was about: logs hold no text of the user's.

    Returns:
        The log; `None` where it cannot be written.
    """
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    stack = "".join(f"  {frame.filename}:{frame.lineno} {frame.name}\n" for frame in frames)
    try:
        folder = DataFolder(data_dir.absolute() if data_dir else find_data_folder(environ))
        folder.make()
        folder.logs.mkdir(mode=0o700, exist_ok=True)
        log = folder.logs / "imprint.log"
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{SystemClock().now()} {type(error).__name__}\n{stack}")
    except (OSError, ImprintError):
        return None
    return log
