"""Files that one process holds at a time; the operating system lets them go when their holder ends, however it ends."""

from collections.abc import Callable
from pathlib import Path

from imprint.errors import DataFolderError

__all__ = ["hold_file"]

_POLL_SECONDS = 0.02


def hold_file(path: Path, *, wait_seconds: float = 0) -> Callable[[], object] | None:
    """Hold a file, which is made for that and stays; what lets it go again, or `None` where another process holds it.

    Raises:
        DataFolderError: The file cannot be made.
    """
    import filelock  # 50 ms that only those pay who lock

    lock = filelock.FileLock(path, mode=0o600)
    try:
        lock.acquire(timeout=wait_seconds, poll_interval=_POLL_SECONDS)
    except filelock.Timeout:
        return None
    except OSError as error:
        raise DataFolderError(str(path), error.strerror or str(error)) from error
    return lock.release
