"""Where Cline keeps what: its command line in ``~/.cline``, its extension with its editor and in ``Documents``."""

import attrs

from imprint.domain.paths import parse_path
from imprint.domain.sources import CanonicalPath
from imprint.plugins.clients import ClientHome
from imprint.protocols.clients import ClientFiles
from imprint_client_plugins.editor_folders import find_extension_folders

__all__ = ["Places", "find_places"]

_EXTENSION = "saoudrizwan.claude-dev"
_SETTINGS = "cline_mcp_settings.json"


@attrs.frozen(kw_only=True)
class Places:
    """What belongs to Cline in one home.

    Attributes:
        folder: The command line's own.
        program: Where it was found.
        is_command_line: Whether the command line is there.
        extensions: The extension's folders, one an editor.
        documents: What the extension reads for every project, and the command line besides its own.
        sessions: The command line's transcripts.
        settings: The command line's MCP servers.
    """

    folder: CanonicalPath
    program: CanonicalPath | None
    is_command_line: bool
    extensions: tuple[CanonicalPath, ...]
    documents: CanonicalPath
    sessions: CanonicalPath
    settings: CanonicalPath

    @property
    def every_settings(self) -> tuple[CanonicalPath, ...]:
        """The files that name MCP servers, of all that is there."""
        own = (self.settings,) if self.is_command_line else ()
        return (*own, *(folder / "settings" / _SETTINGS for folder in self.extensions))


def find_places(home: ClientHome, files: ClientFiles) -> Places:
    """Look where it is; the variables that move its folders are followed."""

    def moved(variable: str, usual: CanonicalPath) -> CanonicalPath:
        told = home.environ.get(variable, "").strip()
        return parse_path(told) if told else usual

    folder = moved("CLINE_DIR", home.path / ".cline")
    data = moved("CLINE_DATA_DIR", folder / "data")
    program = files.find_program("cline")
    return Places(
        folder=folder,
        program=program,
        is_command_line=program is not None or files.is_folder(folder),
        extensions=tuple(find_extension_folders(home, files, _EXTENSION)),
        documents=home.path / "Documents" / "Cline",
        sessions=moved("CLINE_SESSION_DATA_DIR", data / "sessions"),
        settings=moved("CLINE_MCP_SETTINGS_PATH", data / "settings" / _SETTINGS),
    )
