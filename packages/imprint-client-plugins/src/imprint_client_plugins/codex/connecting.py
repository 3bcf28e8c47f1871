"""Connecting Codex: the MCP server, its hooks, and its instructions, for all of its faces at once."""

from imprint.domain.paths import parse_path
from imprint.plugins.clients import ClientHome, Installation
from imprint.protocols.clients import ClientFiles

__all__ = ["find_installation"]

_FOLDER_VARIABLE = "CODEX_HOME"


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its folder or its program: the IDE extension brings no program, and a fresh program has no folder."""
    moved = home.environ.get(_FOLDER_VARIABLE)
    folder = parse_path(moved) if moved else home.path / ".codex"
    is_there = files.is_folder(folder)
    program = files.find_program("codex")
    if not is_there and program is None:
        return None
    return Installation(client="codex", home=home, folder=folder, program=program)
