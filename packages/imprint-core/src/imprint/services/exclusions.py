"""Exclusions: what was purged and stays out, until somebody lets it in again."""

from collections.abc import Sequence

import attrs

from imprint.domain.purge import Exclusion, is_key_excluded
from imprint.domain.sources import WorkspaceName
from imprint.protocols.registry import Registry

__all__ = ["Exclusions", "Restoration"]


@attrs.frozen
class Restoration:
    """A target that may come back.

    Attributes:
        changed: False where it was not excluded.
        kept_out_by: Targets of other exclusions that cover it, or a conversation that was kept out with it.
    """

    workspace: WorkspaceName
    target: str
    changed: bool
    kept_out_by: tuple[str, ...] = ()


@attrs.frozen
class Exclusions:
    """The use cases."""

    registry: Registry

    def list(self, workspace: WorkspaceName) -> Sequence[Exclusion]:
        """A workspace's exclusions, in the order of their targets."""
        return self.registry.exclusions(workspace)

    def restore(self, workspace: WorkspaceName, target: str) -> Restoration:
        """Let a target come back: the next ingest, refresh or learn takes it in again. What was deleted stays deleted.

        Args:
            target: Exactly as it is listed. One that is not excluded is a success that says so.
        """
        held = {key for one in self.registry.exclusions(workspace) if one.target == target for key in one.conversations}
        removed = self.registry.remove_exclusions(workspace, [target])
        others = (
            one.target
            for one in self.registry.exclusions(workspace)
            if any(is_key_excluded(key, [one]) for key in (target, *held))
        )
        return Restoration(workspace, target, changed=removed > 0, kept_out_by=tuple(others))
