"""What Cursor keeps of conversations: chats of the editor in one database, transcripts of agents as files."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import Installation, TranscriptReference
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.app_folders import app_data
from imprint_client_plugins.cursor.composers import find_composers
from imprint_client_plugins.cursor.windows import find_windows

__all__ = ["find_transcripts"]

_SUFFIX = ".jsonl"
_DEPTH = 2
_SUBAGENTS = "subagents"
_LOST = re.compile(r"[^A-Za-z0-9]+")


def find_transcripts(installation: Installation, files: ClientFiles) -> Iterator[TranscriptReference]:
    """Each conversation once: one that is in the database is not read from an agent's file as well.

    An agent's file lies in a folder that is named after a project, with characters lost. The folder that its name is
    made of is looked for among those that were opened; where there is none, or more than one, the file is left alone.
    So is a chat of a window whose folders nothing tells: it may belong to any project.
    """
    user = app_data(installation.home) / "Cursor" / "User"
    windows = find_windows(user / "workspaceStorage", files)
    known = set()
    for reference in find_composers(user / "globalStorage" / "state.vscdb", windows.find_folders, files):
        known.add(reference.conversation)
        yield reference
    folders = _by_slug(windows.folders)
    projects = installation.folder / "projects"
    for slug in files.names(projects):
        for path in _agent_files(projects / slug / "agent-transcripts", files):
            candidates = tuple(folders.get(_slug(slug), ()))
            parent = path.parent.parent.name if path.parent.name == _SUBAGENTS else ""
            held_in = windows.find_told((path.stem, parent))
            if path.stem not in known and held_in is not None and (held_in or len(candidates) == 1):
                yield TranscriptReference(path=path, directories=held_in or candidates, part_of=parent)


def _agent_files(folder: CanonicalPath, files: ClientFiles, depth: int = _DEPTH) -> Iterator[CanonicalPath]:
    for name in files.names(folder):
        if name.endswith(_SUFFIX):
            yield folder / name
        elif depth and "." not in name:
            yield from _agent_files(folder / name, files, depth - 1)


def _by_slug(folders: Iterable[str]) -> Mapping[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for folder in folders:
        found[_slug(folder)].add(folder)
    return found


def _slug(text: str) -> str:
    return _LOST.sub("-", text).strip("-").lower()
