"""Connecting Claude Code: the MCP server at user scope, its hooks, a permission rule, and its instructions."""

from imprint.domain.paths import parse_path
from imprint.plugins.clients import ClientHome, Installation
from imprint.protocols.clients import ClientFiles

__all__ = ["find_installation"]

_FOLDER_VARIABLE = "CLAUDE_CONFIG_DIR"


def find_installation(home: ClientHome, files: ClientFiles) -> Installation | None:
    """Its folder or its program: the IDE extensions bring no program, and a fresh program has no folder."""
    moved = home.environ.get(_FOLDER_VARIABLE)
    folder = parse_path(moved) if moved else home.path / ".claude"
    is_there = files.is_folder(folder)
    program = files.find_program("claude")
    if not is_there and program is None:
        return None
    return Installation(client="claude-code", home=home, folder=folder, program=program)
