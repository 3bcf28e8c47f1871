"""Where one place lies for Windows and for a distribution: a drive is a folder here, the distribution a share there.

What the two cannot both name is refused: Windows has no ``a:b`` and takes ``a.`` for ``a``, and a distribution sees
neither another one nor the network.
"""

import re
from pathlib import PurePosixPath, PureWindowsPath
from typing import TypeAlias

import attrs

from imprint.domain.names import is_windows_device
from imprint.domain.paths import normalize_path, parse_path
from imprint.domain.sources import CanonicalPath
from imprint.errors import InvalidPathError
from imprint.plugins.clients import ClientHome

__all__ = ["WINDOWS", "Distribution", "System", "find_system", "to_distribution", "to_windows", "translate"]

_HOST = "wsl.localhost"
_DRIVE = re.compile(r"[a-z]")
# What Windows' own programs can neither write nor ask for, though a distribution's files may be called so.
_UNNAMEABLE = re.compile(r'[\x00-\x1f<>:"|?*\\/]|[. ]$')


@attrs.frozen
class Distribution:
    """A Linux distribution.

    Attributes:
        drives: The folder in which it has Windows' drives; `None`: it has none.
    """

    name: str
    drives: PurePosixPath | None

    def is_named(self, name: str) -> bool:
        """Windows takes names that differ in case for one."""
        return self.name.lower() == name.lower()

    @property
    def traits(self) -> dict[str, str]:
        """What a home is to remember of it."""
        return {"distribution": self.name, "drives": str(self.drives or "")}


@attrs.frozen
class _Windows:
    """Windows itself; there is one."""


WINDOWS = _Windows()
System: TypeAlias = _Windows | Distribution


def find_system(home: ClientHome, other: ClientHome) -> System | None:
    """The system that a home is on; `None` for a home that was not found by this plugin.

    This system's own home remembers nothing: it is on the other side of the home that it is asked about with.
    """
    if home.name:
        return _remembered(home)
    if home.system == "windows":
        return WINDOWS
    if not other.name or other.system != "windows":
        return None
    return _distribution(other)


def translate(path: CanonicalPath, source: ClientHome, target: ClientHome) -> CanonicalPath | None:
    """The path in a system of what another calls ``path``."""
    if source == target:
        return _certain(path)
    here, there = find_system(source, target), find_system(target, source)
    if here is None or there is None:
        return None
    if isinstance(here, Distribution) and isinstance(there, Distribution):
        return _between(path, here, there)
    if isinstance(here, Distribution):
        return to_windows(path, here)
    return to_distribution(path, there) if isinstance(there, Distribution) else _certain(path)


def to_windows(path: CanonicalPath, distribution: Distribution) -> PureWindowsPath | None:
    """What Windows calls a distribution's path."""
    certain = _certain(path)
    if not isinstance(certain, PurePosixPath) or not _is_nameable(certain):
        return None
    drives = distribution.drives
    if drives is not None and certain.is_relative_to(drives):
        drive, *rest = certain.relative_to(drives).parts or ("",)
        if _DRIVE.fullmatch(drive):
            return PureWindowsPath(f"{drive.upper()}:\\", *rest)
    return PureWindowsPath(f"\\\\{_HOST}\\{distribution.name}\\", *certain.parts[1:])


def to_distribution(path: CanonicalPath, distribution: Distribution) -> PurePosixPath | None:
    """What a distribution calls a path of Windows."""
    certain = _certain(path)
    if not isinstance(certain, PureWindowsPath) or not _is_nameable(certain):
        return None
    if certain.drive.endswith(":"):
        drive = certain.drive[0].lower()
        if distribution.drives is None or not _DRIVE.fullmatch(drive):
            return None
        return distribution.drives.joinpath(drive, *certain.parts[1:])
    host, _, share = certain.drive.removeprefix("\\\\").partition("\\")
    if host.lower() != _HOST or not distribution.is_named(share):
        return None
    return PurePosixPath("/", *certain.parts[1:])


def _between(path: CanonicalPath, here: Distribution, there: Distribution) -> CanonicalPath | None:
    """Distributions share nothing but the drives."""
    if here.is_named(there.name):
        return _certain(path) if isinstance(path, PurePosixPath) else None
    shared = to_windows(path, here)
    return to_distribution(shared, there) if shared is not None else None


def _remembered(home: ClientHome) -> System | None:
    distribution = _distribution(home)
    return WINDOWS if distribution is not None and home.system == "windows" else distribution


def _distribution(home: ClientHome) -> Distribution | None:
    name = home.traits.get("distribution")
    if not name:
        return None
    drives = home.traits.get("drives")
    return Distribution(name, PurePosixPath(drives) if drives else None)


def _certain(path: CanonicalPath) -> CanonicalPath | None:
    """The one form of an absolute path; `None` where it has none."""
    if not path.is_absolute():
        return None
    try:
        return parse_path(str(normalize_path(path)))
    except InvalidPathError:
        return None


def _is_nameable(path: CanonicalPath) -> bool:
    """Whether both systems mean the same by each of its names."""
    return not any(_UNNAMEABLE.search(name) or is_windows_device(name) or not _is_text(name) for name in path.parts[1:])


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
