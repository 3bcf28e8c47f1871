"""Targets of a purge on a real file system, and what the originals say."""

import os
from collections.abc import Iterator
from pathlib import Path

from imprint.adapters.canonical_paths import canonical_path
from imprint.adapters.file_reading import read_file
from imprint.domain.sources import CanonicalPath
from imprint.errors import SourceError

__all__ = ["RealPurgeTargets"]

_MOST_FILES = 1_000
_MOST_BYTES = 4_000_000


class RealPurgeTargets:
    """Meets `imprint.protocols.purges.PurgeTargets`."""

    def canonical(self, target: str) -> CanonicalPath | None:
        return canonical_path(target) if Path(target).is_absolute() else None

    def is_folder(self, path: CanonicalPath) -> bool:
        return Path(path).is_dir()

    def texts(self, path: CanonicalPath) -> Iterator[tuple[str, str]]:
        for number, file in enumerate(_files(Path(path))):
            if number == _MOST_FILES:
                return
            try:
                found = read_file(str(file), limit=_MOST_BYTES, judge=lambda _: None)
                text = found.data.decode("utf-8-sig") if hasattr(found, "data") else ""
            except (SourceError, UnicodeDecodeError):
                continue
            yield str(file), text


def _files(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        yield place
        return
    for folder, folders, names in os.walk(place):
        folders.sort()
        yield from (Path(folder, name) for name in sorted(names))
