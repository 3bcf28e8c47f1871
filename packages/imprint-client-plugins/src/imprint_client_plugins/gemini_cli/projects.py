"""Which folder the sessions of a project were held in: Gemini CLI keeps that apart from their transcripts.

A project's folder below ``tmp`` has a short name, or in older versions the hash of its path. ``.project_root`` in it
holds the path, and ``projects.json`` each path with its short name.
"""

import json
from collections.abc import Mapping
from hashlib import sha256

from imprint.domain.sources import CanonicalPath
from imprint.errors import ClientFileUnreadableError
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.transcript_lines import spoken

__all__ = ["ProjectFolders"]


class ProjectFolders:
    """The folders of one installation; what cannot be read says nothing."""

    def __init__(self, folder: CanonicalPath, files: ClientFiles) -> None:
        """Read which there are.

        Args:
            folder: Where the client keeps its configuration.
        """
        self._files = files
        paths = _paths(self._read(folder / "projects.json"))
        self._known = {name: path for path, name in paths.items()}
        self._known.update((sha256(path.encode("utf-8", "replace")).hexdigest(), path) for path in paths)

    def find(self, project: CanonicalPath) -> str:
        """The path as the client spells it; empty where nothing tells."""
        root = spoken(self._read(project / ".project_root").decode("utf-8", "replace"))
        return root or self._known.get(project.name, "")

    def _read(self, path: CanonicalPath) -> bytes:
        try:
            return self._files.read(path) or b""
        except ClientFileUnreadableError:
            return b""


def _paths(data: bytes) -> Mapping[str, str]:
    """By path, the short name of each project."""
    try:
        value = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    projects = value.get("projects") if isinstance(value, dict) else None
    if not isinstance(projects, dict):
        return {}
    return {spoken(path): name for path, name in projects.items() if isinstance(name, str)}
