"""Where a session works, by ``session-state/SESSION/workspace.yaml``, which is written before servers are started.

Copilot CLI names its servers the session and no directory, and starts those of plugins in the plugin's folder.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from imprint.domain.paths import parse_path
from imprint.domain.sources import CanonicalPath
from imprint.errors import InvalidPathError

if TYPE_CHECKING:
    from imprint.protocols.clients import ClientFiles

__all__ = ["find_directory"]

_SESSION_VARIABLE = "COPILOT_AGENT_SESSION_ID"
_FOLDER_VARIABLE = "COPILOT_HOME"
_HOME_VARIABLES = ("HOME", "USERPROFILE")
_DIRECTORY = re.compile(r"^cwd: +(\S.*)$", re.MULTILINE)


def find_directory(environ: Mapping[str, str], files: "ClientFiles") -> str | None:
    """The directory of the session that a process was started for.

    Raises:
        ClientFileUnreadableError: What is known of the session cannot be read.
    """
    session = environ.get(_SESSION_VARIABLE, "")
    if not session.replace("-", "").isalnum():
        return None
    for folder in _folders(environ):
        note = files.read(folder / "session-state" / session / "workspace.yaml")
        if note is not None:
            return _parse_directory(note.decode("utf-8", "replace"))
    return None


def _folders(environ: Mapping[str, str]) -> Iterator[CanonicalPath]:
    """Where Copilot CLI may keep what it knows; a shell on Windows may have a home of its own besides the user's."""
    places = [environ.get(_FOLDER_VARIABLE, "")]
    places += [f"{home}/.copilot" for name in _HOME_VARIABLES if (home := environ.get(name))]
    for place in places:
        try:
            yield parse_path(place)
        except InvalidPathError:
            continue


def _parse_directory(note: str) -> str | None:
    """The path, which stands on one line: plain, or quoted where YAML wants that."""
    found = _DIRECTORY.search(note)
    if found is None:
        return None
    text = found[1].rstrip()
    if text.startswith("'"):
        text = text[1:-1].replace("''", "'")
    elif text.startswith('"'):
        try:
            text = json.loads(text)
        except ValueError:
            return None
    try:
        parse_path(text)
    except InvalidPathError:
        return None
    return text
