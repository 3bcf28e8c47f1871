"""Machines in memory, for tests of plugins that find homes: bare ones, and such as have another system beside them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath, PureWindowsPath

import attrs

from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome
from imprint.testing.client_files import MemoryClientFiles

__all__ = ["MemoryHomeHost", "bare_hosts", "sample_hosts"]

_HOMES: Mapping[str, CanonicalPath] = {
    "linux": PurePosixPath("/home/somebody"),
    "macos": PurePosixPath("/Users/somebody"),
    "windows": PureWindowsPath("C:\\Users\\Somebody"),
}
_USERS = b"root:x:0:0::/root:/bin/sh\ndaemon:x:1:1::/:/bin/false\nsomebody:x:1000:1000:,,,:/home/somebody:/bin/bash\n"


@attrs.frozen(kw_only=True)
class MemoryHomeHost:
    """`HomeHost` in memory.

    Attributes:
        outputs: What programs write, by their name; others are not there.
        ran: Every command that was run, in order.
    """

    system: str
    home: CanonicalPath
    environ: Mapping[str, str] = attrs.field(factory=dict)
    files: MemoryClientFiles = attrs.field(factory=MemoryClientFiles)
    outputs: Mapping[str, bytes] = attrs.field(factory=dict)
    ran: list[tuple[str, ...]] = attrs.field(factory=list, eq=False)

    @property
    def own(self) -> ClientHome:
        """The user's own home on this machine."""
        return ClientHome(path=self.home, system=self.system, environ=self.environ)

    def run(self, arguments: Sequence[str]) -> bytes | None:
        self.ran.append(tuple(arguments))
        return self.outputs.get(arguments[0])


def bare_hosts() -> Iterator[MemoryHomeHost]:
    """One machine of each system, with nothing beside it."""
    for system, home in _HOMES.items():
        yield MemoryHomeHost(system=system, home=home)


def sample_hosts() -> Iterator[MemoryHomeHost]:
    """Bare machines, machines on which every folder and program is, and both sides of Windows with Linux inside."""
    yield from bare_hosts()
    for host in bare_hosts():
        yield attrs.evolve(host, files=MemoryClientFiles.of_everything(host.own))
    yield _windows()
    yield _distribution(b"", "/mnt/c")
    yield _distribution(b"[automount]\nroot = /win # here\n", "/win/c")


def _windows() -> MemoryHomeHost:
    shares = {name: PureWindowsPath(f"\\\\wsl.localhost\\{name}\\") for name in ("Debian", "Ubuntu-24.04")}
    files: dict[CanonicalPath, bytes] = {
        shares["Debian"] / "etc" / "passwd": _USERS,
        shares["Debian"] / "home" / "somebody" / ".profile": b"",
        shares["Ubuntu-24.04"] / "etc" / "passwd": _USERS,
        shares["Ubuntu-24.04"] / "etc" / "wsl.conf": b"[automount]\nroot = /\n[user]\ndefault = root\n",
        shares["Ubuntu-24.04"] / "root" / ".profile": b"",
    }
    home = PureWindowsPath("C:\\Users\\Somebody")
    return MemoryHomeHost(
        system="windows",
        home=home,
        files=MemoryClientFiles(files=files, programs=PureWindowsPath("C:\\Windows\\System32")),
        outputs={"wsl.exe": "".join(f"{name}\r\n" for name in shares).encode("utf-16-le")},
    )


def _distribution(configuration: bytes, drive: str) -> MemoryHomeHost:
    windows = PurePosixPath(drive, "Users", "Somebody")
    return MemoryHomeHost(
        system="linux",
        home=PurePosixPath("/home/somebody"),
        environ={
            "WSL_DISTRO_NAME": "Debian",
            "USER": "somebody",
            "PATH": f"/usr/bin:{windows}/AppData/Local/Microsoft/WindowsApps",
        },
        files=MemoryClientFiles(files={PurePosixPath("/etc/wsl.conf"): configuration, windows / "NTUSER.DAT": b""}),
    )
