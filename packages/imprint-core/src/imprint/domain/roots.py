"""Approved roots: what a device has allowed into a workspace."""

import attrs

from imprint.domain.sources import CanonicalPath, WorkspaceName

__all__ = ["Root"]


@attrs.frozen(kw_only=True)
class Root:
    """A folder approved for a workspace on this device.

    Attributes:
        path: Canonical.
        how: What approved it: ``roots-add``, ``first-ingest``, ``use``, ``use-workspace``.
        added_at: UTC ISO 8601 with ``Z``.
    """

    workspace: WorkspaceName
    path: CanonicalPath
    how: str = "roots-add"
    added_at: str = ""
