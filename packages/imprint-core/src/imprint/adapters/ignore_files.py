"""The ignore files that count for a folder, and what they say about its entries.

``.gitignore``, a repository's ``info/exclude`` and the user's global excludes count as in git: a tracked file stays,
whatever they say. ``.imprintignore`` has the same syntax, comes first, and overrides both git's rules (``!dist/``) and
tracking. A nested repository or submodule is judged by its own git rules alone, from its top down.
"""

import os
from collections.abc import Collection, Mapping
from enum import Enum, auto
from functools import cached_property
from pathlib import Path
from typing import Self

import attrs

from imprint.adapters.git import Repository, find_excludes_file, open_repository, read_user_config
from imprint.adapters.small_files import read_small_file
from imprint.domain.git_files import TrackedFiles
from imprint.domain.ignore_rules import IgnoreRules, parse_ignore_rules
from imprint.domain.skips import SkipReason, skip_folder

__all__ = ["GIT_IGNORE", "OWN_IGNORE", "IgnoredFolder", "UserExcludes", "join_path"]

GIT_IGNORE = ".gitignore"
OWN_IGNORE = ".imprintignore"
_IGNORE_BYTES = 1_048_576


@attrs.frozen
class _Level:
    """The rules of one ignore file, for places that begin with ``base`` characters naming its folder."""

    rules: IgnoreRules
    base: int


class _Territory:
    """The repository a folder belongs to, or none; what it tracks is read when first asked for."""

    def __init__(self, repository: Repository | None, place: str) -> None:
        self._repository = repository
        self._base = len(place) + 1
        self.ignores_case = repository is not None and repository.ignores_case

    @cached_property
    def _tracked(self) -> TrackedFiles:
        return self._repository.read_tracked() if self._repository else TrackedFiles()

    def tracks(self, place: str, *, is_folder: bool) -> bool:
        path = place[self._base :]
        return self._tracked.has_below(path) if is_folder else self._tracked.has(path)


@attrs.frozen
class UserExcludes:
    """The user's configuration of git, for repositories and for folders in none."""

    environ: Mapping[str, str]
    home: Path | None
    config: Mapping[str, str]

    @classmethod
    def read(cls, environ: Mapping[str, str], home: Path | None) -> Self:
        return cls(environ, home, read_user_config(environ, home))

    def rules(self, repository: Repository | None) -> tuple[IgnoreRules, ...]:
        """Rules that lie outside the tree, the stronger first."""
        config = {**self.config, **(repository.config if repository else {})}
        ignore_case = repository is not None and repository.ignores_case
        files = [repository.exclude_file] if repository else []
        if excludes := find_excludes_file(config, self.environ, self.home):
            files.append(excludes)
        return tuple(rules for file in files if (rules := _read_rules(file, ignore_case=ignore_case, follow=True)))


class _Standing(Enum):
    KEPT = auto()
    TRACKED = auto()  # ignored by git's rules, yet in the index
    IGNORED = auto()


@attrs.frozen(kw_only=True)
class IgnoredFolder:
    """A folder as a scan stands in it, with all the rules that count there.

    Attributes:
        path: As the system spells it.
        place: The same in byte form, with slashes and without one at the end.
    """

    path: str
    place: str
    _excludes: UserExcludes
    _territory: _Territory
    _git_levels: tuple[_Level, ...] = ()
    _own_levels: tuple[_Level, ...] = ()
    _only_tracked: bool = False

    @classmethod
    def outermost(cls, path: str, excludes: UserExcludes) -> Self:
        """Where the walk down to a scanned folder begins; what lies above has no say."""
        place = byte_form(path).replace(os.sep, "/").rstrip("/")
        levels = tuple(_Level(rules, len(place) + 1) for rules in excludes.rules(None))
        return cls(path=path, place=place, excludes=excludes, territory=_Territory(None, place), git_levels=levels)

    def with_rules(self, names: Collection[str]) -> Self:
        """The folder once its entries are known: its own repository entered, its own ignore files read."""
        here, base = self, len(self.place) + 1
        if ".git" in names and (repository := open_repository(Path(self.path))):
            levels = tuple(_Level(rules, base) for rules in self._excludes.rules(repository))
            territory = _Territory(repository, self.place)
            here = attrs.evolve(here, territory=territory, git_levels=levels, only_tracked=False)
        if GIT_IGNORE in names and (rules := here._read(GIT_IGNORE, ignore_case=here._territory.ignores_case)):
            here = attrs.evolve(here, git_levels=(_Level(rules, base), *here._git_levels))
        if OWN_IGNORE in names and (rules := here._read(OWN_IGNORE, ignore_case=False)):
            here = attrs.evolve(here, own_levels=(_Level(rules, base), *here._own_levels))
        return here

    def ignores_file(self, name: str) -> bool:
        return self._standing(name, is_folder=False) is _Standing.IGNORED

    def enter(self, name: str) -> Self | SkipReason:
        """A folder in this one, or why it is passed over."""
        if reason := skip_folder(name):
            return reason
        standing = self._standing(name, is_folder=True)
        return (
            SkipReason.IGNORED
            if standing is _Standing.IGNORED
            else self.below(name, only_tracked=standing is _Standing.TRACKED)
        )

    def below(self, name: str, *, only_tracked: bool = False) -> Self:
        """A folder in this one that was asked for, whatever the rules say."""
        return type(self)(
            path=join_path(self.path, name),
            place=f"{self.place}/{byte_form(name)}",
            excludes=self._excludes,
            territory=self._territory,
            git_levels=self._git_levels,
            own_levels=self._own_levels,
            only_tracked=only_tracked,
        )

    def _standing(self, name: str, *, is_folder: bool) -> _Standing:
        if not name.isascii():
            name = byte_form(name)
        place = f"{self.place}/{name}"
        for level in self._own_levels:
            verdict = level.rules.verdict(name, place[level.base :], is_folder=is_folder)
            if verdict is not None:
                return _Standing.IGNORED if verdict else _Standing.KEPT
        if not self._only_tracked:
            for level in self._git_levels:
                verdict = level.rules.verdict(name, place[level.base :], is_folder=is_folder)
                if verdict is not None:
                    break
            else:
                return _Standing.KEPT
            if not verdict:
                return _Standing.KEPT
        return _Standing.TRACKED if self._territory.tracks(place, is_folder=is_folder) else _Standing.IGNORED

    def _read(self, name: str, *, ignore_case: bool) -> IgnoreRules:
        return _read_rules(join_path(self.path, name), ignore_case=ignore_case, follow=False)


def byte_form(name: str) -> str:
    """A name as git's rules and index compare it: one character a byte."""
    return name if name.isascii() else os.fsencode(name).decode("latin-1")


def join_path(folder: str, name: str) -> str:
    """As `os.path.join` for one plain name, at a fraction of its price."""
    return folder + name if folder.endswith(os.sep) else f"{folder}{os.sep}{name}"


def _read_rules(path: Path | str, *, ignore_case: bool, follow: bool) -> IgnoreRules:
    data = read_small_file(path, limit=_IGNORE_BYTES, follow=follow)
    return parse_ignore_rules(data or b"", ignore_case=ignore_case)
