"""The token that clients of the HTTP server show, in a file that only the user can read."""

import contextlib
import os
import secrets
import stat
from pathlib import Path

__all__ = ["read_token"]

_PRIVATE = 0o600
_MOST_BYTES = 1_000


def read_token(file: Path) -> str:
    """The token of this device, made when it is first needed; one that others could have read is made anew.

    Raises:
        OSError: The file can be neither read nor written, or something else lies in its place.
    """
    token = _read(file)
    if token is None:
        _publish(file, over=False)
        token = _read(file)
    if not token:
        _publish(file, over=True)
        token = _read(file)
    if not token:
        raise OSError(f"{file} holds no token that others cannot read")
    return token


def _read(file: Path) -> str | None:
    """The token; `None` where there is no file, empty where what it holds must not be used."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(file, flags)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as opened:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(f"{file} is no regular file")
        is_exposed = os.name == "posix" and stat.S_IMODE(state.st_mode) & 0o077
        return "" if is_exposed else opened.read(_MOST_BYTES).decode("ascii", "replace").strip()


def _publish(file: Path, *, over: bool) -> None:
    """Put a new token in place as a whole.

    Args:
        over: Replace what is there; else a token that another process has put there meanwhile stays.
    """
    made = file.with_name(f".{file.name}-{secrets.token_hex(8)}")
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as opened:
            opened.write(secrets.token_urlsafe(32) + "\n")
        if over:
            made.replace(file)
        else:
            with contextlib.suppress(FileExistsError):
                file.hardlink_to(made)
    finally:
        made.unlink(missing_ok=True)
