"""After a small write: make it findable by meaning at once, and say so where that is not possible."""

from typing import TYPE_CHECKING

from imprint.errors import StoreError
from imprint_cli.invocation import Invocation
from imprint_cli.progress import TerminalProgress

if TYPE_CHECKING:
    from imprint.domain.sources import WorkspaceName

__all__ = ["complete"]


def complete(invocation: Invocation, workspace: "WorkspaceName") -> None:
    """Embed what waits. The write itself is done and stays done whatever comes of this."""
    from imprint.services.completion import Outcome

    try:
        with TerminalProgress(invocation) as progress:
            outcome = invocation.application.completion.complete(workspace, progress)
    except StoreError as error:
        invocation.note(f"found by its words for now: {error}")
        return
    if outcome is Outcome.BUSY:
        invocation.note("found by its words for now: other work on the workspace is running")
    elif outcome is Outcome.FAILED:
        invocation.note("found by its words for now: the embedder failed; 'imprint doctor' says why")
