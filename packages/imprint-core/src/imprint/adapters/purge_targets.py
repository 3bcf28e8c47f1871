"""Targets of a purge on a real file system, and what the originals say."""

import os
from collections.abc import Iterator
from pathlib import Path

import attrs

from imprint.adapters.canonical_paths import canonical_path
from imprint.adapters.file_reading import read_file
from imprint.adapters.worktrees import find_worktree
from imprint.domain.sources import CanonicalPath
from imprint.domain.worktrees import Worktree
from imprint.errors import SourceError

__all__ = ["RealPurgeTargets"]

_MOST_FILES = 1_000
_MOST_BYTES = 4_000_000


@attrs.frozen
class RealPurgeTargets:
    """Meets `imprint.protocols.purges.PurgeTargets`; ``homes`` end the search for a git worktree."""

    homes: tuple[CanonicalPath, ...] = ()

    def canonical(self, target: str) -> CanonicalPath | None:
        return canonical_path(target) if Path(target).is_absolute() else None

    def is_folder(self, path: CanonicalPath) -> bool:
        return _is_folder(path)

    def find_worktree(self, path: CanonicalPath) -> Worktree | None:
        return find_worktree(path, self.homes)

    def texts(self, path: CanonicalPath) -> Iterator[tuple[str, str]]:
        for number, file in enumerate(_files(Path(path))):
            if number == _MOST_FILES:
                return
            try:
                found = read_file(str(file), limit=_MOST_BYTES, judge=lambda _: None)
                text = found.data.decode("utf-8-sig") if hasattr(found, "data") else ""
            except SourceError:
                continue
            except UnicodeDecodeError:  # an archive, an image
                text = ""
            yield str(file), text


def _is_folder(path: "os.PathLike[str]") -> bool:
    return os.path.isdir(path)  # noqa: PTH112 (`Path` raises where a name is too long or a folder is closed)


def _files(place: Path) -> Iterator[Path]:
    if not _is_folder(place):
        yield place
        return
    for folder, folders, names in os.walk(place):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(names))
