"""Paths as callers write them: absolute, of the user's home, or relative to the session's directory."""

from pathlib import Path

from imprint.errors import InvalidPathError
from imprint_mcp.session import Session

__all__ = ["find_place"]


def find_place(session: Session, path: str) -> Path:
    """The absolute path that is meant; nothing need be there.

    Raises:
        InvalidPathError: It is empty, of an unknown user's home, or relative where the session has no directory.
    """
    try:
        wanted = Path(path).expanduser()
    except RuntimeError as error:
        raise InvalidPathError(path, "there is no such home") from error
    if not path.strip():
        raise InvalidPathError(path, "it is empty; name a file or folder")
    if wanted.is_absolute():
        return wanted
    if session.directory is None:
        raise InvalidPathError(path, "this session has no directory, so an absolute path is needed")
    return session.directory / wanted
