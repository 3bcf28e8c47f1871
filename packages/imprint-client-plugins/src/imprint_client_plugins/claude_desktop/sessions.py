"""Sessions of Claude Desktop's local agent: ``local-agent-mode-sessions/ID/ID/local_ID/.claude/projects``."""

from collections.abc import Iterator

from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.claude_transcripts import find_transcripts as find_in_projects

__all__ = ["find_transcripts"]

_DEPTH = 5
"""How far below its folder a session's projects lie at most, by all reports."""


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Those of every session, in Claude Code's format."""
    yield from _find(installation.folder / "local-agent-mode-sessions", files, _DEPTH)


def _find(folder: CanonicalPath, files: ClientFiles, depth: int) -> Iterator[TranscriptReference]:
    for name in files.names(folder):
        if name == "projects":
            yield from find_in_projects(folder / name, files)
        elif depth and not folder.suffix:
            yield from _find(folder / name, files, depth - 1)
