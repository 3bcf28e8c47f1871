"""What qwen-code reads to its model: the user's rules, and its own notes about the user and about each project."""

from collections.abc import Iterator

from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientDocument, Installation
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.qwen_code.folders import runtime_folder

__all__ = ["find_documents"]

_SUFFIX = ".md"
_DEPTH = 3


def find_documents(installation: Installation, files: ClientFiles) -> Iterator[ClientDocument]:
    """The rules of the user and the notes about the user, then the notes of each project, by its sessions' folder."""
    folder, kept = installation.folder, runtime_folder(installation)
    yield from (ClientDocument(path=folder / name) for name in ("QWEN.md", "AGENTS.md"))
    for about_everything in (folder / "rules", kept / "memories"):
        yield from (ClientDocument(path=path) for path in _below(about_everything, files, _DEPTH))
    for slug in files.names(kept / "projects"):
        project = kept / "projects" / slug
        for path in _below(project / "memory", files, _DEPTH):
            yield ClientDocument(path=path, transcripts=project / "chats")


def _below(folder: CanonicalPath, files: ClientFiles, depth: int) -> Iterator[CanonicalPath]:
    for name in files.names(folder):
        if name.endswith(_SUFFIX):
            yield folder / name
        elif depth:
            yield from _below(folder / name, files, depth - 1)
