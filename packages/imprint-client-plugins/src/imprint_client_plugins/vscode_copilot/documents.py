"""What Copilot Chat reads to its model for every project: the user's instructions."""

from collections.abc import Iterator

from imprint.plugins.clients import ClientDocument, Installation
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.vscode_copilot.connecting import INSTRUCTIONS_NAME, found_folders

__all__ = ["find_documents"]

_SUFFIX = ".instructions.md"


def find_documents(installation: Installation, files: ClientFiles) -> Iterator[ClientDocument]:
    """Those of the user's profile, in each build that is there, but for our own file."""
    for folder in found_folders(installation, files):
        for name in files.names(folder / "prompts"):
            if name.endswith(_SUFFIX) and name != INSTRUCTIONS_NAME:
                yield ClientDocument(path=folder / "prompts" / name)
