"""Finding and reading files on a real file system.

Links are never followed: what a link points to inside the folder is found in its own place, and what lies outside was
not asked for. Nothing is opened that is not a regular file.
"""

import os
import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from operator import attrgetter
from pathlib import Path

from imprint.adapters.canonical_paths import canonical_path, pure_path
from imprint.adapters.file_reading import read_file
from imprint.adapters.ignore_files import IgnoredFolder, UserExcludes
from imprint.adapters.junctions import is_junction
from imprint.adapters.manifests import find_project_name, list_names
from imprint.adapters.worktrees import find_worktree
from imprint.domain.skips import FOLDER_MARKERS, SkipReason, skip_by_name
from imprint.domain.sources import CanonicalPath
from imprint.domain.times import storable_ns
from imprint.domain.walks import walk_up
from imprint.errors import MissingPathError
from imprint.protocols.files import FoundFile, FoundFolder, ReadFile, SkippedEntry

__all__ = ["RealFileTree"]


class RealFileTree:
    """Meets `imprint.protocols.files.FileTree`."""

    def __init__(
        self,
        *,
        homes: Collection[CanonicalPath],
        environ: Mapping[str, str],
        binary_suffixes: Collection[str] = (),
    ) -> None:
        """Look at nothing yet.

        Args:
            homes: Where the walk up for ignore files ends; the first is where git's user configuration lies.
            environ: For git's user configuration.
            binary_suffixes: Lower case, with the dot: files that an extractor reads although they hold no text.
        """
        self._homes = tuple(homes)
        self._environ = environ
        self._binary_suffixes = tuple(binary_suffixes)

    def canonical(self, path: Path) -> CanonicalPath:
        return canonical_path(path)

    def look(self, path: CanonicalPath, *, root: CanonicalPath) -> FoundFile | FoundFolder | SkippedEntry:
        text = str(path)
        try:
            found = os.lstat(text)
        except (FileNotFoundError, NotADirectoryError, ValueError) as error:
            raise MissingPathError(text) from error
        except OSError as error:
            return _unreadable(text, error)
        is_folder = stat.S_ISDIR(found.st_mode)
        if reason := self._judge_way(path, root, is_folder=is_folder):
            return SkippedEntry(path=text, reason=reason)
        return FoundFolder(path=text) if is_folder else _describe(text, found)

    def scan(
        self, folder: CanonicalPath, *, stop: Callable[[], bool] = lambda: False
    ) -> Iterator[FoundFile | SkippedEntry]:
        first = self._stand_in(folder)
        pending = [first]
        while pending and not stop():
            here = pending.pop()
            yield from self._scan_one(here, pending, is_first=here is first)

    def read(
        self, path: str, *, limit: int, judge: Callable[[bytes], SkipReason | None] = lambda _: None
    ) -> ReadFile | SkippedEntry:
        is_wanted = path.lower().endswith(self._binary_suffixes)
        found = read_file(path, limit=limit, judge=(lambda _: None) if is_wanted else judge)
        return SkippedEntry(path=path, reason=found) if isinstance(found, SkipReason) else found

    def find_project(self, folder: CanonicalPath, *, root: CanonicalPath) -> str:
        return find_project_name(folder, root=root)

    def _stand_in(self, folder: CanonicalPath) -> IgnoredFolder:
        """A folder that was asked for, with the rules of the folders above it; its own are not read yet."""
        home = Path(self._homes[0]) if self._homes else None
        way = walk_up(folder, self._homes) or (folder,)
        here = IgnoredFolder.outermost(str(way[-1]), UserExcludes.read(self._environ, home))
        for below in reversed(way[:-1]):
            here = here.with_rules(list_names(here.path)).below(below.name)
        return here

    def _judge_way(self, path: CanonicalPath, root: CanonicalPath, *, is_folder: bool) -> SkipReason | None:
        """The first reason on the way from the root down to a path."""
        here = self._stand_in(root)
        names = path.relative_to(root).parts
        for depth, name in enumerate(names, start=1):
            here = here.with_rules(list_names(here.path))
            if depth == len(names) and not is_folder:
                return self._judge_name(here, name)
            entered = here.enter(name)
            if isinstance(entered, SkipReason):
                return entered
            here = entered
            if marker := _find_marker(list_names(here.path)):
                return marker
        return None

    def _scan_one(
        self, here: IgnoredFolder, pending: list[IgnoredFolder], *, is_first: bool
    ) -> Iterator[FoundFile | SkippedEntry]:
        try:
            with os.scandir(here.path) as listing:
                entries = sorted(listing, key=attrgetter("name"))
        except OSError as error:
            yield _unreadable(here.path, error)
            return
        names = {entry.name for entry in entries}
        if not is_first and (marker := _find_marker(names) or self._find_worktree(here.path, names)):
            yield SkippedEntry(path=here.path, reason=marker)
            return
        here = here.with_rules(names)
        folders: list[IgnoredFolder] = []
        for entry in entries:
            try:
                found = self._judge_entry(here, entry)
            except FileNotFoundError:
                continue  # It went since the folder was listed.
            except OSError as error:
                found = _unreadable(entry.path, error)
            if isinstance(found, IgnoredFolder):
                folders.append(found)
            else:
                yield found
        pending.extend(reversed(folders))

    def _find_worktree(self, path: str, names: Collection[str]) -> SkipReason | None:
        """A linked worktree inside a folder repeats what its main one holds, so it is indexed only when asked for."""
        if ".git" in names and find_worktree(pure_path(path), self._homes):
            return SkipReason.WORKTREE
        return None

    def _judge_entry(self, here: IgnoredFolder, entry: "os.DirEntry[str]") -> FoundFile | SkippedEntry | IgnoredFolder:
        name = entry.name
        reason: SkipReason | None
        if entry.is_file(follow_symlinks=False):
            reason = self._judge_name(here, name)
            if reason is None:
                return _describe(entry.path, entry.stat(follow_symlinks=False))
        elif entry.is_symlink() or (os.name == "nt" and is_junction(entry.stat(follow_symlinks=False))):
            reason = SkipReason.LINK
        elif entry.is_dir(follow_symlinks=False):
            entered = here.enter(name)
            if isinstance(entered, IgnoredFolder) and _is_utf8(name):
                return entered
            reason = entered if isinstance(entered, SkipReason) else SkipReason.NAME
        else:
            reason = SkipReason.SPECIAL
        return SkippedEntry(path=entry.path, reason=reason)

    def _judge_name(self, here: IgnoredFolder, name: str) -> SkipReason | None:
        return skip_by_name(name, self._binary_suffixes) or (SkipReason.IGNORED if here.ignores_file(name) else None)


def _describe(path: str, found: os.stat_result) -> FoundFile | SkippedEntry:
    if not stat.S_ISREG(found.st_mode):
        return SkippedEntry(path=path, reason=SkipReason.SPECIAL)
    if not path.isascii() and not _is_utf8(path):
        return SkippedEntry(path=path, reason=SkipReason.NAME)
    size = found.st_size
    if not size:
        return SkippedEntry(path=path, reason=SkipReason.EMPTY)
    return FoundFile(path, size, storable_ns(found.st_mtime_ns))


def _unreadable(path: str, error: OSError) -> SkippedEntry:
    return SkippedEntry(path=path, reason=SkipReason.UNREADABLE, detail=error.strerror or "")


def _find_marker(names: Collection[str]) -> SkipReason | None:
    return next((reason for marker, reason in FOLDER_MARKERS.items() if marker in names), None)


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
