"""Completing what a small write left open: a memory is to be found by meaning at once, not after the next ingest."""

from collections.abc import Callable
from enum import StrEnum

import attrs

from imprint.domain.sources import WorkspaceName
from imprint.errors import BusyError, ImprintError, StoreError
from imprint.protocols.locks import WorkspaceLocks
from imprint.protocols.progress import Progress
from imprint.protocols.stores import StoreOpener, WorkspaceStore

__all__ = ["Completion", "Outcome"]


class Outcome(StrEnum):
    """Whether everything stored can be found by meaning now."""

    COMPLETE = "complete"
    BUSY = "busy"
    FAILED = "failed"


@attrs.frozen(kw_only=True)
class Completion:
    """The use case. What it cannot do stays pending; the next ingest, refresh or completion does it.

    Attributes:
        embed: Gives every chunk that has none its vector.
    """

    stores: StoreOpener
    locks: WorkspaceLocks
    embed: Callable[[WorkspaceStore, Progress], object]

    def complete(self, workspace: WorkspaceName, progress: Progress) -> Outcome:
        """Embed what waits, unless another process does long work on the workspace or the embedder fails.

        Raises:
            StoreError: The store cannot be written.
        """
        try:
            with self.locks.hold(workspace, "embed"), self.stores.open(workspace) as store:
                self.embed(store, progress)
        except StoreError:
            raise
        except BusyError:
            return Outcome.BUSY
        except ImprintError:  # unknown, blocked or broken: the embedder and the backend come from plugins
            return Outcome.FAILED
        finally:
            progress.finish()
        return Outcome.COMPLETE
