"""What Copilot CLI reads to its model for every project: the user's instructions."""

from collections.abc import Iterator

from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientDocument, Installation
from imprint.protocols.clients import ClientFiles

__all__ = ["find_documents"]

_SUFFIX = ".instructions.md"
_DEPTH = 3


def find_documents(installation: Installation, files: ClientFiles) -> Iterator[ClientDocument]:
    """The instructions for everything, then those for some kinds of files."""
    folder = installation.folder
    yield ClientDocument(path=folder / "copilot-instructions.md")
    yield from _find(folder / "instructions", files, _DEPTH)


def _find(folder: CanonicalPath, files: ClientFiles, depth: int) -> Iterator[ClientDocument]:
    for name in files.names(folder):
        if name.endswith(_SUFFIX):
            yield ClientDocument(path=folder / name)
        elif depth:
            yield from _find(folder / name, files, depth - 1)
