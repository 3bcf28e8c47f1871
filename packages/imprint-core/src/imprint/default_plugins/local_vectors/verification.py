"""A file's digest, checked before the file is first used on a machine, and not again while the file stays as it is.

Hashing costs about a second a gigabyte, too much for every start of a command. So the outcome is noted beside the file,
with the file's inode, size and times: a torn write, a truncated copy, a file put in its place or changed through the
file system all change one of these and are hashed again. What goes unnoticed is a disk that later gives back other
bytes than were written.
"""

import os
from contextlib import suppress
from hashlib import blake2b, file_digest
from io import BufferedRandom, BufferedReader
from pathlib import Path
from typing import Final, TypeAlias

from imprint.failpoints import reach
from imprint.protocols.vectors import IndexNotice

__all__ = ["NOTE_SUFFIX", "digest_of_file", "discard", "is_verified"]

_OpenFile: TypeAlias = BufferedReader | BufferedRandom

NOTE_SUFFIX: Final = ".verified"


def digest_of_file(file: _OpenFile) -> str:
    """Hash an open file from its beginning."""
    file.seek(0)
    return file_digest(file, lambda: blake2b(digest_size=32)).hexdigest()


def is_verified(path: Path, file: _OpenFile, digest: str) -> bool:
    """Whether an open file has the digest; it is hashed only where no note says so of its present state."""
    status = os.fstat(file.fileno())
    state = f"{digest} {status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}\n"
    note = path.with_name(path.name + NOTE_SUFFIX)
    with suppress(OSError, UnicodeDecodeError):
        if note.read_text("ascii") == state:
            return True
    if digest_of_file(file) != digest:
        return False
    with suppress(OSError):
        reach("index.verified")
        note.write_text(state, "ascii")
    return True


def discard(path: Path) -> IndexNotice:
    """Delete a file that is of no use to anyone, so that the next compaction sees that it must be written anew."""
    with suppress(OSError):
        path.unlink()
    return IndexNotice(path.name, "it is not what was recorded: damaged, or of another model, machine or version")
