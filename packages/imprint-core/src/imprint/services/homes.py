"""Homes: the user's own, and those of other systems on this machine whose clients Imprint serves too."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath, PureWindowsPath

import attrs

from imprint.domain.paths import parse_path
from imprint.domain.sources import CanonicalPath
from imprint.errors import HomeUnreachableError, ImprintError, InvalidPathError
from imprint.plugins.clients import ClientHome, OurPrograms
from imprint.plugins.handles import PluginHandle
from imprint.plugins.registry import PluginRegistry
from imprint.protocols.clients import ClientFiles
from imprint.protocols.homes import HomeHost

__all__ = ["Homes", "ReachedHome"]

_GROUP = "homes"
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,80}[A-Za-z0-9])?")


@attrs.frozen(kw_only=True)
class ReachedHome:
    """A home, and how this process deals with its clients.

    Attributes:
        files: The home's files; programs are looked for in this system's own home only.
        own: This system's own home.
        bridge: The plugin that found it; `None`: it is this system's own.
        others: The homes of other systems; looking for them costs something.
    """

    home: ClientHome
    files: ClientFiles
    own: ClientHome
    bridge: PluginHandle | None = None
    others: "Callable[[], Sequence[ReachedHome]]" = tuple
    _localized: dict[str, str] = attrs.field(factory=dict, init=False, eq=False, repr=False)
    _listed: dict[CanonicalPath, dict[str, list[str]]] = attrs.field(factory=dict, init=False, eq=False, repr=False)

    def localize(self, text: str) -> str:
        """A path as the home's clients write it, as this process reaches it; empty: it does not.

        A path that is this system's already stays as it is.
        """
        if not text:
            return text
        if text not in self._localized:
            self._localized[text] = self._translate(text) if self.bridge is not None else self._recognize(text)
        return self._localized[text]

    def _recognize(self, text: str) -> str:
        """A path of another system that a client here wrote, as an app does whose agent works there.

        It is in the home's system that has the folder. One that several have, or none, is a place in the first all the
        same: nobody's it must not be.
        """
        try:
            if type(parse_path(text)) is type(self.own.path):
                return text
        except InvalidPathError:
            return text
        places = [(home, place) for home in self.others() if (place := home.localize(text))]
        there = [place for home, place in places if home.files.is_folder(parse_path(place))]
        return next(iter((*there, *(place for _, place in places), text)))

    def _translate(self, text: str) -> str:
        try:
            path = parse_path(text)
        except InvalidPathError:
            return ""
        if type(path) is type(self.own.path) and type(path) is not _flavour(self.home):
            return text
        place: CanonicalPath | None = None
        if self.bridge is not None:
            place = self.bridge.call("translate_path", path=path, source=self.home, target=self.own)
        return "" if place is None else str(self._true_case(place))

    def _true_case(self, place: CanonicalPath) -> CanonicalPath:
        """A folder as its file system spells it: another system's may ignore the case that it was named in.

        Across the border a look costs much, and a transcript may name any number of folders: each is listed once.
        """
        if not self.files.is_folder(place):
            return place
        spelled = type(place)(place.anchor)
        for name in place.parts[1:]:
            alike = self._names_in(spelled).get(name.casefold(), [])
            spelled /= alike[0] if len(alike) == 1 else name
        return spelled

    def _names_in(self, folder: CanonicalPath) -> dict[str, list[str]]:
        """What is in a folder, by the name without its case."""
        if folder not in self._listed:
            listed: dict[str, list[str]] = {}
            for name in self.files.names(folder):
                listed.setdefault(name.casefold(), []).append(name)
            self._listed[folder] = listed
        return self._listed[folder]

    def wrap(self, programs: OurPrograms) -> OurPrograms:
        """Our programs as the home's clients start them.

        Raises:
            HomeUnreachableError: They cannot.
        """
        if self.bridge is None:
            return programs
        return attrs.evolve(programs, server=self._wrap(programs.server), hook=self._wrap(programs.hook))

    def _wrap(self, command: tuple[str, ...]) -> tuple[str, ...]:
        words: tuple[str, ...] | None = None
        if self.bridge is not None:
            words = self.bridge.call("wrap_command", command=command, source=self.own, target=self.home)
        if words is None:
            raise HomeUnreachableError(self.home.name, command[0])
        return words


@attrs.define(kw_only=True)
class Homes:
    """Finds them, the other systems' only when they are asked for, and once.

    Attributes:
        own: The user's home on this system.
        host: What plugins look around with.
        open_files: Reads a home's files.
    """

    own: ClientHome
    plugins: PluginRegistry
    host: HomeHost
    open_files: Callable[[ClientHome], ClientFiles]
    _others: tuple[ReachedHome, ...] | None = attrs.field(default=None, init=False)

    def here(self) -> ReachedHome:
        """The user's own home on this system."""
        return ReachedHome(home=self.own, files=self.open_files(self.own), own=self.own, others=self.others)

    def others(self) -> Sequence[ReachedHome]:
        """Those of other systems that are in use now. A plugin that fails is noted by the registry, and left out."""
        if self._others is None:
            named: dict[str, ReachedHome] = {}
            for reached in self._find():
                named.setdefault(reached.home.name.lower(), reached)
            self._others = tuple(named.values())
        return self._others

    def everywhere(self) -> Sequence[ReachedHome]:
        """Every home, this system's own first."""
        return (self.here(), *self.others())

    def around(self, place: CanonicalPath) -> ReachedHome | None:
        """The home on the other system that a place belongs to; nothing is run to find out."""
        for handle in self.plugins.handles(_GROUP):
            try:
                home: ClientHome | None = handle.call("find_home_around", place=place, host=self.host)
            except ImprintError:
                continue
            if home is not None and _is_well_named(home):
                return self._reach(handle, home)
        return None

    def _find(self) -> Iterator[ReachedHome]:
        for handle in self.plugins.handles(_GROUP):
            try:
                for home in handle.call("find_homes", host=self.host):
                    if _is_well_named(home):
                        yield self._reach(handle, home)
            except ImprintError:
                continue

    def _reach(self, handle: PluginHandle, home: ClientHome) -> ReachedHome:
        return ReachedHome(home=home, files=self.open_files(home), own=self.own, bridge=handle)


def _is_well_named(home: ClientHome) -> bool:
    """A home's name becomes a folder's."""
    return _NAME.fullmatch(home.name) is not None


def _flavour(home: ClientHome) -> type[CanonicalPath]:
    """How programs of a home write paths."""
    return PureWindowsPath if home.system == "windows" else PurePosixPath
