"""What Claude Code reads to its model: the user's rules, and what it noted by itself about a project."""

from collections.abc import Iterator

from imprint.plugins.clients import ClientDocument, Installation
from imprint.protocols.clients import ClientFiles

__all__ = ["find_documents"]

_SUFFIX = ".md"


def find_documents(installation: Installation, files: ClientFiles) -> Iterator[ClientDocument]:
    """The rules of the user, then the notes of each project, whose transcripts lie beside them."""
    folder = installation.folder
    rules = [folder / "CLAUDE.md", *(folder / "rules" / name for name in files.names(folder / "rules"))]
    yield from (ClientDocument(path=path) for path in rules if path.name.endswith(_SUFFIX))
    for slug in files.names(folder / "projects"):
        project = folder / "projects" / slug
        for name in files.names(project / "memory"):
            if name.endswith(_SUFFIX):
                yield ClientDocument(path=project / "memory" / name, transcripts=project)
