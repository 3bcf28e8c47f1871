"""Paths as the core sees them: absolute, of one flavour, compared by components.

A `CanonicalPath` is a `PurePosixPath` or a `PureWindowsPath`, whichever machine this runs on: a bridge between
Windows and WSL meets both at once. Several spellings name one place on Windows (case, ``\\\\?\\C:\\x``,
``\\\\wsl$\\D\\p``); every function here takes them for equal.
"""

import re
from pathlib import PurePosixPath, PureWindowsPath

from imprint.domain.sources import CanonicalPath
from imprint.errors import InvalidPathError

__all__ = ["ancestors", "contains", "depth", "is_filesystem_root", "normalize_path", "parse_path", "same_place"]

_WINDOWS_START = re.compile(r"[A-Za-z]:|\\|//(?:\?|\.|wsl\$|wsl\.localhost)/", re.IGNORECASE)
_EXTENDED = re.compile(r"\\\\\?\\(?:(UNC\\)|(?=[A-Za-z]:))", re.IGNORECASE)
_DEVICE = re.compile(r"\\\\[?.](?:\\|$)")
_DRIVE = re.compile(r"([A-Za-z]):(?=\\)")
_SHARE = re.compile(r"\\\\([^\\]+)\\(?!\.\.?(?:\\|$))([^\\]+)(?=\\|$)")
_WSL_HOSTS = frozenset({"wsl$", "wsl.localhost"})


def parse_path(text: str) -> CanonicalPath:
    """Read an absolute path of either flavour, in any of its spellings, into its one form.

    A drive letter, a backslash or a double slash before a WSL host or a ``?`` makes it a Windows path, a slash a POSIX
    one. Links cannot be seen from here, so ``..`` is refused rather than guessed.

    Raises:
        InvalidPathError: Empty, relative (``x``, ``~/x``, ``C:x``, ``\\x``), with a ``..`` or a NUL inside, a UNC path
            without a share, or a device (``\\\\.\\x``).
    """
    if not text:
        raise InvalidPathError(text, "it is empty")
    if "\0" in text:
        raise InvalidPathError(text, "it has a NUL character inside")
    path = _parse_windows(text) if _WINDOWS_START.match(text) else _parse_posix(text)
    if ".." in path.parts:
        raise InvalidPathError(text, "'..' cannot be resolved without looking at the file system")
    return path


def normalize_path(path: CanonicalPath) -> CanonicalPath:
    """Bring a path into the form `parse_path` gives; one that has no such form comes back as it is."""
    if isinstance(path, PureWindowsPath):
        try:
            return _parse_windows(str(path))
        except InvalidPathError:
            return path
    return _parse_posix(str(path)) if path.root == "//" else path


def contains(outer: CanonicalPath, inner: CanonicalPath) -> bool:
    """Whether a path is another or lies below it, by whole components; never across flavours."""
    outer_parts, inner_parts = _components(outer), _components(inner)
    return inner_parts[: len(outer_parts)] == outer_parts


def same_place(one: CanonicalPath, other: CanonicalPath) -> bool:
    """Whether two paths are spellings of one place."""
    return _components(one) == _components(other)


def depth(path: CanonicalPath) -> int:
    """Number of components below the file-system root, which has depth 0."""
    return len(normalize_path(path).parts) - 1


def ancestors(path: CanonicalPath) -> tuple[CanonicalPath, ...]:
    """The path itself, then its parents, nearest first, down to the file-system root."""
    path = normalize_path(path)
    return (path, *path.parents)


def is_filesystem_root(path: CanonicalPath) -> bool:
    """Whether a path is ``/``, a drive, a UNC share or a WSL distribution."""
    return depth(path) == 0


def _components(path: CanonicalPath) -> tuple[str, ...]:
    path = normalize_path(path)
    if isinstance(path, PureWindowsPath):
        return ("windows", *(part.lower() for part in path.parts))
    return ("posix", *path.parts)


def _parse_posix(text: str) -> PurePosixPath:
    if not text.startswith("/"):
        raise InvalidPathError(text, "it is relative")
    # POSIX leaves the meaning of exactly two leading slashes open; the systems we run on take them for one.
    return PurePosixPath("/" + text.lstrip("/"))


def _parse_windows(text: str) -> PureWindowsPath:
    plain = _EXTENDED.sub(lambda match: "\\\\" if match[1] else "", text.replace("/", "\\"), count=1)
    if _DEVICE.match(plain):
        raise InvalidPathError(text, "it names a device")
    if drive := _DRIVE.match(plain):
        rest = plain[drive.end() :].lstrip("\\")
        return PureWindowsPath(f"{drive[1].upper()}:\\{rest}")
    if share := _SHARE.match(plain):
        host = "wsl.localhost" if share[1].lower() in _WSL_HOSTS else share[1]
        rest = plain[share.end() :].lstrip("\\")
        return PureWindowsPath(f"\\\\{host}\\{share[2]}\\{rest}")
    if plain.startswith("\\\\"):
        raise InvalidPathError(text, "it has a host but no share")
    raise InvalidPathError(text, "it is relative")
