"""Why a workspace may learn from a conversation, or may not, in words."""

from collections.abc import Sequence

import attrs

from imprint.domain.sources import CanonicalPath, WorkspaceName
from imprint.errors import escaped

__all__ = ["DirectoryClaim", "explain_claims"]

_LISTED = 3


@attrs.frozen(kw_only=True)
class DirectoryClaim:
    """A directory that a conversation records, and who claims it.

    Attributes:
        recorded: As the client spells it.
        place: What it stands for; `None` where the text names no place of this device.
        owners: The workspaces that claim it.
        project_file: The approved project file that alone decides, where one does.
        is_vanished: It is gone, and nobody knows what it was.
    """

    recorded: str
    place: CanonicalPath | None
    owners: frozenset[WorkspaceName] = frozenset()
    project_file: CanonicalPath | None = None
    is_vanished: bool = False


def explain_claims(claims: Sequence[DirectoryClaim], *, inbox: str = "") -> str:
    """Say who claims a conversation's directories, in one sentence without a full stop."""
    if not claims:
        return (
            f'it records no directory, and such conversations go to the inbox "{inbox}"'
            if inbox
            else ("it records no directory, so any workspace may have it")
        )
    telling = [claim for claim in claims if claim.owners or claim.is_vanished]
    if not telling:
        return f"no workspace claims {_listed([escaped(claim.recorded) for claim in claims])}"
    return "; ".join(map(_explain, telling[:_LISTED])) + (
        f"; and {len(telling) - _LISTED} more directories" if len(telling) > _LISTED else ""
    )


def _explain(claim: DirectoryClaim) -> str:
    directory = escaped(claim.recorded)
    if not claim.owners:
        return f"{directory} is gone, and no record tells what it was"
    owners = _listed([f'"{owner}"' for owner in sorted(claim.owners)])
    if claim.project_file is not None:
        return f"{directory} is claimed by {owners}, which its approved project file names"
    return f"{directory} is claimed by {owners}, which has a root above it"


def _listed(words: Sequence[str]) -> str:
    shown = ", ".join(words[:_LISTED])
    return f"{shown} and {len(words) - _LISTED} more" if len(words) > _LISTED else shown
