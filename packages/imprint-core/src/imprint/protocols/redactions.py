"""Taking secrets out of what is stored already, as services see it."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from imprint.domain.redaction import Redact

__all__ = ["RedactionStore"]


class RedactionStore(Protocol):
    """What a store does to be rid of secrets."""

    def redact_stored(self, redact: "Redact") -> int:
        """Write passages, titles and facts anew without the secrets in them; how many there were.

        The workspace's lock is held. Changed passages wait for a vector; what still holds the old text on disk is
        recorded as pending, as after a purge: `imprint.protocols.purges.PurgeStore.finish_purges` does away with it.

        Raises:
            WorkspaceDeletedError: The workspace was deleted meanwhile.
        """
        ...
