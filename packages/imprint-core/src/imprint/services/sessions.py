"""An agent's session: the directory it works in, as the environment of its process tells."""

from collections.abc import Mapping
from pathlib import Path

__all__ = ["detect_session_directory"]

_CLAUDE_PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"


def detect_session_directory(environ: Mapping[str, str], cwd: Path | None) -> Path | None:
    """The session's directory: the one a client names in the environment, else the working directory of the process.

    Args:
        cwd: `None` where it was deleted or cannot be read.
    """
    named = environ.get(_CLAUDE_PROJECT_VARIABLE, "")
    return Path(named) if named else cwd
