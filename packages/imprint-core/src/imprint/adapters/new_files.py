"""Files that come into being whole or not at all, and never in the place of another."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from imprint.errors import NoRoomError, TargetExistsError, UnwritableFileError
from imprint.failpoints import reach

__all__ = ["new_file", "require_absent", "require_room"]

_OPEN = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_PRIVATE = 0o600


def require_absent(path: Path) -> None:
    """Raises:
    TargetExistsError: Something is there, be it a link to nothing.
    UnwritableFileError: There is no folder for it.
    """
    if os.path.lexists(path):
        raise TargetExistsError(str(path))
    if not path.parent.is_dir():
        raise UnwritableFileError(str(path), "there is no such folder")


def require_room(folder: Path, needed: int, *, of: Path) -> None:
    """Raises:
    NoRoomError: So many bytes, which a file unpacks to, would not fit.
    """
    import shutil

    free = shutil.disk_usage(folder).free
    if needed > free:
        raise NoRoomError(str(of), needed, free)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file that only its owner can read; it has its name once all of it is on the disk.

    A program that is killed meanwhile leaves a hidden file ending in ``.part`` beside it, which nothing looks at.

    Raises:
        TargetExistsError: Something is there already, or came there meanwhile.
        UnwritableFileError: The operating system refuses, for want of room or of permission; nothing is left.
    """
    require_absent(path)
    part = path.with_name(f".{path.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        with os.fdopen(os.open(part, _OPEN, _PRIVATE), "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        reach("new-file.written")
        _publish(part, path)
        reach("new-file.published")
        _sync_folder(path.parent)
    except OSError as error:
        raise UnwritableFileError(str(path), error.strerror or str(error)) from error
    finally:
        with contextlib.suppress(OSError):
            part.unlink()


def _publish(part: Path, path: Path) -> None:
    """Give a file its name unless that is taken."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise TargetExistsError(str(path)) from None
    except OSError:  # a file system without links, such as that of a memory stick
        if os.path.lexists(path):
            raise TargetExistsError(str(path)) from None
        part.rename(path)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # Folders cannot be opened there, and need not be.
        return
    with contextlib.suppress(OSError):  # as some network file systems answer; the file itself is safe
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
