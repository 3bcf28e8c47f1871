"""Imprint in a distribution, with Windows beside it: a real folder stands for the drive, named by `/etc/wsl.conf`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

import attrs

from imprint.adapters.client_files import RealClientFiles
from imprint.adapters.home_hosts import RealHomeHost
from imprint.bootstrap import Application, open_application
from imprint.domain.settings import Layer, Origin
from imprint.domain.sources import CanonicalPath

__all__ = ["Machine"]


@attrs.frozen
class _Files(RealClientFiles):
    drives: Path = Path("/mnt")

    def read(self, path: CanonicalPath) -> bytes | None:
        if path == PurePosixPath("/etc/wsl.conf"):
            return f"[automount]\nroot = {self.drives}\n".encode()
        return super().read(path)


@attrs.frozen(kw_only=True)
class _Host(RealHomeHost):
    drives: Path

    @property
    def files(self) -> _Files:
        return _Files(drives=self.drives)


@attrs.frozen
class Machine:
    """The home of a distribution's user, and that of the user of Windows."""

    folder: Path

    def __attrs_post_init__(self) -> None:
        for place in (self.home / ".claude", self.windows / ".claude" / "projects", self.windows / ".codex"):
            place.mkdir(parents=True)

    @property
    def home(self) -> Path:
        return self.folder / "home" / "me"

    @property
    def drive(self) -> Path:
        return self.folder / "drives" / "c"

    @property
    def windows(self) -> Path:
        return self.drive / "Users" / "Me"

    @contextmanager
    def open(self) -> Iterator[Application]:
        environ = {
            "HOME": str(self.home),
            "USER": "me",
            "WSL_DISTRO_NAME": "Debian",
            "USERPROFILE": "C:\\Users\\Me",
        }
        with open_application(
            environ=environ,
            cwd=self.home,
            data_dir=self.folder / "data",
            config=self.folder / "config.toml",
            arguments=[Layer(origin=Origin.ARGUMENT, values={"embedder.plugin": ""}, place="the test")],
        ) as application:
            host = _Host(
                home=application.homes.own.path, environ=environ, system="linux", drives=self.folder / "drives"
            )
            application.homes = attrs.evolve(application.homes, host=host)
            yield application
