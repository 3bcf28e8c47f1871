"""Files that steer us: small, regular, read whole or not at all."""

import os
import stat
from pathlib import Path

__all__ = ["read_small_file"]

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def read_small_file(path: Path | str, *, limit: int, follow: bool = True) -> bytes | None:
    """The content of a regular file; `None` where it is missing, special, larger than the limit or unreadable.

    Args:
        follow: Whether the file may be a symbolic link.
    """
    try:
        descriptor = os.open(path, _FLAGS | (0 if follow else getattr(os, "O_NOFOLLOW", 0)))
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            data = file.read(limit + 1)
        except OSError:
            return None
    return data if len(data) <= limit else None
