"""What Cline reads to its model for every project: the user's rules."""

from collections.abc import Iterator

from imprint.plugins.clients import ClientDocument, Installation
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.cline.connecting import RULES
from imprint_client_plugins.cline.places import find_places

__all__ = ["find_documents"]

_SUFFIXES = (".md", ".txt")


def find_documents(installation: Installation, files: ClientFiles) -> Iterator[ClientDocument]:
    """The rules of the user, but for ours."""
    places = find_places(installation.home, files)
    for folder in (places.folder / "rules", places.documents / "Rules"):
        for name in files.names(folder):
            if name.endswith(_SUFFIXES) and name != RULES:
                yield ClientDocument(path=folder / name)
