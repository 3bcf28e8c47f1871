"""What Gemini CLI reads to its model: the user's rules, and its private notes about a project."""

from collections.abc import Iterator

from imprint.plugins.clients import ClientDocument, Installation
from imprint.protocols.clients import ClientFiles

__all__ = ["find_documents"]


def find_documents(installation: Installation, files: ClientFiles) -> Iterator[ClientDocument]:
    """The rules of the user, then the notes of each project. What waits to be looked through is no note yet."""
    yield ClientDocument(path=installation.folder / "GEMINI.md")
    projects = installation.folder / "tmp"
    for slug in files.names(projects):
        notes = projects / slug / "memory"
        for name in files.names(notes):
            if name.endswith(".md"):
                yield ClientDocument(path=notes / name, transcripts=projects / slug / "chats")
