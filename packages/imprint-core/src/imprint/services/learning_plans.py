"""What a run of learning was asked to do."""

import attrs

from imprint.domain.purge import Exclusion
from imprint.domain.sources import WorkspaceName

__all__ = ["LearningPlan"]


@attrs.frozen(kw_only=True)
class LearningPlan:
    """What is decided before a run begins, and holds to its end.

    Attributes:
        workspaces: All of this device; ``inbox`` is the one of conversations without a directory.
        since_ns: Transcripts that were last written to before are left alone.
    """

    workspace: WorkspaceName
    workspaces: tuple[WorkspaceName, ...]
    inbox: str
    exclusions: tuple[Exclusion, ...]
    since_ns: int
    dry_run: bool
