"""Bundles and backups as files: written whole or not at all, read only once all of them is known to be sound."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from imprint.domain.bundles import BundleManifest
from imprint.domain.sources import WorkspaceName
from imprint.domain.versions import FactVersion, SourceVersion
from imprint.protocols.embedders import ModelIdentity
from imprint.protocols.progress import Progress
from imprint.protocols.versions import StoreSnapshot

__all__ = ["BundleContent", "BundleFiles"]


class BundleContent(Protocol):
    """What a bundle holds; each stream may be read again, and two at once."""

    @property
    def manifest(self) -> BundleManifest: ...

    def sources(self) -> Iterator[SourceVersion]:
        """In key order, each key once."""
        ...

    def facts(self) -> Iterator[FactVersion]: ...

    def vectors(self, model: ModelIdentity) -> Iterator[tuple[int, bytes]]:
        """As `imprint.protocols.versions.StoreSnapshot` gives them; none where the bundle has none of the model."""
        ...


class BundleFiles(Protocol):
    """Bundles on disk."""

    def require_absent(self, path: Path) -> None:
        """Raises:
        TargetExistsError: Something is there.
        UnwritableFileError: There is no folder for it.
        """
        ...

    def write(
        self, path: Path, snapshot: StoreSnapshot, progress: Progress, *, workspace: WorkspaceName, created_at: str
    ) -> BundleManifest:
        """Write a bundle.

        Raises:
            TargetExistsError: Something is there.
            UnwritableFileError: The operating system refuses; nothing is left.
        """
        ...

    def open(self, path: Path, progress: Progress) -> AbstractContextManager[BundleContent]:
        """Read the whole of a bundle, and give it only if all of it is sound.

        Raises:
            MissingPathError: Nothing is there.
            UnreadableFileError: It is no regular file, or the operating system refuses it.
            ArchiveDamagedError: It is not whole, or not ours.
            ArchiveTooNewError: A newer program wrote it.
            NoRoomError: It unpacks to more than there is room for.
        """
        ...
