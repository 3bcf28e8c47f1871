"""A plugin that finds homes under test: its hooks called on machines in memory, on some of which anything is found."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

import attrs

from imprint.domain.sources import CanonicalPath
from imprint.plugins import ClientHome, HomeHost, HomeInfo
from imprint.plugins.handles import PluginHandle
from imprint.testing.homes import MemoryHomeHost

__all__ = ["AnyFiles", "AnyHost", "Subject"]


@attrs.frozen
class Subject:
    handle: PluginHandle
    hosts: tuple[MemoryHomeHost, ...]

    @property
    def info(self) -> HomeInfo:
        info: HomeInfo = self.handle.call("describe_home")
        return info

    def find(self, host: HomeHost) -> list[ClientHome]:
        return list(self.handle.call("find_homes", host=host))

    def look_around(self, place: CanonicalPath, host: HomeHost) -> ClientHome | None:
        found: ClientHome | None = self.handle.call("find_home_around", place=place, host=host)
        return found

    def translate(self, path: CanonicalPath, source: ClientHome, target: ClientHome) -> CanonicalPath | None:
        translated: CanonicalPath | None = self.handle.call("translate_path", path=path, source=source, target=target)
        return translated

    def wrap(self, command: tuple[str, ...], source: ClientHome, target: ClientHome) -> tuple[str, ...] | None:
        words: tuple[str, ...] | None = self.handle.call("wrap_command", command=command, source=source, target=target)
        return words

    def found(self) -> Iterator[tuple[MemoryHomeHost, ClientHome]]:
        """Every home that it finds on the machines, each with its machine."""
        for host in self.hosts:
            for home in self.find(host):
                yield host, home

    def pairs(self) -> list[tuple[ClientHome, ClientHome]]:
        """Homes between which paths are translated: each that is found with its machine's own, both ways."""
        return [pair for host, home in self.found() for pair in ((host.own, home), (home, host.own))]


@attrs.frozen
class AnyFiles:
    """Whatever is asked for is there, and holds the same."""

    content: bytes
    is_there: bool

    def read(self, path: CanonicalPath) -> bytes | None:
        del path
        return self.content

    def names(self, folder: CanonicalPath) -> Sequence[str]:
        del folder
        return ()

    def is_folder(self, path: CanonicalPath) -> bool:
        del path
        return self.is_there

    def rows(
        self, path: CanonicalPath, query: str, parameters: Sequence[str | int] = ()
    ) -> Iterator[tuple[object, ...]]:
        del path, query, parameters
        return iter(())

    def find_program(self, name: str) -> CanonicalPath | None:
        return PurePosixPath("/bin", name)


@attrs.frozen
class AnyHost:
    """A machine on which anything may be found."""

    system: str
    home: CanonicalPath
    environ: Mapping[str, str]
    files: AnyFiles
    output: bytes | None

    def run(self, arguments: Sequence[str]) -> bytes | None:
        del arguments
        return self.output
