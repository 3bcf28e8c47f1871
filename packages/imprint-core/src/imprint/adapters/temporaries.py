"""Temporary files beside the files that they are to replace."""

import time
from contextlib import suppress
from pathlib import Path

__all__ = ["TEMPORARY_SUFFIX", "remove_stale_temporaries", "temporary_prefix"]

TEMPORARY_SUFFIX = ".tmp"

_STALE_SECONDS = 600
"""Writing one takes milliseconds, so whoever began it is gone."""


def temporary_prefix(path: Path) -> str:
    """What the name of each temporary file of a file begins with."""
    return f".{path.name}."


def remove_stale_temporaries(path: Path) -> None:
    """Delete what processes that were killed left beside a file; whatever cannot be deleted stays."""
    oldest = time.time() - _STALE_SECONDS
    with suppress(OSError):
        for found in path.parent.iterdir():
            if found.name.startswith(temporary_prefix(path)) and found.suffix == TEMPORARY_SUFFIX:
                with suppress(OSError):
                    if found.lstat().st_mtime < oldest:
                        found.unlink()
