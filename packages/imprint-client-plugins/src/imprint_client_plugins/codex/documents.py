"""What Codex reads to its model for every project: the user's rules."""

from collections.abc import Iterator

from imprint.plugins.clients import ClientDocument, Installation
from imprint.protocols.clients import ClientFiles

__all__ = ["find_documents"]


def find_documents(installation: Installation, files: ClientFiles) -> Iterator[ClientDocument]:
    """The rules of the user, where they would be."""
    del files
    yield ClientDocument(path=installation.folder / "AGENTS.md")
