"""The homes across the border: of each running distribution for Windows, of the user of Windows for a distribution.

Nothing is run inside a distribution, and none is started: whoever looks at one that is stopped would start it. What a
distribution's files say is data: a name, a number, a path that is checked.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath, PureWindowsPath

from imprint.domain.paths import contains, parse_path
from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError, InvalidPathError
from imprint.plugins.clients import ClientHome
from imprint.protocols.homes import HomeHost
from imprint_client_plugins.wsl.places import Distribution, to_distribution, to_windows
from imprint_client_plugins.wsl.system_files import (
    Configuration,
    find_user,
    is_distribution_name,
    is_user_name,
    read_configuration,
    read_names,
    read_users,
)

__all__ = ["find_home_around", "find_homes"]

_LISTING = ("wsl.exe", "--list", "--quiet", "--running")
_INTEROP_VARIABLE = "WSL_INTEROP"
_DISTRIBUTION_VARIABLE = "WSL_DISTRO_NAME"
_HOME_VARIABLE = "IMPRINT_WSL_HOME"  # set by the command with which a client starts us
# The folder of the user's app aliases, which Windows puts on the search path that a distribution takes over.
_ALIASES = ("AppData", "Local", "Microsoft", "WindowsApps")


def find_homes(host: HomeHost) -> Iterator[ClientHome]:
    """Those that are there now."""
    if host.system == "windows":
        if host.files.find_program(_LISTING[0]) is None:
            return
        for name in read_names(host.run(_LISTING) or b""):
            home = _find_home_in(name, host, near=None)
            if home is not None:
                yield home
    else:
        home = _find_windows_home(host)
        if home is not None:
            yield home


def find_home_around(place: CanonicalPath, host: HomeHost) -> ClientHome | None:
    """The home on the other side that a place is beside, above or below."""
    if host.system == "windows":
        name = _distribution_of(place)
        return _find_home_in(name, host, near=place) if name else None
    home = _find_windows_home(host)
    if home is None or contains(host.home, place):
        return None
    drives = PurePosixPath(home.traits["drives"])
    if not isinstance(place, PurePosixPath) or not (contains(drives, place) or contains(place, drives)):
        return None
    is_on_drive = getattr(to_windows(place, Distribution(home.traits["distribution"], drives)), "drive", "")[1:] == ":"
    return home if is_on_drive or contains(place, home.path) else None


def _distribution_of(place: CanonicalPath) -> str:
    """The distribution that a path of Windows lies in, or nothing."""
    if not isinstance(place, PureWindowsPath):
        return ""
    try:
        host, _, share = str(parse_path(str(place)).drive).removeprefix("\\\\").partition("\\")
    except InvalidPathError:
        return ""
    return share if host.lower() == "wsl.localhost" and is_distribution_name(share) else ""


def _find_home_in(name: str, host: HomeHost, *, near: CanonicalPath | None) -> ClientHome | None:
    """The home of the user that a distribution starts with, or of the one whose home a path is in."""
    root = Distribution(name, drives=None)
    configuration = read_configuration(_read(host, to_windows(PurePosixPath("/etc/wsl.conf"), root)))
    distribution = Distribution(name, configuration.drives)
    users = read_users(_read(host, to_windows(PurePosixPath("/etc/passwd"), root)))
    homes = {user: path for user, home in users.items() if (path := _home_of(home.home, distribution)) is not None}
    users = {user: users[user] for user in homes}
    holding = [user for user, home in homes.items() if near is not None and contains(home, near)]
    user = holding[0] if holding else find_user(users, configuration.user)
    if user is None or not host.files.is_folder(homes[user]):
        return None
    return ClientHome(
        path=homes[user],
        system="linux",
        name=f"wsl-{name}",
        traits={**distribution.traits, "user": user},
        variables=(_INTEROP_VARIABLE,),
    )


def _home_of(written: str, distribution: Distribution) -> PureWindowsPath | None:
    """A home by a distribution's list of users; one that would lie outside of it is none."""
    try:
        path = to_windows(parse_path(written), distribution)
    except InvalidPathError:
        return None
    return path if path is not None and path.drive.startswith("\\\\") and len(path.parts) > 1 else None


def _find_windows_home(host: HomeHost) -> ClientHome | None:
    """The home of the user of Windows that started the distribution, by what it was given."""
    name = host.environ.get(_DISTRIBUTION_VARIABLE, "")
    if host.system != "linux" or not is_distribution_name(name):
        return None
    configuration: Configuration = read_configuration(_read(host, PurePosixPath("/etc/wsl.conf")))
    distribution = Distribution(name, configuration.drives)
    user = host.environ.get("USER", "")
    told = _on_drive(host.environ.get(_HOME_VARIABLE, ""), distribution)
    path = told or next(filter(host.files.is_folder, _likely_homes(host.environ, distribution)), None)
    if path is None:
        return None
    return ClientHome(
        path=path,
        system="windows",
        name="windows",
        traits={**distribution.traits, **({"user": user} if is_user_name(user) else {})},
    )


def _likely_homes(environ: Mapping[str, str], distribution: Distribution) -> Iterator[PurePosixPath]:
    """Where the environment says that the home is, most certain first."""
    searched = map(PurePosixPath, environ.get("PATH", "").split(":"))
    aliases = [str(path.parents[len(_ALIASES) - 1]) for path in searched if path.parts[-len(_ALIASES) :] == _ALIASES]
    for text in (environ.get("USERPROFILE", ""), *aliases):
        path = _on_drive(text, distribution)
        if path is not None:
            yield path


def _on_drive(text: str, distribution: Distribution) -> PurePosixPath | None:
    """A folder on a drive of Windows, in either system's spelling, as the distribution calls it."""
    try:
        path = parse_path(text)
    except InvalidPathError:
        return None
    there = to_windows(path, distribution) if isinstance(path, PurePosixPath) else path
    if there is None or there.drive[1:] != ":" or len(there.parts) == 1:
        return None
    return to_distribution(there, distribution)


def _read(host: HomeHost, path: CanonicalPath | None) -> bytes:
    try:
        return (host.files.read(path) or b"") if path is not None else b""
    except ClientFileUnreadableError:
        return b""
