"""What other workspaces hold of a target: a purge is of one workspace, and forgets nothing in the others."""

from contextlib import suppress

import attrs

from imprint.domain.sources import WorkspaceName
from imprint.errors import StoreError
from imprint.services.purge import Purge

__all__ = ["HeldElsewhere", "find_elsewhere"]


@attrs.frozen(kw_only=True)
class HeldElsewhere:
    """Sources of another workspace at or below a target.

    Attributes:
        target: As that workspace spells it.
        is_recursive: Whether a purge of them has to be a recursive one.
    """

    workspace: WorkspaceName
    target: str
    sources: int
    is_recursive: bool


def find_elsewhere(purge: Purge, workspace: WorkspaceName, target: str) -> tuple[HeldElsewhere, ...]:
    """The workspaces other than this one that hold something at or below a target, in name order.

    One whose store cannot be read is passed over: its trouble is not this workspace's.

    Raises:
        EmptyTextError: The target is empty.
    """
    found: list[HeldElsewhere] = []
    spellings = purge.spellings(target)
    for record in purge.registry.workspaces():
        if record.name == workspace or not purge.stores.exists(record.name):
            continue
        with suppress(StoreError), purge.stores.open(record.name) as store:
            for spelling in spellings:
                itself, below = (
                    store.enumerate_target(
                        purge.exclusion_of(record.name, spelling, recursive=recursive)
                    ).selection.keys
                    for recursive in (False, True)
                )
                if below:
                    held = HeldElsewhere(
                        workspace=record.name, target=spelling, sources=len(below), is_recursive=below != itself
                    )
                    found.append(held)
                    break
    return tuple(found)
