"""Reading one file: whole, bounded, never waiting, and only if it held still."""

import hashlib
import os
import stat
import time
from collections.abc import Callable

from imprint.domain.skips import HEAD_BYTES, SkipReason
from imprint.domain.times import storable_ns
from imprint.errors import FileChangedError, FileTooLargeError, UnreadableFileError
from imprint.protocols.files import ReadFile

__all__ = ["read_file"]

_FLAGS = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
    _FLAGS |= getattr(os, _flag, 0)
_ATTEMPTS = 2
_DIGEST_BYTES = 20
_FINE_TICK_NS = 50_000_000
_COARSE_TICK_NS = 2_000_000_000  # FAT; such file systems give whole seconds.


def read_file(path: str, *, limit: int, judge: Callable[[bytes], SkipReason | None]) -> ReadFile | SkipReason:
    """Read a regular file.

    Raises:
        FileChangedError: It changed while it was read, twice in a row.
        FileTooLargeError: It is larger than the limit.
        UnreadableFileError: Missing, not regular, reached through a link, or permission denied.
    """
    for _ in range(_ATTEMPTS):
        try:
            found = _read_once(path, limit=limit, judge=judge)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise UnreadableFileError(path, reason or type(error).__name__) from error
        if found is not None:
            return found
    raise FileChangedError(path)


def _read_once(path: str, *, limit: int, judge: Callable[[bytes], SkipReason | None]) -> ReadFile | SkipReason | None:
    """`None` when it changed meanwhile."""
    # A folder on the way may have become a link since it was scanned; the file would then lie somewhere else.
    if os.path.realpath(path) != path:
        raise UnreadableFileError(path, "it is reached through a link")
    descriptor = os.open(path, _FLAGS)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise UnreadableFileError(path, "it is not a regular file")
        if before.st_size > limit:
            raise FileTooLargeError(path, before.st_size, limit)
        head = file.read(HEAD_BYTES)
        if reason := judge(head):
            return reason
        rest = file.read(max(0, before.st_size - len(head)) + 1) if len(head) == HEAD_BYTES else b""
        after = os.fstat(descriptor)
    data = head + rest if rest else head
    if _state(before) != _state(after) or len(data) != after.st_size:
        return None
    return ReadFile(
        data=data,
        mtime_ns=storable_ns(after.st_mtime_ns),
        size=after.st_size,
        digest=hashlib.blake2b(data, digest_size=_DIGEST_BYTES).hexdigest(),
        settled=_is_settled(after.st_mtime_ns, time.time_ns()),
    )


def _state(found: os.stat_result) -> tuple[int, int, int]:
    return found.st_mtime_ns, found.st_size, found.st_ino


def _is_settled(mtime_ns: int, now_ns: int) -> bool:
    tick = _FINE_TICK_NS if mtime_ns % 1_000_000_000 else _COARSE_TICK_NS
    return not mtime_ns <= now_ns < mtime_ns + tick
