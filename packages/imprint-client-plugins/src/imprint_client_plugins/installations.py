"""Finding a client by its folder or its program: an extension brings no program, and a fresh program has no folder."""

from imprint.domain.paths import parse_path
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome, Installation
from imprint.protocols.clients import ClientFiles

__all__ = ["find_installed", "moved_folder"]


def moved_folder(home: ClientHome, variable: str) -> CanonicalPath | None:
    """The folder that an environment variable names; `None` where it names none.

    Raises:
        InvalidPathError: It names something else than an absolute path, or one below ``~``.
    """
    moved = home.environ.get(variable)
    if not moved:
        return None
    return home.path / moved[2:] if moved.startswith("~/") else parse_path(moved)


def find_installed(
    client: str, home: ClientHome, files: ClientFiles, *, folder: CanonicalPath, program: str
) -> Installation | None:
    """The client whose configuration is in this folder, or whose program is there to make it."""
    is_there = files.is_folder(folder)
    found = files.find_program(program)
    if not is_there and found is None:
        return None
    return Installation(client=client, home=home, folder=folder, program=found)
