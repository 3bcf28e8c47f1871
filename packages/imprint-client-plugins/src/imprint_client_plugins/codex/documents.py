"""What Codex reads to its model for every project: the user's rules."""

from collections.abc import Iterator

from imprint.plugins.clients import ClientDocument, Installation

__all__ = ["find_documents"]


def find_documents(installation: Installation) -> Iterator[ClientDocument]:
    """The rules of the user."""
    yield ClientDocument(path=installation.folder / "AGENTS.md")
