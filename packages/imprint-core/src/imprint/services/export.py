"""Export: what a workspace knows becomes one file."""

from pathlib import Path

import attrs

from imprint.domain.bundles import BundleManifest
from imprint.domain.sources import WorkspaceName
from imprint.protocols.archives import BundleFiles
from imprint.protocols.clocks import Clock
from imprint.protocols.progress import Progress
from imprint.protocols.stores import StoreOpener

__all__ = ["Export"]


@attrs.frozen
class Export:
    """The use case. Roots and exclusions belong to the device and stay with it."""

    stores: StoreOpener
    bundles: BundleFiles
    clock: Clock

    def run(self, workspace: WorkspaceName, path: Path, progress: Progress) -> BundleManifest:
        """Write a bundle of all that a workspace holds at one moment; others go on writing meanwhile.

        Raises:
            TargetExistsError: Something is at the path already; it was left alone.
            UnwritableFileError: The operating system refuses; nothing is left.
            OversizedRecordError: A passage or fact is larger than a bundle can hold.
            WorkspaceDeletedError: The workspace was deleted meanwhile.
            StoreError: The store cannot be read.
        """
        self.bundles.require_absent(path)
        try:
            with self.stores.open(workspace) as store, store.snapshot() as snapshot:
                return self.bundles.write(path, snapshot, progress, workspace=workspace, created_at=self.clock.now())
        finally:
            progress.finish()
