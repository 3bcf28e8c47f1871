"""Windows junctions: links that other checks take for plain folders."""

import os

__all__ = ["is_junction"]

_MOUNT_POINT = 0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT; the module `stat` has it on Windows only.


def is_junction(found: os.stat_result) -> bool:
    """Whether an entry, looked at itself and not through it, is one; never elsewhere than on Windows."""
    return getattr(found, "st_reparse_tag", 0) == _MOUNT_POINT
